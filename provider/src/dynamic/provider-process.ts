import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { type Cloud, PlatformError } from "@container-platform/sdk";
import { messageOf, render } from "../definition/codes.ts";
import type { Context } from "../definition/context.ts";
import type { Kind } from "../definition/definition.ts";
import { unexplained, Unfinished } from "../lifecycle/errors.ts";
import { warningsOfProgram } from "../lifecycle/world.ts";
import { orphanWarning } from "../ownership/orphans.ts";
import { Session } from "../ownership/session.ts";
import type { ReadState } from "../ownership/state.ts";
import { type Connection, configurationFrom, openConnection } from "../runtime/configuration.ts";
import { stateOf } from "../runtime/stack-export.ts";
import type { Props } from "../schema/values.ts";
import { Redactor } from "../schema/secrets.ts";
import type { Engine } from "./engine.ts";

/** In milliseconds. Pulumi waits five seconds for its provider to exit. */
const endTimeout = 3500;

type Get = (key: string) => string | undefined;

/** The surroundings of a provider. */
export interface Surroundings {
  /** Loads all kinds, with dependencies first. */
  readonly kinds: () => Promise<readonly Kind[]>;
  readonly engine: Engine;
  /** Called with each error before it is thrown. */
  readonly announce: (error: Error) => void;
  /** @param redacted a value as it may be recorded */
  readonly connect: (get: Get, redacted: (value: unknown) => unknown) => Promise<Connection>;
  readonly readState: ReadState;
  /** A text with the URNs that the engine has, where the provider knows resources by others. */
  readonly inEngineWords: (text: string) => string;
  /** The type that the engine has for a kind of resource. */
  readonly tokenOf: (type: string) => string;
}

/** The connection and the session of an update, which all kinds of resources share in a provider's process. */
export class ProviderProcess {
  readonly engine: Engine;
  /** The secrets that no message and no record may repeat. */
  readonly redactor = new Redactor();
  readonly #around: Surroundings;
  #configured: { readonly connection: Promise<Connection>; readonly session: Session } | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
    this.engine = around.engine;
  }

  /**
   * Begins an update, without waiting: the host calls other methods before `configure` is done, and passes the same configuration again for
   * each kind. `id`: the provider's ID in the state, if Pulumi passes it.
   */
  configure(get: Get, id?: string): void {
    if (this.#configured) return;
    const { kinds, connect, readState, tokenOf } = this.#around;
    const connection = connect(get, (value) => this.redactor.hideIn(value));
    const session = new Session(kinds, readState, tokenOf);
    session.state.providerId = id;
    connection.then(
      ({ provider }) => (session.state.provider = provider),
      // Each call waits for it, and throws its error then.
      () => undefined,
    );
    this.#configured = { connection, session };
  }

  /** Ends the update. The engine still shows warnings. */
  async end(): Promise<void> {
    if (!this.#configured) return;
    const { connection, session } = this.#configured;
    const inTime = <T>(look: Promise<T>) => Promise.race([look, sleep(endTimeout, undefined, { ref: false })]);
    const program = connection.then((here) => inTime(warningsOfProgram(session, here)));
    const orphans = connection.then(({ cloud }) => inTime(orphanWarning({ ...this.messagesAbout(""), cloud, session })));
    const warnings = [session.end(), orphans, program].map(async (look) => {
      for (const warning of [(await look.catch(() => undefined)) ?? []].flat()) await this.engine.last(this.told(render(warning), ""));
    });
    await Promise.all(warnings);
  }

  /** @throws TypeError if the provider is not configured */
  get configured(): { readonly connection: Promise<Connection>; readonly session: Session } {
    if (!this.#configured) throw new TypeError("the provider is not configured");
    return this.#configured;
  }

  /** The client of the platform. */
  async cloud(): Promise<Cloud> {
    return (await this.configured.connection).cloud;
  }

  /** The messages about a resource, without secrets. */
  messagesAbout(urn: string): Omit<Context, "cloud"> {
    const { stopped, show, note, warn } = this.engine;
    let shown = "";
    return {
      signal: stopped,
      show: (message) => {
        if (message !== shown) show(urn, this.told(message, urn));
        shown = message;
      },
      note: (message) => note(urn, this.told(message, urn)),
      warn: (warning) => warn(urn, this.told(render(warning), urn)),
    };
  }

  /** A text as the user may see it. @param urn the resource that it is about */
  told(text: string, urn: string): string {
    return this.#around.inEngineWords(this.redactor.hide(text, urn));
  }

  /** Makes errors readable for the user: the message is shown once, without this library's stack trace, and without secrets. */
  async plainly<T>({ __urn: urn }: Props, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error) {
        const hide = (text: string) => this.told(text, typeof urn === "string" ? urn : "");
        if (error instanceof Unfinished) error.hide(hide);
        error.message = hide(error instanceof PlatformError ? unexplained(error) : messageOf(error));
        error.stack = error.message;
        this.#around.announce(error);
      }
      throw error;
    }
  }
}

/** The provider of this process, which the engine has started and ends. */
export function inThisProcess(around: Omit<Surroundings, "connect" | "readState">): ProviderProcess {
  // V8 doubles the space of its young generation again and again: the next time would take 30 MB more, for a process that mostly waits.
  setFlagsFromString("--semi-space-growth-factor=1");
  const connect: Surroundings["connect"] = async (get, redacted) =>
    openConnection(await configurationFrom(get), { redacted, stopped: around.engine.stopped });
  const own = new ProviderProcess({ ...around, connect, readState: stateOf });
  // The engine ends a provider with SIGINT when it has saved everything, and Node would exit at once. A killed engine sends no signal.
  process.once("SIGINT", () => void own.end().finally(() => process.exit()));
  return own;
}
