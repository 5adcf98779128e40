import { type Cloud, listed } from "@container-platform/sdk";
import { AfterWriting, isRefused, passes, withTodo } from "../definition/failures.ts";
import { inputsThatReplace } from "../definition/changes.ts";
import { type Context, recently } from "../definition/context.ts";
import type { Kind } from "../definition/definition.ts";
import { isGone } from "../definition/gone.ts";
import { idFromInputs } from "../definition/unique.ts";
import { aliasOf, orphanCommand, withRemedies } from "../program/messages.ts";
import { nameOf } from "../schema/urn.ts";
import { isProps, type Props } from "../schema/values.ts";
import type { Session, Subject } from "./session.ts";
import { hasMark, isEmbedded, keyedCreates, savedUnder, type StackState, wasInterrupted } from "./state.ts";
import {
  isNoted,
  newOwnershipTags,
  isOwner,
  noteOn,
  type Ownership,
  ownerOf,
  ownershipIn,
  ownershipOf,
  pending,
  separatingOwnershipTags,
  stateKey,
  withOwnershipTags,
} from "./tags.ts";

/** How often the provider creates a resource whose secret was lost with the response. */
const attempts = 3;

/** The result of a creation. */
export interface Created {
  /** The known properties of the resource. */
  readonly known: Props;
  /** Whether an interrupted update created it. It may differ from the program. */
  readonly isRecovered?: boolean;
  /** The call failed, but the resource exists. */
  readonly failure?: Error;
}

/** A pending resource of this owner. */
interface Orphan extends Ownership {
  readonly id: string;
}

/**
 * One creation of a resource. It ends with exactly one resource, or fails and names the existing one, also if an earlier update was interrupted
 * after the platform had created the resource, and before Pulumi had saved its ID.
 *
 * - **A resource with tags** is recovered if it is pending, has this owner and a mark of this state, and is not in the state. Without the
 *   mark the creation fails: a stack of the same name in another backend may be creating it.
 * - **A resource whose ID consists of its inputs** is recovered if the state has two pending creates of it, this one and an earlier one.
 * - **A resource with a note** is of no use without the secret that only its creation returns. It is deleted and created again if the state has an
 *   earlier pending create of it with the mark in its note. Otherwise it is left and named: Pulumi may have saved it, and it may be retained.
 *
 * If a creation fails, and the platform may have created the resource, the provider searches for it at once.
 */
export class Creation {
  readonly #kind: Kind;
  readonly #urn: string;
  readonly #target: readonly string[];
  readonly #session: Session;

  constructor({ kind, urn, target, session }: Subject) {
    this.#kind = separatingOwnershipTags(kind);
    this.#urn = urn;
    this.#target = target;
    this.#session = session;
  }

