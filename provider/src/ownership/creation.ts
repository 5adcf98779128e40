import { listed } from "@container-platform/sdk";
import { inputsThatReplace } from "../definition/changes.ts";
import { type Context, recently } from "../definition/context.ts";
import type { Kind } from "../definition/definition.ts";
import { AfterWriting, isRefused, passes, withTodo } from "../definition/failures.ts";
import { isGone } from "../definition/gone.ts";
import { orphanCommand, withRemedies } from "../program/messages.ts";
import { isProps, type Props } from "../schema/values.ts";
import { type Found, pendingIn } from "./pending.ts";
import type { Session, Subject } from "./session.ts";
import { hasMark, isEmbedded, isProven, keyedCreates, savedUnder, type StackState } from "./state.ts";
import { isNoted, isOwner, newOwnershipTags, ownerOf, ownershipOf, separatingOwnershipTags, withOwnershipTags } from "./tags.ts";

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
  #orphansOnceListed(context: Context, desired: Props): Promise<readonly Found[]> {
    const { state, pending: listing, tokenOf } = this.#session;
    const wasBegun = () => state.wasBegun(this.#urn, tokenOf(this.#kind.type));
    return listing.searched(
      context,
      () => this.#orphans(context, desired),
      async (found) => found.length === 0 && !isEmbedded(this.#target) && wasBegun(),
    );
  }

  /** The pending resources of this owner that this update does not know to be in the state. */
  async #orphans({ cloud, warn }: Context, desired: Props): Promise<readonly Found[]> {
    const { owned } = this.#kind;
    const { pending: listing, inState } = this.#session;
    const all =
      typeof owned === "object"
        ? await pendingIn(this.#kind, isNoted(owned) ? cloud : cloud.tolerating(recently), desired)
        : (await listing.list(cloud, warn)).filter(({ kind }) => kind === owned);
    return all.filter((one) => one.isPending && isOwner(one.owner, this.#urn) && !inState.has(this.#kind, one.id));
  }

  /** Creates a resource with a note. If its response was lost, and the resource was deleted then, another one is created. */
  async #noted(context: Context, desired: Props): Promise<Created> {
    const mark = await this.#session.state.mark(this.#urn, context.warn);
    const drafts = this.#isInNewParent(desired) ? [] : await this.#orphans(context, desired);
    const state = drafts.length === 0 ? undefined : await this.#session.state.now(this.#urn);
    for (const draft of drafts) {
      if (state && savedUnder(state, this.#kind, draft.id, this.#target).length > 0) continue;
      if (state && isProven({ owner: ownerOf(this.#urn), mark: draft.mark }, state, 2)) await this.#delete(context, draft.id);
      else context.warn(unprovenDraft(draft, state));
    }
    const before = new Set(drafts.map(({ id }) => id));
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#create(context, withOwnershipTags(this.#kind, desired, newOwnershipTags(this.#urn, mark)));
      } catch (error) {
        if (isRefused(error)) throw error;
        const isDeleted = await this.#deleteLost(context, desired, (one) => one.mark === mark && !before.has(one.id)).catch(() => false);
        if (attempt === attempts || !isDeleted || !passes(error)) throw error;
      }
  }

  /** Deletes the resources of this update whose secrets are lost. Returns whether there were any. */
  async #deleteLost(context: Context, desired: Props, isLost: (draft: Found) => boolean): Promise<boolean> {
    const lost = (await this.#orphans(context, desired)).filter(isLost);
    for (const { id } of lost) await this.#delete(context, id);
    return lost.length > 0;
  }

  #delete({ cloud }: Context, id: string): Promise<unknown> {
    return this.#kind.delete(cloud, this.#kind.id.parts(id) ?? {});
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
      throw new Error(withTodo(error, this.#remedyForExisting(id)), { cause: error });
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
        throw error;
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

  /** The live resource; `undefined` if it does not exist. */
  async #read({ cloud }: Context, id: string, desired: Props): Promise<Props | undefined> {
    const live = await this.#kind.read(cloud.tolerating(recently), { ...desired, ...this.#kind.id.parts(id) });
    return live && !isGone(this.#kind, live) ? live : undefined;
  }
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
function unprovenDraft({ id, mark }: Found, state: StackState | undefined): string {
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
