import { Cloud } from "@container-platform/sdk";
import { LocalPlatform, type World } from "@container-platform/sdk/local";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import type { Kind } from "../../provider/src/definition/definition.ts";
import { Unfinished } from "../../provider/src/lifecycle/errors.ts";
import { DynamicProvider } from "../../provider/src/pulumi/dynamic-provider.ts";
import type { Engine } from "../../provider/src/pulumi/engine.ts";
import { ProviderProcess } from "../../provider/src/pulumi/provider-process.ts";
import { isKind, kinds } from "../../provider/src/resources/kinds.ts";
import { type Asked, InitFailed, type Line, type Runs, severities } from "./host.ts";
import { Refusals } from "./refusals.ts";
import { type Props, propsOf, struct } from "./structs.ts";

const nothing = () => undefined;
const passing = () => Promise.resolve();

/** An engine that keeps what it shows. */
function engineTo(lines: Line[], stopped: AbortSignal): Engine {
  const line = (severity: number, ephemeral: boolean) => (urn: string, message: string) => {
    lines.push({ urn, message, severity, ephemeral });
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

const everyKind = (): Promise<readonly Kind[]> => Promise.all(Object.values(kinds).map(async (load) => (await load()).kind));

function processOf(world: World, region: string, engine: Engine): ProviderProcess {
  const provider = new ProviderProcess(everyKind, {
    engine,
    announce: nothing,
    connect: async () => {
      const cloud = new Cloud({ transport: new LocalPlatform(world), region });
      return {
        cloud,
        home: { endpoint: `local:${world.file}`, region, account: await cloud.account() },
        defaultTags: {},
        provider: undefined,
      };
    },
    // As for a host that finds no `pulumi`.
    readSaved: () => Promise.resolve(undefined),
  });
  provider.configure(nothing);
  return provider;
}

/**
 * The provider in this process: what Pulumi's dynamic host calls, without the host, for tests with many runs. A host of its own takes a
 * second to start. Its properties travel as they do between the engine and a provider. Its intent log is in the folder that
 * `XDG_STATE_HOME` names, as everywhere.
 */
export class ProviderHere implements Runs {
  readonly lines: Line[] = [];
  /** It has no terminal. */
  readonly printed: string[] = [];
  readonly #world: World;
  readonly #region: string;
  readonly #providers = new Map<string, DynamicProvider>();
  readonly #refusals = new Refusals();
  #stop = new AbortController();
  #process: ProviderProcess;

  constructor(world: World, region: string) {
    this.#world = world;
    this.#region = region;
    this.#process = this.#begun();
  }

  async check(olds: Props, news: Props): ReturnType<Asked["check"]> {
    const { inputs, failures = [] } = await this.#of(news).check(sent(olds), sent(news));
    if (failures.length > 0) this.#refusals.note();
    return {
      inputs: sent({ ...inputs, __provider: news["__provider"] }),
      failures: failures.map(({ property, reason }) => ({ property, reason })),
    };
  }

  async diff(id: string, olds: Props, news: Props): ReturnType<Asked["diff"]> {
    const compared = this.#refusals.among(this.#of(news).diff(id, sent(olds), sent(news)));
    const { changes, replaces = [], deleteBeforeReplace = false } = await compared;
    return { changes: changes === undefined ? "unknown" : changes ? "some" : "none", replaces, deleteBeforeReplace };
  }

  async create(properties: Props): ReturnType<Asked["create"]> {
    const { id, outs } = await asHost(() => this.#of(properties).create(sent(properties)));
    return { id, outputs: sent({ ...outs, __provider: properties["__provider"] }) };
  }

  async read(id: string, properties: Props): ReturnType<Asked["read"]> {
    const { id: found = "", inputs = {}, props } = await this.#of(properties).read(id, sent(properties));
    const own = { __provider: properties["__provider"] };
    return { id: found, inputs: sent({ ...inputs, ...own }), outputs: sent({ ...props, ...own }) };
  }

  async update(id: string, olds: Props, news: Props): ReturnType<Asked["update"]> {
    const { outs } = await asHost(() => this.#of(news).update(id, sent(olds), sent(news)));
    return { outputs: sent({ ...outs, __provider: news["__provider"] }) };
  }

  async delete(id: string, properties: Props): Promise<void> {
    await this.#of(properties).delete(id, sent(properties));
  }

  /** Forgets that it has refused a resource, as after a check that passes. Without one, it begins anew, and knows nothing. */
  async forget(urn?: string): Promise<void> {
    if (urn !== undefined) return this.#process.configured.session.checks.checking(urn, passing, () => []);
    await this.restart("SIGINT");
  }

  /** Goes on with a provider that knows nothing. With `SIGINT` the engine ends the one before, once all is saved; otherwise that is just left. */
  async restart(by: "SIGINT" | "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    if (by === "SIGINT") await this.end();
    this.#refusals.forget();
    this.#providers.clear();
    this.#process = this.#begun();
  }

  running(work: () => Promise<unknown>): Promise<void> {
    return this.#refusals.running(() => this.restart("SIGINT"), work);
  }

  /** Control-C. */
  cancel(): Promise<void> {
    this.#stop.abort();
    return Promise.resolve();
  }

  /** Ends the run, as the engine does once all is saved. */
  end(): Promise<void> {
    return this.#process.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cancel();
  }

  #begun(): ProviderProcess {
    this.#stop = new AbortController();
    return processOf(this.#world, this.#region, engineTo(this.lines, this.#stop.signal));
  }

  /** The lifecycle of the kind that the text in the properties names. */
  #of({ __provider: text }: Props): DynamicProvider {
    const type = /get\("(\w+)"\)$/.exec(String(text))?.[1] ?? "";
    if (!isKind(type)) throw new Error(`no kind is named by ${String(text)}`);
    const load = kinds[type];
    const provider =
      this.#providers.get(type) ??
      new DynamicProvider(
        load().then(({ kind }) => kind),
        this.#process,
      );
    this.#providers.set(type, provider);
    return provider;
  }
}

function sent(props: Props): Props {
  return propsOf(struct(props));
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
