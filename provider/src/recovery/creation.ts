import { type Cloud, listed } from "@container-platform/sdk";
import type { Context } from "../lifecycle/context.ts";
import { AfterWriting } from "../definition/after-writing.ts";
import { nameOf } from "../schema/urn.ts";
import { idFromInputs } from "../definition/unique.ts";
import { aliasOf } from "../program/messages.ts";
import { inputsThatReplace } from "../lifecycle/changes.ts";
import { isRefused, passes, withTodo } from "../lifecycle/errors.ts";
import { type Created, EarlierCreation } from "./earlier-creation.ts";
import { CreationNote } from "./creation-note.ts";
import { IntentLogEntry } from "./intent-log.ts";
import type { Kind } from "../definition/definition.ts";
import { newOwnershipTags, ownerOf, stackOf, withOwnershipTags } from "./ownership-tags.ts";
import type { RunSession } from "./run-session.ts";
import { Possession, type Subject } from "./possession.ts";
import { isProps, type Props } from "../schema/values.ts";

/** How often a creation is tried whose answer is lost, and whose result has been deleted. */
const attempts = 3;

/**
 * One creation of a resource. It ends with exactly one resource, even if an earlier creation was interrupted: the engine or this process
 * was killed after the platform had created the resource, and before the engine had saved its id.
 *
 * **A kind that takes tags.** The resource is created with ownership tags: its owner, which is a hash of the URN, its stack, and the state
 * `pending`. When the engine ends its provider in the regular way, it has saved every id. The provider then sets the state of what it has
 * created to `confirmed`, fifty resources with one call.
 *
 * Before its first creation, a run lists everything in the region that is pending. A resource in this list is an orphan if it has this
 * owner, the engine has not asked about it, and neither this stack nor another one of the backend has saved it. It is taken over, and no
 * second one is created, if the state has begun it twice, now and before, or a note of this user's intent log says that it was begun. The
 * tags are on the platform, so this also works on another machine. Without such a proof, a run of another backend may be creating it.
 *
 * A replacement that the user forces begins with the creation: the engine has not asked about the old resource. That one is confirmed, or,
 * if its run was killed after the engine had saved it, in the state. So it is not taken for an orphan.
 *
 * **A kind that takes no tags.** The id follows from the inputs, and only one resource can have it. So the creation first reads that id.
 * If there is a resource, it belongs to somebody else, and the platform refuses to create it again. But if the intent log says that this
 * resource has begun to create it, it is taken over.
 *
 * **A kind whose creation returns an output that the platform does not tell again.** What an earlier creation has left behind is deleted,
 * and a new one is created.
 *
 * If a creation fails, the resource may have been created all the same. It is searched for at once, and its id is kept if it is found. If
 * the failure was a passing one, the run goes on with it.
 */
export class Creation {
  readonly #kind: Kind;
  readonly #urn: string;
  readonly #place: readonly string[];
  readonly #session: RunSession;
  readonly #possession: Possession;
  readonly #earlier: EarlierCreation;
  /** How many failed creations have left something that was deleted then. */
  #sweeps = 0;

  constructor(subject: Subject) {
    this.#kind = subject.kind;
    this.#urn = subject.urn;
    this.#place = subject.place;
    this.#session = subject.session;
    this.#possession = new Possession(subject);
    this.#earlier = new EarlierCreation(subject);
  }

  /** Whether an earlier run has begun to create a live resource. Of a kind with tags, these tell it. */
  hasBegun(id: string, live: Props): boolean {
    return isLogged(this.#kind) && (this.#begun() === id || Object.values(live).includes(this.#label));
  }

  /** The id of the resource that an earlier run has begun to create, unless another resource has imported that since. */
  #begun(): string | undefined {
    const begun = this.#entry.read();
    return begun === undefined || this.#possession.isOthers(begun) ? undefined : begun;
  }

