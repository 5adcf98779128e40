import type { Context } from "../lifecycle/context.ts";
import { inputsThatReplace } from "../lifecycle/changes.ts";
import { isGone } from "../lifecycle/gone.ts";
import type { Kind } from "../definition/definition.ts";
import { recently } from "../definition/recently.ts";
import type { Props } from "../schema/values.ts";
import { CreationNote } from "./creation-note.ts";
import { isAt } from "./place.ts";
import { isPending, ownerKey, ownerOf, pending, stackOf, stateKey } from "./ownership-tags.ts";
import type { Subject } from "./possession.ts";
import type { RunSession } from "./run-session.ts";
import type { SavedStack } from "./saved-resources.ts";
import { noteSettled } from "./settled-beginnings.ts";

/** The result of a creation. */
export interface Created {
  /** The known properties of the resource. */
  readonly known: Props;
  /** It is of an earlier run, and not as that one would have made it, perhaps. */
  readonly isTakenOver?: boolean;
  /** The call failed, but the resource exists. */
  readonly failure?: Error;
}

/** What an earlier run has created of a resource, and was ended before the engine could save it. */
export class EarlierCreation {
  readonly #kind: Kind;
  readonly #urn: string;
  readonly #place: readonly string[];
  readonly #note: CreationNote;
  readonly #session: RunSession;

  constructor(subject: Subject) {
    this.#kind = subject.kind;
    this.#urn = subject.urn;
    this.#place = subject.place;
    this.#note = new CreationNote(subject);
    this.#session = subject.session;
  }

