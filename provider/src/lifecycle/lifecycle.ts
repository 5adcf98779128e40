import { type Context, firstLook, recently } from "../definition/context.ts";
import { Deletion } from "./deletion/deletion.ts";
import { checkImport, knownBeforeImport, sayImport, withoutImport } from "./import/import-check.ts";
import { isGone } from "../definition/changes.ts";
import { refreshed } from "./refreshed.ts";
import { asSaid, inputsAtFailure, remarksAfter, withDrift } from "./drift.ts";
import { Blockers, cascadeWarning } from "./deletion/blockers.ts";
import { requireNoKeptContents, requireUnprotectedParent } from "./deletion/protected-parent.ts";
import type { Node } from "../definition/invariants.ts";
import { evaluate } from "../program/evaluate.ts";
import { managedElsewhere } from "../program/messages.ts";
import { worldOf } from "./world.ts";
import { Reconciliation, unreadyState } from "./reconcile.ts";
import { inputsLeftToPlatform, type Plan } from "./plan.ts";
import { sentenceAbout, Terminal, Unfinished } from "./errors.ts";
import { secondsOf } from "../definition/duration.ts";
import { keptPrivateInputs, layout, leftToPlatform, privateStateOf, unfinishedState } from "../schema/private-state.ts";
import type { Kind } from "../definition/definition.ts";
import { Creation } from "../ownership/creation.ts";
import { ownerOfOtherProvider, reasonToKeep } from "../ownership/owner.ts";
import type { Subject } from "../ownership/session.ts";
import { targetOf } from "../ownership/state.ts";
import { newOwnershipTags, noteInput, separatingOwnershipTags } from "../ownership/tags.ts";
import type { RunSession } from "./run-session.ts";
import { cleanProps, pick, type Props } from "../schema/values.ts";
import { nextDeletion, Poll } from "./poll.ts";
import { untilPossible } from "./prerequisite.ts";
import { type Here, refuseOtherHome } from "./home.ts";

const defaultSeconds = 600;

/** The operation that a reconciliation is part of. */
interface Occasion {
  readonly fresh: boolean;
  /** Whether it was created just now. */
  readonly isNew?: boolean;
  readonly renew: boolean;
  readonly doing: string;
  /** The old outputs of an update. */
  readonly olds?: Props;
  /** Whether the resource is imported or renamed, so that its owner tag has to be written. */
  readonly taken?: boolean;
  /** The error of a creation that created the resource all the same. The resource is then only saved as it is. */
  readonly failure?: Error | undefined;
}

/** Creates, reads, updates, deletes and imports resources of one kind. */
export class Lifecycle {
  readonly #kind: Kind;
  readonly #here: Here;
  readonly #session: RunSession;
  readonly #inputs: readonly string[];
  readonly #outputs: readonly string[];

  constructor(kind: Kind, here: Here, session: RunSession) {
    this.#kind = separatingOwnershipTags(kind);
    this.#here = here;
    this.#session = session;
    this.#inputs = Object.keys(kind.inputs.shape);
    this.#outputs = Object.keys(kind.outputs.shape);
  }

