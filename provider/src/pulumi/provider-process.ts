import { type Connection, configurationFrom, openConnection } from "../runtime/configuration.ts";
import { type Engine, engineOf } from "./engine.ts";
import { beforeTheEnd } from "./patches/end-signal.ts";
import { leaveOutEchoes } from "./patches/error-echo.ts";
import { keepYoungGenerationSmall } from "./patches/semi-space.ts";
import { RunSession } from "../recovery/run-session.ts";

/** What comes with the configuration of a provider. */
interface Configured {
  readonly connection: Promise<Connection>;
  readonly session: RunSession;
}

/** What the process of a provider has once, however many kinds of resources it serves: the engine, the connection, the run's session. */
export class ProviderProcess {
  readonly engine: Engine;
  readonly #announce: (error: Error) => void;
  #configured: Configured | undefined;

  constructor() {
    keepYoungGenerationSmall();
    this.#announce = leaveOutEchoes();
    beforeTheEnd(async () => this.#configured?.session.end());
    this.engine = engineOf();
  }

  /**
   * Begins a run. A process has one configuration, which the host hands over again for each kind. This never waits: the host lets
   * calls pass before `configure` is done.
   */
  configure(get: (key: string) => string | undefined): void {
    if (this.#configured) return;
    const connection = configurationFrom(get).then(openConnection);
    // Each call waits for it, and throws then.
    connection.catch(() => undefined);
    this.#configured = { connection, session: new RunSession() };
  }

  /** @throws if the provider is not configured */
  get configured(): Configured {
    if (!this.#configured) throw new Error("the provider is not configured");
    return this.#configured;
  }

  /** Errors are for the person at the terminal: a sentence that is shown once, without the stack of this library. */
  async plainly<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error) {
        error.stack = error.message;
        this.#announce(error);
      }
      throw error;
    }
  }
}

// The only state that a module has. Pulumi's dynamic host makes an object for each kind of resource, all of them in one process.
let current: ProviderProcess | undefined;

export function providerProcess(): ProviderProcess {
  return (current ??= new ProviderProcess());
}