  get #note(): CreationNote {
    return new CreationNote({ kind: this.#kind, place: this.#place, urn: this.#urn, session: this.#session });
  }

  /** Created only when needed: few kinds have an entry, and a plan should cost nothing. */
  get #entry(): IntentLogEntry {
    const about = () => ({ stack: stackOf(this.#urn), owner: ownerOf(this.#urn), type: this.#kind.type, place: this.#place });
    return new IntentLogEntry([...this.#place, this.#urn], about);
  }

  /** Notes that the engine has this resource in its state. */
  noteInState(id: string): void {
    this.#session.noteInState(this.#kind, id);
    this.#note.noteInState(id);
    if (isLogged(this.#kind) && this.#entry.read() === id) this.#entry.remove();
  }

  /** Takes over the resource that an earlier creation left behind, or creates a new one. */
  async carryOut(context: Context, desired: Props): Promise<Created> {
    const { isNoted } = this.#earlier;
    const created = await this.#carriedOut(context, desired);
    // Only where an earlier run is known: reading the state takes half a second.
    if (isNoted || created.isTakenOver) await this.#earlier.noteSettled().catch(() => undefined);
    return created;
  }

  async #carriedOut(context: Context, desired: Props): Promise<Created> {
    const { owned } = this.#kind;
    if (owned === "key") return this.#underKey(context, desired, this.#kind.id.of(desired));
    if (isSwept(owned)) {
      this.#earlier.refuseBesides();
      const noted = this.#begun();
      const begun = noted === undefined || (await this.#earlier.holder(noted)) === undefined ? noted : undefined;
      const unsaved = begun === undefined ? undefined : this.#kind.id.parts(begun);
      if (unsaved || !this.#isInNew(desired)) await this.#sweep(context.cloud, desired, unsaved);
      return this.#createAnew(context, desired);
    }
    // Of what the tag product keeps the tags, all are listed at once: also those that stand elsewhere, and are in the way.
    const orphan = typeof owned === "object" && this.#isInNew(desired) ? undefined : await this.#earlier.takenOver(context, desired);
    return orphan ?? this.#create(context, withOwnershipTags(this.#kind, desired, newOwnershipTags(this.#urn)));
  }

  /** Whether it is to stand in what this run has made, where no earlier run has left anything. */
  #isInNew(desired: Props): boolean {
    const { within } = this.#kind;
    const outer = within && desired[within.by];
    if (!within || typeof outer !== "string") return false;
    return this.#session.graph.isCreated(outer) && !this.#session.takenOver(within.kind, outer);
  }

  /** Records the ID of the created resource, before the draft note, by which it is found until then, is removed. */
  noteCreated(id: string): void {
    if (isSwept(this.#kind.owned)) this.#entry.write(id);
  }

  /** Records that the resource is returned to Pulumi, finished or not. */
  async returning(outs: Promise<Props>, cloud: Cloud, id: string, desired: Props): Promise<Props> {
    await Promise.allSettled([outs]);
    this.#noteReturned(id);
    if (!isLogged(this.#kind)) this.#confirmAtEnd(cloud, id, desired);
    return outs;
  }

  /** Notes that the resource is returned to the engine, finished or not. */
  #noteReturned(id: string): void {
    const kind = this.#kind;
    this.#session.noteInState(kind, id);
    this.#session.graph.recordCreated(this.#urn, id);
    if (isLogged(kind)) this.#session.removeAtEnd(this.#entry);
    this.#note.write(id);
    this.#session.removeAtEnd(this.#note.entry);
  }

  #confirmAtEnd(cloud: Cloud, id: string, props: Props): void {
    const kind = this.#kind;
    const live = { ...props, ...kind.id.parts(id), ownershipTags: newOwnershipTags(this.#urn) };
    this.#session.confirmAtEnd({ cloud, kind, id, live });
  }

  /** Creates what is of no use if its answer is lost. If that was seen, and has been deleted, another one is created. */
  async #createAnew(context: Context, desired: Props): Promise<Created> {
    for (let attempt = 1; ; attempt++) {
      const before = this.#sweeps;
      try {
        return await this.#create(context, desired);
      } catch (error) {
        if (attempt === attempts || this.#sweeps === before || !passes(error)) throw error;
      }
    }
  }

  /** Calls the platform. `begun`: the id that the resource will have, if it is known before the call. */
  async #create(context: Context, desired: Props, begun?: string): Promise<Created> {
    if (begun !== undefined) this.#entry.write(begun);
    this.#note.write();
    try {
      const created = await this.#kind.create(context.cloud, desired, this.#label);
      const known = isProps(created) ? created : {};
      refuseNameless(this.#kind, { ...desired, ...known });
      return { known };
    } catch (raised) {
      const refused = isRefused(raised);
      const error: unknown = raised instanceof AfterWriting ? raised.cause : raised;
      // If the search fails as well, the next creation searches again.
      const found = await this.#createdDespiteError(context, desired, { begun, refused }).catch(() => undefined);
      if (found === undefined || !(error instanceof Error)) {
        if (error instanceof Nameless) throw new Error(withTodo(error, namelessRemedy), { cause: error });
        throw (await this.#conflict(context, desired, error)) ?? error;
      }
      const known = this.#kind.id.parts(found) ?? {};
      if (!passes(error) && !(error instanceof Nameless)) return { known, failure: error };
      const answered = passes(error) ? `the platform answered ${error.code} (request ${error.requestId})` : error.message;
      context.note(`${answered}, but it has created ${found}: the run goes on with it`);
      return { known };
    }
  }

  /** What a failed creation says instead, if its id follows from its inputs and another resource of the same stack has that. */
  async #conflict(context: Context, desired: Props, error: unknown): Promise<Error | undefined> {
    const id = idFromInputs(this.#kind, desired);
    if (id === undefined || this.#kind.owned === "key") return undefined;
    const live = await this.#earlier.look(context, id, desired).catch(() => undefined);
    return live && this.#heldByOther(error, id);
  }

  /** The id of the resource that exists although its creation failed; `undefined` if there is none. */
  async #createdDespiteError(
    context: Context,
    desired: Props,
    { begun, refused }: { begun: string | undefined; refused: boolean },
  ): Promise<string | undefined> {
    const { owned } = this.#kind;
    if (refused) {
      // What is there all the same was made by somebody else, between the look and the creation.
      if (isLogged(this.#kind)) this.#entry.remove();
      this.#note.entry.remove();
    } else if (begun !== undefined) {
      if (await this.#earlier.look(context, begun, desired)) return begun;
    } else if (isSwept(owned)) this.#sweeps += Number(await this.#sweep(context.cloud, desired));
    else if (owned !== "key") {
      this.#session.orphans.forget();
      return (await this.#earlier.orphans(context, desired)).find(({ fixed }) => fixed.length === 0)?.id;
    }
    return undefined;
  }

  /** The description of a resource without tags until it is finished. It is the same for every creation of one resource. */
  get #label(): string {
    return `being made by Pulumi (${ownerOf(this.#urn).slice(0, 8)})`;
  }

  /** Deletes what an earlier creation has left, and what is `unsaved`. Returns whether there was any. */
  async #sweep(cloud: Cloud, desired: Props, unsaved?: Props): Promise<boolean> {
    const { owned } = this.#kind;
    return isSwept(owned) && owned.sweep(cloud, desired, { draftNote: this.#label, unsaved });
  }

  async #underKey(context: Context, desired: Props, id: string): Promise<Created> {
    const live = await this.#earlier.look(context, id, desired);
    const begun = this.#begun();
    if (begun !== undefined && begun !== id)
      context.warn(`${begun} was begun by a run that was ended before it could save it: delete this ${this.#kind.type} if nobody needs it`);
    if (live && begun === id) return this.#earlier.keyTakenOver(context, id, inputsThatReplace(this.#kind, desired, live));
    try {
      return await this.#create(context, desired, live ? undefined : id);
    } catch (error) {
      if (!live && !(isRefused(error) && (await this.#earlier.look(context, id, desired)))) throw error;
      const held = await this.#heldByOther(error, id);
      const todo = `It was there before: to take it over, add { import: "${id}" } to this resource's options`;
      throw held ?? new Error(withTodo(error, todo), { cause: error });
    }
  }

  /** The error of a creation whose id another resource of the same stack has; `undefined` if none is known to. */
  async #heldByOther(error: unknown, id: string): Promise<Error | undefined> {
    const other = await this.#session.otherInState(this.#kind, id, this.#urn, this.#place);
    if (other === undefined) return undefined;
    const [one, that] = [nameOf(this.#urn), nameOf(other)];
    const todo = `"${that}" of this same stack has it: if "${one}" is another name for "${that}", write ${aliasOf(other)} into the options of "${one}"; otherwise take "${that}" out of the program, run \`pulumi up\`, then add "${one}"`;
    return new Error(withTodo(error, todo), { cause: error });
  }
}

/** A creation whose response has no ID. */
class Nameless extends Error {}

const namelessRemedy =
  "Run `pulumi up` again: the provider finds the created resource by its tags. If this repeats, report it to the platform operator";

/** @throws Nameless for an id that is not there in full: what the platform has made then has to be searched for */
function refuseNameless({ id }: Kind, known: Props): void {
  if (id.parts(id.of(known))) return;
  const lacking = id.names.filter((part) => known[part] === undefined || known[part] === "");
  throw new Nameless(`the platform's answer has no ${listed(lacking)}`);
}

/** Whether a kind takes no tags, so that the intent log records who creates it. */
function isLogged({ owned }: Kind): boolean {
  return owned === "key" || isSwept(owned);
}

/** Whether what an earlier creation has left behind is of no use, and deleted. */
function isSwept(owned: Kind["owned"]): owned is Extract<Kind["owned"], { sweep: unknown }> {
  return typeof owned === "object" && "sweep" in owned;
}