  /** @throws if the resource lives at another endpoint, or in another region or account, than this run works in */
  refuseOtherHome(olds: Props): void {
    refuseOtherHome(this.#kind.type, this.#here, privateStateOf(olds).__home);
  }

  /** Notes what follows from a request for a plan: the resource is in the engine's state, and may have to detach from another one. */
  notePlanned(id: string, olds: Props, news: Props): void {
    this.#session.inState.note(this.#kind, id);
    this.#session.holders.note(this.#kind, id, this.#known(id, olds), news);
  }

  /** Notes that the program has a resource. */
  noteChecked(context: Context, olds: Props, news: Props): void {
    this.#session.orphans.noteChecked(context, this.#subject(news), Object.keys(olds).length === 0);
  }

  /** Adds a resource to the program's graph. Returns the messages of the rules that it violates. */
  async refusals(context: Pick<Context, "cloud" | "warn">, olds: Props, news: Props, inputs: Props): Promise<readonly string[]> {
    const node = this.#session.graph.recordCheck(this.#kind, olds, news, inputs);
    return this.#evaluated(context, node, "check");
  }

  /** Adds the plan of a resource to the program's graph. @throws Error if it violates a rule */
  async refuseChange(context: Context, id: string, { olds, news, plan }: { olds: Props; news: Props; plan: Plan }): Promise<void> {
    const { graph } = this.#session;
    const node = graph.recordDiff(this.#kind, id, olds, news, plan);
    // A refresh compares without a program.
    const refusals = node ? await this.#evaluated(context, node, graph.has(node.urn) ? "diff" : "cascade") : [];
    if (refusals.length > 0) throw new Error(refusals.join("\n"));
  }

  #evaluated(context: Pick<Context, "cloud" | "warn">, node: Node<Kind>, when: "check" | "diff" | "cascade"): Promise<readonly string[]> {
    return evaluate(this.#session.graph, node, worldOf(this.#session, context, targetOf(this.#here.home)), when);
  }

  #subject(props: Props): Subject<RunSession> {
    return { kind: this.#kind, urn: privateStateOf(props).__urn, target: targetOf(this.#here.home), session: this.#session };
  }

  async create(context: Context, news: Props): Promise<{ readonly id: string; readonly outs: Props }> {
    const { __adopt: existing, __urn: urn } = privateStateOf(news);
    this.#session.noteChange(urn);
    this.#session.graph.creating.add(urn);
    if (existing !== undefined) return { id: existing, outs: await this.#import(context, existing, news) };
    const desired = pick(news, this.#inputs);
    const created = await this.#explained(`creating ${this.#kind.type}`, async () => {
      await untilPossible(this.#kind, context, new Poll(context, this.#limit("create", news)), desired);
      return new Creation(this.#subject(news), context, desired).carryOut();
    }).catch((error: unknown) => {
      throw this.#session.deleted.explaining(error, desired);
    });
    const known = { ...desired, ...pick(created.known, [...this.#kind.id.names, ...this.#outputs]) };
    const id = this.#kind.id.of(known);
    const { isRecovered = false, failure } = created;
    const occasion = { fresh: true, isNew: !isRecovered, renew: false, doing: "creating", failure };
    const outs = this.#reconcile(context, id, known, news, occasion).finally(() => {
      this.#noteCreated(context, urn, id, desired);
    });
    return { id, outs: await outs };
  }

  /** Records that a resource is returned to Pulumi, finished or not. */
  #noteCreated(context: Context, urn: string, id: string, desired: Props): void {
    this.#session.inState.note(this.#kind, id);
    this.#session.graph.recordCreated(urn, id);
    const isPending = this.#kind.tagsInput !== undefined || noteInput(this.#kind, desired) !== undefined;
    if (isPending) this.#confirmAtEnd(context, id, { ...desired, ownershipTags: newOwnershipTags(urn, undefined) });
  }

  async update(context: Context, id: string, olds: Props, news: Props): Promise<{ readonly outs: Props }> {
    this.#session.noteChange(privateStateOf(news).__urn);
    this.refuseOtherHome(olds);
    this.#session.inState.note(this.#kind, id);
    const { __urn: before, __unborn: fresh, __unmarked: isUnmarked } = privateStateOf(olds);
    const taken = isUnmarked || (before !== "" && before !== privateStateOf(news).__urn);
    const known = this.#known(id, olds);
    const renew = this.#kind.due?.(known, context.cloud.now()) !== undefined;
    return { outs: await this.#reconcile(context, id, known, news, { fresh, renew, taken, doing: "updating", olds }) };
  }

  /** The live resource, or `undefined` if there is none. `inputs` are spelt as in the program where both spellings mean the same. */
  async read(context: Context, id: string, props: Props): Promise<{ readonly inputs: Props; readonly props: Props } | undefined> {
    this.refuseOtherHome(props);
    const state = privateStateOf(props);
    const known = this.#known(id, props);
    const cloud = context.cloud.tolerating(recently);
    const live = await this.#explained(`reading ${this.#kind.type} ${id}`, () => this.#kind.read(cloud, known));
    if (!live || isGone(this.#kind, live)) {
      if (state.__get) throw new Error(`there is no ${this.#kind.type} ${id} in ${this.#here.home.region}`);
      this.#session.deleted.noteMissing(this.#kind, id);
      return undefined;
    }
    if (state.__get && state.__home === undefined) this.#session.graph.recordRead(this.#kind, id, state.__urn);
    if (!state.__get) {
      this.#session.inState.note(this.#kind, id);
      this.#confirmAtEnd(context, id, live);
    }
    const isReady = live.lacking === undefined && unreadyState(this.#kind, live) === undefined;
    return refreshed(this.#kind, this.#here.home, { props, known, live, isReady });
  }

  async delete(context: Context, id: string, props: Props): Promise<void> {
    this.refuseOtherHome(props);
    const known = this.#known(id, props);
    const reason = await this.#explained(`looking at ${this.#kind.type} ${id}, which is to be deleted`, () =>
      reasonToKeep(this.#subject(props), context.cloud, id, known),
    );
    if (reason === undefined) {
      await this.#explained(`deleting ${this.#kind.type} ${id}`, () => {
        requireNoKeptContents(this.#subject(props), id);
        return requireUnprotectedParent(context.cloud, this.#subject(props), id, known);
      });
      this.#session.inState.note(this.#kind, id);
      await this.#session.orphans.requireNone(context, this.#subject(props), id);
      const cascade = await cascadeWarning(context.cloud, this.#subject(props), id);
      if (cascade !== undefined) context.warn(cascade);
      await this.#delete(context, id, known, props);
    } else context.warn(reason);
  }

  async #delete(context: Context, id: string, known: Props, props: Props): Promise<void> {
    this.#session.noteDeletion(this.#kind, id, privateStateOf(props).__urn);
    const poll = new Poll(context, this.#limit("delete", props), undefined, nextDeletion);
    await this.#explained(`deleting ${this.#kind.type} ${id}`, async () => {
      const blockers = new Blockers(context, poll, this.#subject(props), id);
      const task = { kind: this.#kind, context, poll, known, failed: privateStateOf(props).__failed !== undefined, blockers };
      await this.#session.holders.whileDetached(context, id, poll, () => new Deletion(task).carryOut());
    });
  }

  /**
   * Why the resource of the option `import` cannot be imported, one sentence each. Warns of what the import changes. A resource that is
   * in the state (`olds`) has been imported already.
   */
  async refusalsToImport(context: Pick<Context, "cloud" | "show" | "warn">, olds: Props, news: Props): Promise<readonly string[]> {
    const { __adopt: id } = privateStateOf(news);
    if (id === undefined || Object.keys(olds).length > 0) return [];
    const holder = await ownerOfOtherProvider(this.#subject(news), context.cloud.tolerating(firstLook), id);
    if (holder !== undefined) return [managedElsewhere(id, holder)];
    const found = await this.#explained(`looking at ${this.#kind.type} ${id}, which is to be imported`, () =>
      checkImport(this.#kind, { ...context, cloud: context.cloud.tolerating(firstLook) }, id, news, this.#here.home.region),
    );
    sayImport(context, this.#session, { id, urn: privateStateOf(news).__urn }, found);
    return found.refusals;
  }

  /** Imports a resource that exists already, and changes it in place. It is refused if a difference needs a replacement. */
  async #import(context: Context, id: string, news: Props): Promise<Props> {
    const found = await this.#explained(`importing ${this.#kind.type} ${id}`, () =>
      checkImport(this.#kind, { ...context, cloud: context.cloud.tolerating(recently) }, id, news, this.#here.home.region),
    );
    if (found.refusals.length > 0)
      throw new Error(`${this.#kind.type} ${id} cannot be imported as it is written: ${found.refusals.join("; ")}`);
    const urn = privateStateOf(news).__urn;
    sayImport(context, this.#session, { id, urn }, found);
    this.#session.inState.noteAdopted(this.#kind, id, { urn, remedy: withoutImport });
    const known = knownBeforeImport(this.#kind, id, news);
    return this.#reconcile(context, id, known, news, { fresh: false, renew: false, taken: true, doing: "importing" });
  }

  /** Makes the resource as desired, and returns the outputs to save. */
  async #reconcile(context: Context, id: string, known: Props, news: Props, occasion: Occasion): Promise<Props> {
    const { fresh, isNew = false, renew, taken = false, doing, failure, olds } = occasion;
    const desired = { ...pick(news, this.#inputs), ...this.#partsOf(id) };
    const limit = this.#limit(fresh ? "create" : "update", news);
    const { __urn: urn, __veiled: secrets } = privateStateOf(news);
    const said = fresh || !olds ? undefined : asSaid(this.#kind, olds);
    const task = { kind: this.#kind, context, id, desired, said, secrets, limit, fresh, isNew, renew, urn, isTaken: taken };
    const reconciliation = new Reconciliation(task, known);
    const left = inputsLeftToPlatform(this.#kind, news);
    const remembered = { ...keptPrivateInputs(news), __v: layout, __home: this.#here.home, ...leftToPlatform(left) };
    try {
      if (failure) throw failure;
      const live = await reconciliation.settle();
      if (!fresh) this.#confirmAtEnd(context, id, live);
      const inputs = pick(news, this.#inputs);
      const kept = fresh ? inputs : withDrift(this.#kind, inputs, live, secrets);
      if (!fresh) for (const remark of this.#session.unsaid(id, remarksAfter(this.#kind, id, news, kept, live))) context.note(remark);
      return cleanProps({ ...pick(live, this.#outputs), ...pick(live, left), ...kept, ...remembered });
    } catch (error) {
      // Of a creation and an import, the live inputs are saved.
      const inputs = said === undefined ? {} : inputsAtFailure(this.#kind, pick(news, this.#inputs), said, reconciliation.reached, secrets);
      throw this.#unfinished(error, id, reconciliation, { fresh, doing, properties: { ...remembered, ...inputs } });
    }
  }

  /** The error for a resource that exists and is not as desired, with the properties to save. */
  #unfinished(
    error: unknown,
    id: string,
    { reached, isMarked }: Reconciliation,
    { fresh, doing, properties }: Pick<Occasion, "fresh" | "doing"> & { readonly properties: Props },
  ): Unfinished {
    const reason = sentenceAbout(error, `${doing} ${this.#kind.type} ${id}`, this.#kind.hints);
    const failed = fresh && error instanceof Terminal ? error.why : undefined;
    const unfinished = unfinishedState(fresh, failed, isMarked);
    return new Unfinished(reason, id, cleanProps({ ...reached, ...unfinished, ...properties }));
  }

  #confirmAtEnd({ cloud }: Context, id: string, live: Props): void {
    this.#session.inState.confirmAtEnd({ cloud, kind: this.#kind, id, live: { ...live, ...this.#partsOf(id) } });
  }

  async #explained<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new Error(sentenceAbout(error, doing, this.#kind.hints), { cause: error });
    }
  }

  /** The inputs and outputs in the state, and the parts of the id. */
  #known(id: string, props: Props): Props {
    return { ...pick(props, [...this.#inputs, ...this.#outputs]), ...this.#partsOf(id) };
  }

  #partsOf(id: string): Props {
    const parts = this.#kind.id.parts(id);
    if (!parts) throw new Error(`${id} is no id of a ${this.#kind.type}: it looks like ${this.#kind.id.looks}`);
    return parts;
  }

  /** Seconds that an operation may take. */
  #limit(verb: "create" | "update" | "delete", props: Props): number {
    const { [verb]: given } = privateStateOf(props).__timeouts;
    return (given === undefined ? undefined : secondsOf(given)) ?? this.#kind.seconds?.[verb] ?? defaultSeconds;
  }
}
