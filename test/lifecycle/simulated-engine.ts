import { isDeepStrictEqual } from "node:util";
import { InitFailed } from "../support/asking.ts";
import type { Doom } from "../support/life.ts";
import type { ProviderHere } from "../support/provider-here.ts";
import { stub } from "../support/deployment.ts";
import { providerId } from "../support/simulated-state.ts";
import { exportOf } from "../support/stack-export.ts";
import { inClear, type Props, unknown, visible } from "../support/structs.ts";
import { called, type Declaration, type Program, Reference, resolved, urnOf } from "./program.ts";
import { type Entry, entryOf, metadataOf, type Pending, savedOf, State } from "./state.ts";

/** What a run does, in order: `create Vpc main`. */
export type Operations = string[];

/** How a run goes. */
export interface Way {
  /** A preview: nothing is created, changed or deleted. */
  readonly isPreview?: boolean;
  /** What the provider refuses before it does anything is done all the same. */
  readonly isHeedless?: boolean;
  /** And by a provider that knows nothing of that: then the platform alone refuses. */
  readonly isForgotten?: boolean;
  /** The resources that are replaced by force, such as `Vpc main`. */
  readonly forced?: readonly string[];
  /** What is killed, and with which call: the platform carries it out, and its answer does not come. */
  readonly kill?: Kill;
}

export interface Kill extends Doom {
  /** With the engine, its provider dies, too. */
  readonly victim: "engine" | "provider";
}

interface Plan {
  readonly does: "update" | "replace" | "delete-replace" | "nothing";
  readonly inputs: Props;
}

/**
 * Simulates Pulumi's engine for whole programs, with the provider in this process. It works on one resource at a time, in the order of the
 * program; the real engine works on several. It asks and keeps what the real one asks and keeps (`step_generator.go`, `snapshot.go`), and
 * `simulated-engine.test.ts` compares the two. A failure ends the run, and the state keeps what was done until then: also the operation under
 * way, if the engine was killed.
 */
export class SimulatedEngine {
  readonly #host: ProviderHere;
  readonly #limit: string | undefined;
  state: readonly Entry[] = [];
  /** The operations under way when the engine was killed. Creations stay until the user resolves them. */
  pending: readonly Pending[] = [];
  /** Whether the state has the provider: from the first run with resources until all of them are deleted. */
  hasProvider = false;
  /** The ID of the provider in the state. Each time that the state gets a provider, it is another one. */
  providerId: string;
  /** What the last run has left, or would leave if it was a preview. */
  planned: readonly Entry[] = [];
  /** What the provider has refused in the last run, which was not heeded. */
  refusals = 0;
  /** The properties that the provider has answered, with secrets marked as such. */
  readonly answers: Props[] = [];
  /** The resource of the last operation. If the run failed, it failed there. */
  at = "";
  #way: Way = {};
  /** What a run has done so far. */
  #running: State | undefined;

  /** @param limit how long each operation may take, such as `5s`; as long as usual unless given */
  constructor(host: ProviderHere, limit?: string, firstProvider = providerId) {
    this.#host = host;
    this.providerId = firstProvider;
    this.#limit = limit;
  }

