import { Cloud, type Transport } from "@container-platform/sdk";
import { LocalPlatform, type World } from "@container-platform/sdk/local";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { Unfinished } from "../../provider/src/lifecycle/errors.ts";
import { KnownUrns } from "../../provider/src/plugin/known-urns.ts";
import { type NativeProvider, nativeProvider } from "../../provider/src/plugin/native-provider.ts";
import type { Engine } from "../../provider/src/dynamic/engine.ts";
import { ProviderProcess, type Surroundings } from "../../provider/src/dynamic/provider-process.ts";
import { callables } from "../../provider/src/functions/all.ts";
import { findOfKind } from "../../provider/src/import/find-resources.ts";
import { everyKind, kinds } from "../../provider/src/resources/kinds.ts";
import { typeToken } from "../../provider/src/dynamic/stub.ts";
import { stateIn } from "../../provider/src/runtime/stack-export.ts";
import { identityOf, nativeToken } from "../../provider/src/runtime/tokens.ts";
import { DynamicRequests } from "./dynamic-requests.ts";
import { InitFailed } from "./asking.ts";
import { type Line, type Runs, severities } from "./host.ts";
import { type Asked, HostRequests, type Known } from "./host-requests.ts";
import { type Doom, Life } from "./life.ts";
import { Provider } from "./provider.ts";
import { providerId } from "./simulated-state.ts";
import { testedShell } from "./shell.ts";
import { struct } from "./structs.ts";

const nothing = () => undefined;

/** An engine that keeps what it shows. */
function engineTo(lines: Line[], stopped: AbortSignal): Engine {
  const line = (severity: number, ephemeral: boolean) => (urn: string, message: string) => {
    lines.push({ urn: identityOf(urn), message, severity, ephemeral });
  };
  const warn = line(severities.warning, false);
  return {
    stopped,
    show: line(severities.info, true),
    note: line(severities.info, false),
    warn,
    last: (message) => {
      warn("", message);
      return Promise.resolve();
    },
    during: (work) => work(),
  };
}

/** The native plugin in this process, whatever the tested shell. */
export function pluginHere(world: World, region: string): NativeProvider {
  const urns = new KnownUrns();
  const engine = urns.for(engineTo([], new AbortController().signal));
  const inEngineWords = (text: string) => urns.inText(text);
  return plugin(processOf(region, { ...asWorld(world), engine, inEngineWords, tokenOf: nativeToken }), urns);
}

function plugin(process: ProviderProcess, urns: KnownUrns): NativeProvider {
  return nativeProvider(definitions, process, "", urns);
}

/** What a provider reaches besides the engine. */
export interface Reach {
  /** The platform, which may answer otherwise than the world does. */
  readonly transport: Transport;
  /** Pulumi's state; what the tests have created, unless given. */
  readonly readState: Surroundings["readState"];
  readonly providerId: () => string;
  /** Where the platform is; in this process, unless given. */
  readonly endpoint: string;
}

function asWorld(world: World): Reach {
  const [transport, endpoint] = [new LocalPlatform(world), `local:${world.file}`];
  return { transport, endpoint, readState: () => Promise.resolve(undefined), providerId: () => providerId };
}

function processOf(
  region: string,
  { engine, transport, endpoint, providerId: idOfProvider, ...others }: Reach & Pick<Surroundings, "engine" | "inEngineWords" | "tokenOf">,
): ProviderProcess {
  const provider = new ProviderProcess({
    kinds: everyKind,
    engine,
    announce: nothing,
    connect: async () => {
      const cloud = new Cloud({ transport, region, stopped: engine.stopped });
      return {
        cloud,
        home: { endpoint, region, account: await cloud.account() },
        defaultTags: {},
        provider: undefined,
        fromEnvironment: [],
      };
    },
    ...others,
  });
  // The dynamic host is not told it.
  provider.configure(nothing, testedShell === "native" ? idOfProvider() : undefined);
  return provider;
}

/**
 * The provider in this process: what Pulumi's dynamic host or the native plugin does, without a process of its own, for tests with many
 * runs. One of its own takes a second to start.
 */
export class ProviderHere extends Provider implements Runs {
  readonly lines: Line[] = [];
  /** It has no terminal. */
  readonly printed: string[] = [];
  readonly #region: string;
  readonly #reach: Reach;
  readonly #known = new Map<string, Known>();
  #stop = new AbortController();
  #begun: Begun;

  constructor(world: World, region: string, reach: Partial<Reach> = {}) {
    super();
    this.#region = region;
    const readState = () => Promise.resolve(this.saved.exported === "" ? undefined : stateIn(this.saved.exported));
    this.#reach = { ...asWorld(world), readState, ...reach };
    this.#begun = this.#begin();
  }

  /** Forgets that it has refused a resource, as after a check that passes. Without one, it begins anew, and knows nothing. */
  async forget(urn?: string): Promise<void> {
    if (urn === undefined) await this.restart("SIGINT");
    else this.#begun.process.configured.session.noteCheck(urn);
  }

  /** Lets the provider die once the platform has carried out a call, before the answer comes. */
  dieAt(doom: Doom): void {
    this.#begun.life.endAt(doom);
  }

  /** Whether it has died so. Until `restart`, it answers nothing. */
  get isDead(): boolean {
    return this.#begun.life.isOver;
  }

  /** What is not ended with `SIGINT` is killed. */
  protected async begunAnew(by: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<void> {
    if (by === "SIGINT" && !this.isDead) await this.end();
    else this.#begun.life.end();
    this.#begun = this.#begin();
  }

  /** Control-C. */
  cancel(): Promise<void> {
    this.#stop.abort();
    return Promise.resolve();
  }

  /** Ends the run, as the engine does once all is saved. */
  end(): Promise<void> {
    return this.#begun.process.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cancel();
  }

  protected asked<T>(ask: (one: Asked) => Promise<T>): Promise<T> {
    const { life, asked } = this.#begun;
    return life.during(() => asHost(() => ask(asked)));
  }

  #begin(): Begun {
    this.#stop = new AbortController();
    const life = new Life(this.#reach.transport);
    const urns = new KnownUrns();
    const engine = engineTo(this.lines, this.#stop.signal);
    const process = processOf(this.#region, {
      ...this.#reach,
      transport: life.transport,
      engine: testedShell === "native" ? urns.for(engine) : engine,
      inEngineWords: (text) => urns.inText(text),
      tokenOf: testedShell === "native" ? nativeToken : typeToken,
    });
    const asked = testedShell === "native" ? new HostRequests(plugin(process, urns), true, this.#known) : new DynamicRequests(process);
    return { life, process, asked };
  }
}

/** What the native plugin serves here. Components are made in programs, which have an engine. */
const definitions = {
  kinds,
  functions: () => Promise.resolve(callables),
  components: () => Promise.reject(new Error("there is no engine to make components with")),
  find: findOfKind,
};

/** One process of a provider. */
interface Begun {
  readonly life: Life;
  readonly process: ProviderProcess;
  readonly asked: Asked;
}

/** A creation or update that fails after the resource was made fails as the host reports it. */
async function asHost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    const detail = new messages.ErrorResourceInitFailed();
    detail.setId(error.id);
    detail.setProperties(struct(error.properties));
    detail.setReasonsList([...error.reasons]);
    throw new InitFailed(error.message, detail);
  }
}
