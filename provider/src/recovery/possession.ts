import type { Cloud } from "@container-platform/sdk";
import type { Context } from "../lifecycle/context.ts";
import type { Kind } from "../definition/definition.ts";
import { nameOf } from "../schema/urn.ts";
import { IntentLogEntry } from "./intent-log.ts";
import { ownerIn, ownerKey, ownerOf, stackIn, stackKey } from "./ownership-tags.ts";
import type { RunSession } from "./run-session.ts";
import type { Props } from "../schema/values.ts";
import { recently } from "../definition/recently.ts";

/** A resource of the program, its place, and the run. */
export interface Subject {
  readonly kind: Kind;
  /** Under which it is in the state, or is going to be. */
  readonly urn: string;
  /** Endpoint, region and account. */
  readonly place: readonly string[];
  readonly session: RunSession;
}

/** What the ownership tags say. */
interface Owner {
  readonly tag: string | undefined;
  readonly stack: string | undefined;
}

/**
 * To which resource of which program a live resource belongs. Its owner tag tells: the hash of the URN that is in the outputs. Whoever
 * imports it writes the tag, and it is not deleted in the name of any other resource from then on. For a kind that takes no tags, a
 * file in the user's state folder tells the same, on this machine only.
 */
export class Possession {
  readonly #kind: Kind;
  readonly #urn: string;
  readonly #place: readonly string[];
  readonly #session: RunSession;

  constructor({ kind, urn, place, session }: Subject) {
    this.#kind = kind;
    this.#urn = urn;
    this.#place = place;
    this.#session = session;
  }

  /** Notes that this resource is imported, or renamed. The owner tag is written by the reconciliation. */
  noteTaken(id: string): void {
    if (this.#kind.tagsInput === undefined) this.#note(id).write(ownerOf(this.#urn));
  }

  /** Notes that the live resource is a new one, or gone: what was noted of an earlier one does not hold. */
  forget(id: string): void {
    if (this.#kind.tagsInput === undefined) this.#note(id).remove();
  }

  /** Whether another resource is known to have it, without asking the platform. */
  isOthers(id: string): boolean {
    if (this.#session.graph.otherOwner(this.#kind, id, this.#urn) !== undefined) return true;
    const owner = this.#kind.tagsInput === undefined ? this.#note(id).read() : undefined;
    return owner !== undefined && owner !== ownerOf(this.#urn);
  }

  /** The URN of a resource of the same stack that has it with another `Provider`, if its owner is written down as another one. */
  async holderElsewhere(cloud: Cloud, id: string): Promise<string | undefined> {
    const parts = this.#kind.id.parts(id);
    if (!parts || this.#urn === "") return undefined;
    const live = this.#kind.tagsInput === undefined ? undefined : await this.#kind.read(cloud, parts);
    const owner = live && ownerIn(live);
    if (this.#kind.tagsInput !== undefined && (owner === undefined || owner === ownerOf(this.#urn))) return undefined;
    return this.#session.heldElsewhere(this.#kind, id, this.#urn, this.#place);
  }

  /** Why a live resource is not to be deleted in the name of this one; `undefined` if it may be. */
  async whyKept(context: Context, id: string, known: Props): Promise<string | undefined> {
    const taken = this.#session.takenOver(this.#kind, id);
    if (taken && taken.urn !== this.#urn) return `${id} is not deleted: "${nameOf(taken.urn)}" has taken it over in this same run`;
    if (taken) return `${id} was taken over in this same run and is therefore not deleted: ${taken.remedy}`;
    const other = this.#session.graph.otherOwner(this.#kind, id, this.#urn);
    if (other !== undefined) return `${id} is not deleted: "${nameOf(other)}" of this program has it, too`;
    // States of early versions do not tell their URN.
    if (this.#urn === "") return undefined;
    const owner = await this.#owner(context.cloud, id, known);
    if (owner?.tag === undefined || owner.tag === ownerOf(this.#urn)) return undefined;
    const what =
      this.#kind.tagsInput === undefined
        ? "on this machine, another resource has imported it, of this or another stack"
        : `its tag ${ownerKey} names ${await this.#ownerCalled(owner.tag, owner.stack)}`;
    return `${id} is not deleted: ${what}. "${nameOf(this.#urn)}" only leaves the state: if nobody needs ${id}, delete it on the platform`;
  }

  async #ownerCalled(owner: string, stack: string | undefined): Promise<string> {
    const saved = await this.#session.saved(this.#urn);
    return this.#session.otherStacks.ownerCalled(owner, stack, { urn: this.#urn, saved });
  }

  /** The owner that is written down, if any, and its stack. */
  async #owner(cloud: Cloud, id: string, known: Props): Promise<Owner | undefined> {
    const { owned, tagsInput } = this.#kind;
    if (tagsInput === undefined) return { tag: this.#note(id).read(), stack: undefined };
    if (typeof owned === "object" && "tagged" in owned) {
      const listed = await owned.tagged(cloud, known, { key: ownerKey, value: ownerOf(this.#urn) });
      const found = listed.find((one) => one.id === id);
      if (found) return { tag: found.tags?.[ownerKey], stack: found.tags?.[stackKey] };
    }
    const live = await this.#kind.read(cloud.tolerating(recently), known);
    return live && { tag: ownerIn(live), stack: stackIn(live) };
  }

  #note(id: string): IntentLogEntry {
    return new IntentLogEntry([...this.#place, this.#kind.type, id, "owner"]);
  }
}