  /** Recovers the resource of an interrupted update, or creates a new one. */
  async carryOut(context: Context, desired: Props): Promise<Created> {
    this.#session.state.noteCreating(this.#urn);
    const { owned } = this.#kind;
    if (owned === "key") return this.#keyed(context, desired, this.#kind.id.of(desired));
    if (isNoted(owned)) return this.#noted(context, desired);
    // The tag product lists all at once: also the resources in other parents.
    const isSearched = typeof owned === "string" || !this.#isInNewParent(desired);
    const search = isSearched ? this.#recovered(context, desired) : undefined;
    const [mark, recovered] = await Promise.all([this.#session.state.mark(this.#urn, context.warn), search]);
    return recovered ?? this.#create(context, withOwnershipTags(this.#kind, desired, newOwnershipTags(this.#urn, mark)));
  }

  /** Whether its parent was created in this update, so that no earlier one has created anything in it. */
  #isInNewParent(desired: Props): boolean {
    const { within } = this.#kind;
    const parent = within && desired[within.by];
    if (!within || typeof parent !== "string") return false;
    return this.#session.graph.isCreated(parent) && !this.#session.inState.adopted(within.kind, parent);
  }

  /** @throws Error for an orphan that may be another stack's, or that cannot become as desired */
  async #recovered(context: Context, desired: Props): Promise<Created | undefined> {
    const orphans = await this.#orphansOnceListed(context, desired);
    const state = orphans.length === 0 ? undefined : await this.#session.state.now(this.#urn);
    for (const { id, mark } of orphans) {
      if (state && savedUnder(state, this.#kind, id, this.#target).length > 0) continue;
      const live = await this.#read(context, id, desired);
      if (!live || !ownershipOf(live).isPending) continue;
      if (!state || !hasMark(state, mark)) throw new Error(unproven(id, state));
      return this.#recover(context, id, inputsThatReplace(this.#kind, desired, live));
    }
    return undefined;
  }

  /** @param fixed inputs that differ, and that cannot be changed in place */
  #recover(context: Context, id: string, fixed: readonly string[]): Created {
    if (fixed.length > 0)
      throw new Error(
        `cannot recover ${id}, which an interrupted update created: ${listed(fixed)} changed since, and cannot be updated in place. Change it back, or delete ${this.#kind.type} ${id} on the platform, then run \`pulumi up\` again`,
      );
    const keyed = this.#kind.owned === "key" ? ". Run `pulumi refresh --clear-pending-creates` after this update" : "";
    context.note(`recovering ${id}, which an interrupted update created but did not save${keyed}`);
    this.#session.inState.noteAdopted(this.#kind, id, { urn: this.#urn, remedy: "run `pulumi up` again" });
    return { known: this.#kind.id.parts(id) ?? {}, isRecovered: true };
  }

  /** The orphans, also if the platform does not list them yet. */
  #orphansOnceListed(context: Context, desired: Props): Promise<readonly Orphan[]> {
    const { state, pending: listing, tokenOf } = this.#session;
    const wasBegun = () => state.wasBegun(this.#urn, tokenOf(this.#kind.type));
    return listing.searched(
      context,
      () => this.#orphans(context, desired),
      async (found) => found.length === 0 && !isEmbedded(this.#target) && wasBegun(),
    );
  }

  /** The pending resources of this owner that this update does not know to be in the state. */
  async #orphans({ cloud, warn }: Context, desired: Props): Promise<readonly Orphan[]> {
    const { owned } = this.#kind;
    const { pending: listing, inState } = this.#session;
    const all =
      typeof owned === "object" && "tagged" in owned
        ? (await owned.tagged(cloud.tolerating(recently), desired, { key: stateKey, value: pending })).map(({ id, tags = {} }) => ({
            id,
            ...ownershipIn(tags),
          }))
        : (await listing.list(cloud, warn)).filter(({ kind }) => kind === owned);
    return all.filter((one) => one.isPending && one.owner === ownerOf(this.#urn) && !inState.has(this.#kind, one.id));
  }

  /** Creates a resource with a note. If its response was lost, and the resource was deleted then, another one is created. */
  async #noted(context: Context, desired: Props): Promise<Created> {
    const { cloud, warn } = context;
    const mark = await this.#session.state.mark(this.#urn, warn);
    const drafts = this.#isInNewParent(desired) ? [] : await this.#drafts(cloud, desired);
    const state = drafts.length === 0 ? undefined : await this.#session.state.now(this.#urn);
    for (const draft of drafts) {
      if (state && savedUnder(state, this.#kind, draft.id, this.#target).length > 0) continue;
      if (state && wasInterrupted(state, this.#urn, draft.mark)) await this.#kind.delete(cloud, draft.parts);
      else warn(unprovenDraft(draft, state));
    }
    const before = new Set(drafts.map(({ id }) => id));
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#create(context, withOwnershipTags(this.#kind, desired, newOwnershipTags(this.#urn, mark)));
      } catch (error) {
        if (isRefused(error)) throw error;
        const isDeleted = await this.#deleteLost(cloud, desired, (one) => one.mark === mark && !before.has(one.id)).catch(() => false);
        if (attempt === attempts || !isDeleted || !passes(error)) throw error;
      }
  }

  /** Deletes the resources of this update whose secrets are lost. Returns whether there were any. */
  async #deleteLost(cloud: Cloud, desired: Props, isLost: (draft: Draft) => boolean): Promise<boolean> {
    const lost = (await this.#drafts(cloud, desired)).filter(isLost);
    for (const { parts } of lost) await this.#kind.delete(cloud, parts);
    return lost.length > 0;
  }

  /** The resources of the parent whose notes have this owner. */
  async #drafts(cloud: Cloud, desired: Props): Promise<readonly Draft[]> {
    const { within, id } = this.#kind;
    if (!within) return [];
    const all = await this.#kind.list(cloud, { [within.by]: [String(desired[within.by])] });
    return all.flatMap((parts) => {
      const { owner, mark } = noteOn(this.#kind, parts) ?? {};
      return isOwner(owner, this.#urn) && !this.#session.inState.has(this.#kind, id.of(parts)) ? [{ id: id.of(parts), parts, mark }] : [];
    });
  }

  async #keyed(context: Context, desired: Props, id: string): Promise<Created> {
    const live = await this.#read(context, id, desired);
    const state = live && (await this.#session.state.now(this.#urn));
    if (live && state && keyedCreates(state, this.#kind, this.#urn, this.#session.tokenOf(this.#kind.type), id) > 1)
      return this.#recover(context, id, inputsThatReplace(this.#kind, desired, live));
    try {
      return await this.#create(context, desired, live ? undefined : id);
    } catch (error) {
      if (!live && !(isRefused(error) && (await this.#read(context, id, desired)))) throw error;
      throw (await this.#ofOtherResource(error, id)) ?? new Error(withTodo(error, this.#remedyForExisting(id)), { cause: error });
    }
  }

  /** A resource that is being replaced cannot be imported. */
  #remedyForExisting(id: string): string {
    const { type, id: form } = this.#kind;
    const isReplaced = this.#session.graph.get(this.#urn)?.operation === "replace";
    return isReplaced
      ? `It already exists and is not managed by this stack. Change ${listed(form.names, "or")}, or delete ${type} ${id} on the platform if it is not needed`
      : `It already exists and is not managed by this stack. To import it, add { import: "${id}" } to this resource's options`;
  }

  /** Calls the platform. `key`: the ID that the resource will have, if it is known before the call and unused. */
  async #create(context: Context, desired: Props, key?: string): Promise<Created> {
    try {
      const created = await this.#kind.create(context.cloud, desired);
      const known = isProps(created) ? created : {};
      requireId(this.#kind, { ...desired, ...known });
      return { known };
    } catch (raised) {
      const error: unknown = raised instanceof AfterWriting ? raised.cause : raised;
      // If the search fails as well, the next creation searches again.
      const found = isRefused(raised) ? undefined : await this.#createdDespiteError(context, desired, key).catch(() => undefined);
      if (found === undefined || !(error instanceof Error)) {
        if (error instanceof WithoutId) throw new Error(withTodo(error, withoutIdRemedy), { cause: error });
        throw (await this.#conflict(context, desired, error)) ?? error;
      }
      const known = this.#kind.id.parts(found) ?? {};
      if (!passes(error) && !(error instanceof WithoutId)) return { known, failure: error };
      const answered = passes(error) ? `the platform answered ${error.code} (request ${error.requestId})` : error.message;
      context.note(`${answered}, but it has created ${found}: this update continues with it`);
      return { known };
    }
  }

  /** The ID of the resource that exists although its creation failed; `undefined` if it does not exist. */
  async #createdDespiteError(context: Context, desired: Props, key: string | undefined): Promise<string | undefined> {
    const { owned } = this.#kind;
    if (key !== undefined) return (await this.#read(context, key, desired)) && key;
    if (owned === "key" || isNoted(owned)) return undefined;
    const own = await this.#session.state.mark(this.#urn, context.warn);
    this.#session.pending.forget();
    const orphans = own === undefined ? [] : await this.#orphans(context, desired);
    for (const { id, mark } of orphans) if (mark === own && (await this.#read(context, id, desired))) return id;
    return undefined;
  }

  /** The error of a failed creation whose ID, which consists of inputs, another resource of the stack has. */
  async #conflict(context: Context, desired: Props, error: unknown): Promise<Error | undefined> {
    const id = idFromInputs(this.#kind, desired);
    if (id === undefined || this.#kind.owned === "key") return undefined;
    const live = await this.#read(context, id, desired).catch(() => undefined);
    return live && this.#ofOtherResource(error, id);
  }

  /** The error of a creation whose ID another resource of the stack has; `undefined` if none is known to. */
  async #ofOtherResource(error: unknown, id: string): Promise<Error | undefined> {
    const other = await this.#session.state.otherUnder(this.#kind, id, this.#urn, this.#target);
    if (other === undefined) return undefined;
    const [one, that] = [nameOf(this.#urn), nameOf(other)];
    const remedies = withRemedies(`"${that}" in this stack already manages it`, [
      `If "${one}" is a new name for "${that}", add ${aliasOf(other)} to the options of "${one}"`,
      `Otherwise remove "${that}", run \`pulumi up\`, then add "${one}"`,
    ]);
    return new Error(withTodo(error, remedies), { cause: error });
  }

  /** The live resource; `undefined` if it does not exist. */
  async #read({ cloud }: Context, id: string, desired: Props): Promise<Props | undefined> {
    const live = await this.#kind.read(cloud.tolerating(recently), { ...desired, ...this.#kind.id.parts(id) });
    return live && !isGone(this.#kind, live) ? live : undefined;
  }
}

/** A resource with a note: its ID, the parts of it, and the mark. */
interface Draft {
  readonly id: string;
  readonly parts: Props;
  readonly mark: string | undefined;
}

const unknownTo = (state: StackState | undefined): string =>
  state ? "this stack's state does not record its creation" : "this stack's state could not be read (`pulumi stack export` failed)";

const unproven = (id: string, state: StackState | undefined): string =>
  withRemedies(
    `${id} has this resource's ownership tags, but ${unknownTo(state)}. It may belong to a stack of the same name in another backend, so it was not recovered`,
    [
      ...(state ? [] : ["Make sure that `pulumi` is on the PATH, then run this again"]),
      `If it belongs to this stack, add { import: "${id}" } to the resource's options`,
      "If it is not needed, delete it on the platform",
    ],
  );

/** The importer lists drafts with a mark of the state, or of version 0.1.0. */
function unprovenDraft({ id, mark }: Draft, state: StackState | undefined): string {
  const isListed = state !== undefined && (mark === undefined || hasMark(state, mark));
  const how = isListed ? `with \`${orphanCommand} --id ${id}\`` : "on the platform";
  return `${id} has the note of this resource, but ${unknownTo(state)}. If it is not needed, delete it ${how}`;
}

/** A creation whose response has no ID. */
class WithoutId extends Error {}

const withoutIdRemedy =
  "Run `pulumi up` again: the provider finds the created resource by its tags. If this repeats, report it to the platform operator";

/** @throws WithoutId if the response does not have the whole ID */
function requireId({ id }: Kind, known: Props): void {
  if (id.parts(id.of(known))) return;
  const lacking = id.names.filter((part) => known[part] === undefined || known[part] === "");
  throw new WithoutId(`the platform's answer has no ${listed(lacking)}`);
}