  /** `pulumi up`, or `pulumi preview`. */
  async up(program: Program, operations: Operations = [], way: Way = {}): Promise<Operations> {
    this.refusals = 0;
    return this.#run(way, operations, async (state) => {
      if (!way.isPreview) this.hasProvider ||= program.length > 0;
      for (const declaration of program) await this.#register(state, declaration, operations);
      await this.#deleteAll(state, state.unseen, operations);
      if (!way.isPreview) this.#withoutProvider(state);
    });
  }

  destroy(operations: Operations = [], way: Pick<Way, "kill"> = {}): Promise<Operations> {
    return this.#run(way, operations, async (state) => {
      await this.#deleteAll(state, state.unseen, operations);
      this.#withoutProvider(state);
    });
  }

  /** `pulumi refresh`: what is gone, and what differs from the state. */
  refresh(operations: Operations = []): Promise<Operations> {
    return this.#run({}, operations, async (state) => {
      for (const entry of state.unseen) if (entry.status !== "toRecreate") await this.#read(state, entry, operations);
    });
  }

  /** The state as `pulumi stack export` shows it, also in the middle of a run. */
  exported(): string {
    const entries = this.#running?.entries ?? this.state;
    return exportOf({
      project: "throw-away",
      providerId: this.providerId,
      resources: this.hasProvider ? entries.map(savedOf) : undefined,
      pending: this.pending.map(({ type, entry, provider }) => ({ type, resource: { ...savedOf(entry), provider } })),
    });
  }

  /** Whether the engine itself was killed in the last run. */
  get isKilled(): boolean {
    return this.#way.kill?.victim === "engine" && this.#host.isDead;
  }

  async #run(way: Way, operations: Operations, work: (state: State) => Promise<unknown>): Promise<Operations> {
    const state = new State(this.state);
    this.#way = way;
    // Other operations that a killed engine had begun are forgotten, as a refresh shows what became of them.
    if (!way.isPreview) this.pending = this.pending.filter(({ type }) => type === "creating");
    if (way.kill) this.#host.dieAt(way.kill);
    this.#running = way.isPreview ? undefined : state;
    try {
      await work(state);
    } finally {
      this.#host.dieAt({ nth: Infinity });
      this.#running = undefined;
      this.planned = state.entries;
      if (!way.isPreview) this.state = state.entries;
    }
    return operations;
  }

  /** Once all resources are deleted, the provider leaves the state, too. */
  #withoutProvider({ entries }: State): void {
    if (!this.hasProvider || entries.length > 0) return;
    this.hasProvider = false;
    this.providerId = nextId(this.providerId);
  }

  /** An operation on a resource. The state says that it is under way, until the provider has answered or has died. */
  async #during<T>(type: Pending["type"], entry: Entry, work: () => Promise<T>): Promise<T> {
    const begun = { type, entry, provider: this.providerId };
    this.pending = [begun, ...this.pending];
    try {
      return await work();
    } finally {
      if (!this.isKilled) this.pending = this.pending.filter((one) => one !== begun);
    }
  }

  async #read(state: State, entry: Entry, operations: Operations): Promise<void> {
    const found = await this.#host.read(entry.id, entry.outputs);
    this.answers.push(found.inputs, found.outputs);
    if (found.id === "") {
      operations.push(`lost ${called(entry)}`);
      state.forget(entry);
      return;
    }
    const inputs = inClear(found.inputs);
    if (!isDeepStrictEqual(visible(inputs), visible(entry.inputs))) operations.push(`drift ${called(entry)}`);
    state.put(entry, { ...entry, id: found.id, inputs, outputs: inClear(found.outputs), unfinished: false });
  }

  async #register(state: State, declaration: Declaration, operations: Operations): Promise<void> {
    this.at = called(declaration);
    const args = this.#argsOf(state, declaration);
    const before = state.before(declaration);
    if (!before)
      return this.#create(declaration, await this.#checked({}, args), operations, (entry) => {
        state.see(entry, undefined);
      });
    // It was deleted in this run, because a resource that it depends on was replaced.
    if (before.status === "toRecreate" && state.deleted.delete(called(before)))
      return this.#create(declaration, await this.#checked({}, args), operations, (entry) => {
        state.see(entry, before);
      });
    if (this.#way.forced?.includes(called(declaration)))
      return this.#replace(state, declaration, before, declaration.first ? "delete-replace" : "replace", operations);
    const { does, inputs } = await this.#planned(declaration, before, args);
    if (does === "nothing") state.see({ ...before, name: declaration.name, inputs, ...metadataOf(declaration) }, before);
    else if (does === "update") await this.#update(state, declaration, before, inputs, operations);
    else await this.#replace(state, declaration, before, does, operations);
  }

  async #planned({ first }: Declaration, before: Entry, args: Props): Promise<Plan> {
    const earlier = this.refusals;
    const inputs = await this.#checked(before.inputs, args);
    // What a refused check answers says nothing of the change; most that is refused would replace.
    if (this.#way.isForgotten && this.refusals > earlier) return { does: first ? "delete-replace" : "replace", inputs };
    const asked = await this.#host.diff(before.id, before.outputs, inputs).catch(async (error: unknown) => {
      if (!this.#way.isHeedless) throw error;
      await this.#forget(inputs);
      // What is refused is a change that replaces.
      return { changes: "some", replaces: ["refused"], deleteBeforeReplace: first ?? false } as const;
    });
    const { changes, replaces } = asked;
    const deleteBeforeReplace = first ?? asked.deleteBeforeReplace;
    const differ = changes === "some" || (changes === "unknown" && !isDeepStrictEqual(before.inputs, inputs));
    if (before.status === "toRecreate" || (differ && replaces.length > 0))
      return { does: deleteBeforeReplace ? "delete-replace" : "replace", inputs };
    return { does: differ || before.unfinished ? "update" : "nothing", inputs };
  }

  async #replace(state: State, declaration: Declaration, before: Entry, does: Plan["does"], operations: Operations): Promise<void> {
    if (declaration.protect === true && before.protect) throw new Error(`${called(declaration)} is protected and cannot be replaced`);
    const inputs = await this.#checked({}, this.#argsOf(state, declaration));
    if (does === "replace")
      return this.#create(declaration, inputs, operations, (entry) => {
        state.supersede(entry, before);
      });
    let old = before;
    for (const dependent of (await this.#deletedWith(state, before)).toReversed()) {
      if (dependent.protect) throw new Error(`${called(dependent)} is protected and cannot be replaced`);
      await this.#deleteEarly(state, dependent, operations);
    }
    if (old.status !== "toRecreate") old = await this.#deleteEarly(state, old, operations);
    state.deleted.delete(called(old));
    await this.#create(declaration, inputs, operations, (entry) => {
      state.see(entry, old);
    });
  }

  /** The resources that have to be deleted before this one, because they are replaced along with it. */
  async #deletedWith(state: State, root: Entry): Promise<readonly Entry[]> {
    const found: Entry[] = [];
    const names = new Set([called(root)]);
    for (const entry of state.dependents(root)) {
      const referring = Object.keys(entry.inputs).filter((key) => entry.sources[key]?.some((name) => names.has(name)));
      if (referring.length === 0) continue;
      const news = { ...entry.inputs, ...Object.fromEntries(referring.map((key) => [key, unknown])) };
      const { replaces } = await this.#host.diff(entry.id, entry.outputs, news);
      if (replaces.length === 0) continue;
      found.push(entry);
      names.add(called(entry));
    }
    return found;
  }

  async #deleteEarly(state: State, entry: Entry, operations: Operations): Promise<Entry> {
    operations.push(`delete ${called(entry)}`);
    await this.#delete(entry);
    if (entry.status === "toDelete") {
      state.forget(entry);
      return entry;
    }
    state.deleted.add(called(entry));
    return state.put(entry, { ...entry, status: "toRecreate" });
  }

  async #deleteAll(state: State, entries: readonly Entry[], operations: Operations): Promise<void> {
    const kept = entries.find(({ protect, status }) => protect && status === "live");
    if (kept) throw new Error(`${called(kept)} is protected and cannot be deleted`);
    for (const entry of entries.toReversed()) {
      if (entry.status !== "toRecreate") {
        operations.push(`delete ${called(entry)}`);
        await this.#delete(entry);
      }
      state.forget(entry);
    }
  }

  async #delete(entry: Entry): Promise<void> {
    if (this.#way.isPreview || entry.retain) return;
    this.at = called(entry);
    await this.#during("deleting", entry, () => this.#host.delete(entry.id, entry.outputs));
  }

  async #create(declaration: Declaration, inputs: Props, operations: Operations, keep: (entry: Entry) => void): Promise<void> {
    operations.push(`create ${called(declaration)}`);
    if (this.#way.isPreview) {
      keep(entryOf(declaration, inputs, { id: unknown, outputs: { ...inputs, [isNew]: true }, unfinished: false }));
      return;
    }
    const begun = entryOf(declaration, inputs, { id: "", outputs: {}, unfinished: false });
    await this.#keeping(
      () => this.#during("creating", begun, () => this.#host.create(inputs)),
      (made) => {
        keep(entryOf(declaration, inputs, made));
      },
    );
  }

  async #update(state: State, declaration: Declaration, before: Entry, inputs: Props, operations: Operations): Promise<void> {
    operations.push(`update ${called(declaration)}`);
    const { id, outputs } = before;
    if (this.#way.isPreview) {
      state.see(entryOf(declaration, inputs, { id, outputs: { ...outputs, ...inputs }, unfinished: false }), before);
      return;
    }
    await this.#keeping(
      async () => ({ id, ...(await this.#during("updating", before, () => this.#host.update(id, outputs, inputs))) }),
      (made) => {
        state.see(entryOf(declaration, inputs, made), before);
      },
    );
  }

  /** What was reached goes into the state, even after a failure. */
  async #keeping(work: () => Promise<Made>, keep: (made: Made & { readonly unfinished: boolean }) => void): Promise<void> {
    try {
      const { id, outputs } = await work();
      this.answers.push(outputs);
      keep({ id, outputs: inClear(outputs), unfinished: false });
    } catch (error) {
      if (error instanceof InitFailed) {
        this.answers.push(error.properties);
        keep({ id: error.id, outputs: inClear(error.properties), unfinished: true });
      }
      throw error;
    }
  }

  async #checked(olds: Props, args: Props): Promise<Props> {
    const { inputs, failures } = await this.#host.check(olds, args);
    this.answers.push(inputs);
    if (failures.length > 0 && !this.#way.isHeedless) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    if (failures.length > 0) await this.#forget(args, olds);
    return inClear(inputs);
  }

  get #timeouts(): Props {
    return this.#limit === undefined ? {} : { __timeouts: { create: this.#limit, update: this.#limit, delete: this.#limit } };
  }

  /**
   * Lets the provider forget what it has refused, which keeps it from writing.
   *
   * @param olds what is refused, as it was: a plan of what no check has passed is taken for that of a refresh
   */
  async #forget({ __urn: urn }: Props, olds: Props = {}): Promise<void> {
    this.refusals++;
    if (this.#way.isPreview) return;
    await this.#host.forget(this.#way.isForgotten ? undefined : String(urn));
    if (!this.#way.isForgotten && Object.keys(olds).length > 0) await this.#host.check(olds, { ...olds, __urn: urn });
  }

  #argsOf(state: State, declaration: Declaration): Props {
    const outputsOf = (name: string): Props => {
      const found = state.entries.find((entry) => called(entry) === name && entry.status === "live");
      if (!found) throw new Error(`${called(declaration)} needs ${name}, which is not there`);
      return found.outputs[isNew] === true ? withUnknown(found.outputs) : found.outputs;
    };
    const args = Object.entries(declaration.args).map(([key, value]) => [key, resolved(value, outputsOf)] as const);
    const imported = declaration.import === undefined ? {} : { __adopt: declaration.import };
    const of = referencesIn(declaration.args).map(([path, name]) => [path, urnOf(name)] as const);
    const relations = {
      __of: Object.fromEntries(of),
      __after: (declaration.dependsOn ?? []).map(urnOf),
      ...(declaration.first === undefined ? {} : { __first: declaration.first }),
    };
    const kept = declaration.retain ? { __kept: true } : {};
    const known = { __provider: stub(declaration.type), __urn: urnOf(called(declaration)), ...relations, ...kept };
    return { ...Object.fromEntries(args), ...known, ...this.#timeouts, ...imported };
  }
}

function nextId(id: string): string {
  return `${id.slice(0, -12)}${(Number(id.slice(-12)) + 1).toString().padStart(12, "0")}`;
}

/** In the outputs of what a preview would create. */
const isNew = "__new";

/** What a preview does not know of a new resource. */
function withUnknown(outputs: Props): Props {
  return new Proxy(outputs, { get: (target, key): unknown => (Reflect.has(target, key) ? Reflect.get(target, key) : unknown) });
}

/** What values are outputs of others, by path, such as `native.subnetIds.0`. */
function referencesIn(value: unknown, path: readonly string[] = []): readonly (readonly [path: string, of: string])[] {
  if (value instanceof Reference) return value.part ? [] : [[path.join("."), value.of]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => referencesIn(inner, [...path, key]));
}

type Made = Pick<Entry, "id" | "outputs">;
