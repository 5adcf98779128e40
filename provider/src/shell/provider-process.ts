import { setTimeout as sleep } from "node:timers/promises";
import { PlatformError } from "@container-platform/sdk";
import { type Connection, configurationFrom, openConnection } from "../runtime/configuration.ts";
import type { Engine } from "./engine.ts";
import { stateOf } from "../runtime/stack-export.ts";
import { unexplained, Unfinished } from "../lifecycle/errors.ts";
import type { Props } from "../schema/values.ts";
import { Veil } from "../schema/secrets.ts";
import type { Kind } from "../definition/definition.ts";
import { endTimeout, warningsOfProgram } from "../lifecycle/world.ts";
import { RunSession } from "../lifecycle/run-session.ts";
import type { ReadState } from "../ownership/state.ts";
import { setFlagsFromString } from "node:v8";

/** What a provider has once it is configured. */
interface Configured {
  readonly connection: Promise<Connection>;
  readonly session: RunSession;
}

type Get = (key: string) => string | undefined;

/** What a provider reaches outside. */
export interface Surroundings {
  readonly engine: Engine;
  /** Told of each error before it is thrown. */
  readonly announce: (error: Error) => void;
  /** @param veiled a value as it may be recorded */
  readonly connect: (get: Get, veiled: (value: unknown) => unknown) => Promise<Connection>;
  readonly readState: ReadState;
  /** A text with the URNs that the engine has, where the provider knows resources by others. */
  readonly inEngineWords: (text: string) => string;
  /** The type that the engine has for a kind of resource. */
  readonly tokenOf: (type: string) => string;
}

/** What all kinds of resources share in a provider's process: the engine, the connection, and the session of the run. */
export class ProviderProcess {
  readonly engine: Engine;
  /** What no message and no record may repeat. */
  readonly veil = new Veil();
  readonly #around: Surroundings;
  readonly #kinds: () => Promise<readonly Kind[]>;
  #configured: Configured | undefined;

  /** @param kinds loads all kinds, with dependencies first */
  constructor(kinds: () => Promise<readonly Kind[]>, around: Surroundings) {
    this.#kinds = kinds;
    this.#around = around;
    this.engine = discreet(around.engine, (text, urn) => this.told(text, urn));
  }

  /**
   * Begins a run, without waiting: the host calls other methods before `configure` is done, and passes the same configuration again for
   * each kind.
   *
   * @param id the provider's ID in the state, if Pulumi tells it
   */
  configure(get: Get, id?: string): void {
    if (this.#configured) return;
    const connection = this.#around.connect(get, (value) => this.veil.hideIn(value));
    const session = new RunSession(this.#kinds, this.#around);
    session.state.providerId = id;
    connection.then(
      ({ provider }) => (session.state.provider = provider),
      // Each call waits for it, and throws its error then.
      () => undefined,
    );
    this.#configured = { connection, session };
  }

  /** Ends the run. The engine still shows what it is told. */
  async end(): Promise<void> {
    if (!this.#configured) return;
    const { connection, session } = this.#configured;
    const orphans = Promise.race([session.orphans.warning(), sleep(endTimeout, undefined, { ref: false })]);
    const warnings = [session.end(), orphans, connection.then(({ cloud }) => warningsOfProgram(session, cloud))].map(async (look) => {
      for (const warning of [(await look.catch(() => undefined)) ?? []].flat()) await this.engine.last(warning);
    });
    await Promise.all(warnings);
  }

  /** @throws if the provider is not configured */
  get configured(): Configured {
    if (!this.#configured) throw new Error("the provider is not configured");
    return this.#configured;
  }

  /** A text as the user may see it. @param urn the resource that it is about */
  told(text: string, urn: string): string {
    return this.#around.inEngineWords(this.veil.hide(text, urn));
  }

  /** Makes errors readable for the user: the message is shown once, without this library's stack trace, and without secrets. */
  async plainly<T>({ __urn: urn }: Props, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error) {
        const hide = (text: string) => this.told(text, typeof urn === "string" ? urn : "");
        if (error instanceof Unfinished) error.hide(hide);
        error.message = hide(error instanceof PlatformError ? unexplained(error) : error.message);
        error.stack = error.message;
        this.#around.announce(error);
      }
      throw error;
    }
  }
}

/** The provider of this process, which the engine has started and ends. @param kinds loads all kinds, with dependencies first */
export function inThisProcess(
  kinds: () => Promise<readonly Kind[]>,
  around: Pick<Surroundings, "engine" | "announce" | "inEngineWords" | "tokenOf">,
): ProviderProcess {
  // V8 doubles the space of its young generation again and again: the next time would take 30 MB more, for a process that mostly waits.
  setFlagsFromString("--semi-space-growth-factor=1");
  const connect: Surroundings["connect"] = async (get, veiled) =>
    openConnection(await configurationFrom(get), { veiled, stopped: around.engine.stopped });
  const own = new ProviderProcess(kinds, { ...around, connect, readState: stateOf });
  // The engine ends a provider with SIGINT when it has saved everything, and Node would exit at once. A killed engine sends no signal.
  process.once("SIGINT", () => void own.end().finally(() => process.exit()));
  return own;
}

/** An engine that is told no secrets. */
function discreet(engine: Engine, told: (text: string, urn: string) => string): Engine {
  return {
    ...engine,
    show: (urn, message) => engine.show(urn, told(message, urn)),
    note: (urn, message) => engine.note(urn, told(message, urn)),
    warn: (urn, message) => engine.warn(urn, told(message, urn)),
    last: (message) => engine.last(told(message, "")),
  };
}