  /** The other stack that has what an earlier run has begun, in words. Where the backend's stacks cannot be read, none is known. */
  holder(id: string): Promise<string | undefined> {
    const { otherStacks } = this.#session;
    return otherStacks.holding(stackOf(this.#urn), { type: this.#kind.type, id }, this.#place).catch(() => undefined);
  }

  /** Takes over what has the id that was begun. @throws if another stack has it, or inputs are `fixed` that differ: they cannot be changed in place */
  async keyTakenOver(context: Context, id: string, fixed: readonly string[]): Promise<Created> {
    this.refuseBesides();
    const holder = await this.holder(id);
    if (holder !== undefined)
      throw new Error(
        `${id} is there already, and ${holder} has it: take it out of one of the two programs, from that one with retainOnDelete`,
      );
    if (fixed.length === 0) return this.#takeOver(context, id);
    throw new Error(
      `${id} was made by a run that was ended before it could save it, and ${fixed.join(", ")} cannot be changed on it: delete this ${this.#kind.type} on the platform, or write it as it was`,
    );
  }

  /** Takes over a resource with tags; `undefined` if there is none that can be made as desired, and a warning about each other one. */
  async takenOver(context: Context, desired: Props): Promise<Created | undefined> {
    const orphans = await this.orphans(context, desired);
    const saved = orphans.length > 0 ? await this.#session.readSaved(this.#urn) : undefined;
    for (const { id, fixed } of orphans) {
      if (saved && this.#isIn(saved, id)) continue;
      if (fixed.length === 0) {
        this.#refuseUnproven(id, saved);
        return this.#takeOver(context, id);
      }
      context.warn(
        `${id} was made by a run that was ended before it could save it, and cannot be taken over, because ${fixed.join(", ")} cannot be changed on it: delete this ${this.#kind.type} if nobody needs it`,
      );
    }
    return undefined;
  }

  /** @throws if another run of this user creates it at this moment: what that makes is not left */
  refuseBesides(): void {
    if (this.#note.isOfRunBeside)
      throw new Error(
        `another run of this user is creating a ${this.#kind.type} for the same name in a stack of the same name, or the same run with the other kind of provider: wait until that has ended, or give one of the two another name`,
      );
  }

  /** Whether the engine has saved what is tagged as pending, as this resource or as another one. */
  #isIn({ resources }: SavedStack, id: string): boolean {
    return resources.some((one) => one.type === this.#kind.type && one.id === id && isAt(one, this.#place));
  }

  /**
   * What is tagged as pending is taken over only if it is known to be begun by a run of this very state, or of this user, that has ended:
   * another backend may have a stack of the same name, and another run may be creating it.
   *
   * @throws if that is not known
   */
  #refuseUnproven(id: string, saved: SavedStack | undefined): void {
    // The engine has saved the beginning of this very creation, too.
    const begun = saved?.begun.filter((one) => one.urn === this.#urn && one.token === this.#token && !one.isSettled) ?? [];
    if (begun.length > 1 || this.#note.isOfEarlierRun) return;
    const unknown = saved
      ? "the state of this stack does not know that an earlier run has begun it"
      : "`pulumi stack export`, which would tell whether an earlier run has begun it, cannot be run";
    throw new Error(
      `${id} bears the tags of this resource, and is not taken over: ${unknown}, nor does this user's intent log. A stack of the same name in another backend may have it, or be creating it. If none does, add { import: "${id}" } to this resource's options, or delete it on the platform`,
    );
  }

  get #token(): string {
    return this.#session.tokenOf(this.#kind.type);
  }

  /** Whether a run of this user has begun the creation, and has ended. */
  get isNoted(): boolean {
    return this.#note.isOfEarlierRun;
  }

  /** Notes that what earlier runs have begun is taken care of. */
  async noteSettled(): Promise<void> {
    const saved = await this.#session.readSaved(this.#urn);
    if (saved) noteSettled(saved, { urn: this.#urn, token: this.#token });
  }

  /** The resources that are pending, have this owner, and are not in the engine's state, nor in another stack. `fixed`: the inputs that cannot be changed in place. */
  async orphans(context: Context, desired: Props): Promise<readonly { readonly id: string; readonly fixed: readonly string[] }[]> {
    const unknown = (await this.#pending(context, desired)).filter((id) => !this.#session.isInState(this.#kind, id));
    const found = await Promise.all(unknown.map(async (id) => ({ id, live: await this.look(context, id, desired) })));
    const orphans = found.flatMap(({ id, live }) =>
      live && isPending(live) ? [{ id, fixed: inputsThatReplace(this.#kind, desired, live) }] : [],
    );
    const holders = await Promise.all(orphans.map(({ id }) => this.holder(id)));
    for (const [index, { id }] of orphans.entries())
      if (holders[index] !== undefined)
        context.warn(`${id} was made by an earlier run of a stack of this name, and ${holders[index]} has it now: it is not taken over`);
    return orphans.filter((_, index) => holders[index] === undefined);
  }

  /** The live resource; `undefined` if there is none. */
  async look(context: Context, id: string, desired: Props): Promise<Props | undefined> {
    const live = await this.#kind.read(context.cloud.tolerating(recently), { ...desired, ...this.#kind.id.parts(id) });
    return live && !isGone(this.#kind, live) ? live : undefined;
  }

  #takeOver(context: Context, id: string): Created {
    context.note(`takes over ${id}, which was made by a run that was ended before it could save it`);
    this.#session.noteTakenOver(this.#kind, id, { urn: this.#urn, remedy: "run `pulumi up` again" });
    return { known: this.#kind.id.parts(id) ?? {}, isTakenOver: true };
  }

  /** The ids of the resources that are tagged as pending and with this owner. */
  async #pending({ cloud, warn }: Context, desired: Props): Promise<readonly string[]> {
    const { owned } = this.#kind;
    const owner = ownerOf(this.#urn);
    if (typeof owned === "object" && "tagged" in owned) {
      const tagged = await owned.tagged(cloud.tolerating(recently), desired, { key: stateKey, value: pending });
      return tagged.filter(({ tags }) => tags?.[ownerKey] === owner).map(({ id }) => id);
    }
    const all = typeof owned === "string" ? await this.#session.orphans.ofKind(owned, cloud, warn) : [];
    return all.filter((one) => one.owner === owner).map(({ id }) => id);
  }
}
