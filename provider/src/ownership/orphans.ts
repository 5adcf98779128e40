import { type Cloud, PlatformError } from "@container-platform/sdk";
import { type Context, recently } from "../definition/context.ts";
import type { Kind } from "../definition/definition.ts";
import { isGone } from "../definition/gone.ts";
import { idFromInputs } from "../definition/unique.ts";
import { orphanCommand } from "../program/messages.ts";
import { nameOf } from "../schema/urn.ts";
import type { Props } from "../schema/values.ts";
import { type Found, pendingIn, type PendingResource } from "./pending.ts";
import type { Session, Subject } from "./session.ts";
import { hasMark, isEmbedded, isProven, pendingCreatesOf, type StackState } from "./state.ts";
import {
  isNoted,
  isOfStack,
  type Ownership,
  ownerKey,
  ownerOf,
  ownershipOf,
  separatingOwnershipTags,
  stackCalled,
  stackKey,
  stateKey,
} from "./tags.ts";

/** A resource on the platform that an interrupted update of a stack may have created, and that is not in the state. */
export interface Orphan extends Found {
  readonly kind: Kind;
  /** The stack that its tags name, if that is another one. `pulumi stack rename` and `pulumi state move` keep the mark. */
  readonly otherStack?: string | undefined;
}

/** Where orphans are searched for. */
interface Search {
  readonly cloud: Cloud;
  readonly warn: (message: string) => void;
  /** A URN of the stack. */
  readonly urn: string;
  /** All types of resources, dependencies first. */
  readonly kinds: readonly Kind[];
  /** The pending resources that the tag product has listed. */
  readonly listed: readonly PendingResource[];
}

/**
 * The orphans of a stack: pending resources that have its name or a mark of its state, or that its pending creates name, and that are not in the
 * state. Resources inside others are found in the parents that the state knows.
 */
export async function findOrphans(search: Search, state: StackState): Promise<readonly Orphan[]> {
  const found = (await Promise.all(search.kinds.map((kind) => candidates(kind, search, state)))).flat().map((one) => ({
    ...one,
    otherStack: one.stack === undefined || isOfStack(one.stack, search.urn) ? undefined : one.stack,
  }));
  const unsaved = found.filter(({ kind, id }) => !state.resources.some((one) => one.type === kind.type && one.id === id));
  const live = await Promise.all(unsaved.map((one) => liveOrphan(search.cloud, one)));
  return unsaved.filter((_, index) => live[index] !== undefined);
}

async function candidates(kind: Kind, { cloud, warn, urn, listed }: Search, state: StackState): Promise<readonly Orphan[]> {
  const { owned } = kind;
  const isOfState = ({ isPending, stack, mark }: Ownership) => isPending && (isOfStack(stack, urn) || hasMark(state, mark));
  if (owned === "key") return keyed(kind, state);
  if (typeof owned === "string") return listed.filter((one) => one.kind === owned && isOfState(one)).map((one) => ({ ...one, kind }));
  const inside = parentsOf(kind, state).map(async (parent) => {
    try {
      return (await pendingIn(kind, cloud, parent)).map((one) => ({ ...one, kind }));
    } catch (error) {
      if (!(error instanceof PlatformError) || !["notFound", "unauthorized"].includes(error.kind)) throw error;
      if (error.kind === "unauthorized") warn(`could not look for orphans of the type ${kind.type}: ${error.message}`);
      return [];
    }
  });
  // A note of version 0.1.0 does not name the stack.
  return (await Promise.all(inside))
    .flat()
    .filter((one) => isOfState(one) || (isNoted(owned) && one.stack === undefined && one.mark === undefined));
}

/** Resources whose IDs consist of inputs: they have neither tags nor a note. */
function keyed(kind: Kind, { pendingCreates }: StackState): readonly Orphan[] {
  return pendingCreates.flatMap(({ urn, token, inputs }) => {
    const id = token.endsWith(`:${kind.type}`) ? idFromInputs(kind, inputs) : undefined;
    return id === undefined ? [] : [{ kind, id, owner: ownerOf(urn), stack: undefined, mark: undefined, isPending: true }];
  });
}

/** The parents of a type that the state knows, as inputs; an empty one if the type has no parent. */
function parentsOf({ within }: Kind, { resources, pendingCreates }: StackState): readonly Props[] {
  if (!within) return [{}];
  const { kind, by } = within;
  const named = pendingCreates.flatMap(({ inputs: { [by]: id } }) => (typeof id === "string" && kind.id.parts(id) ? [id] : []));
  return [...new Set([...resources.flatMap(({ type, id }) => (type === kind.type ? [id] : [])), ...named])].map((id) => ({ [by]: id }));
}

/** Whether a list lacks a resource of a pending create that is not in the state either. */
function isLacking(listed: readonly PendingResource[], { pendingCreates, resources }: StackState, kinds: readonly Kind[]): boolean {
  const isListed = (token: string) =>
    kinds.some(({ type, owned }) => typeof owned === "string" && owned !== "key" && token.endsWith(`:${type}`));
  const known = new Set([...listed.map(({ owner }) => owner), ...resources.map(({ urn }) => ownerOf(urn))]);
  return pendingCreates.some(({ urn, token }) => isListed(token) && !known.has(ownerOf(urn)));
}

/** The live properties of an orphan; `undefined` if it is gone, or was confirmed meanwhile. */
export async function liveOrphan(cloud: Cloud, { kind, id }: Pick<Orphan, "kind" | "id">, inputs: Props = {}): Promise<Props | undefined> {
  const parts = kind.id.parts(id);
  const live = parts && (await separatingOwnershipTags(kind).read(cloud, { ...inputs, ...parts }));
  if (!live || isGone(kind, live)) return undefined;
  return kind.tagsInput === undefined || ownershipOf(live).isPending ? { ...live, ...parts } : undefined;
}

/** Whether an orphan has the mark of another state, or the tags of another stack. */
export function isForeign({ mark, otherStack }: Orphan, state: StackState): boolean {
  return otherStack !== undefined || (mark !== undefined && !hasMark(state, mark));
}

/** Whether an orphan is this stack's, so that the stack must not be destroyed without it. */
function isOwn(one: Orphan, state: StackState): boolean {
  return one.kind.owned !== "key" && !isForeign(one, state);
}

/** An orphan in a message, with its name in the program that created it, if the state has that. */
export function called({ kind, id, owner }: Orphan, state?: StackState): string {
  const [create] = state ? pendingCreatesOf(state, owner) : [];
  return create ? `${id} (${kind.type} "${nameOf(create.urn)}")` : `${id} (${kind.type})`;
}

/** The reason why a resource is listed as an orphan, and the remedy. */
export function explanation(one: Orphan, state: StackState): string {
  const { kind, id } = one;
  const byId = `delete it with \`${orphanCommand} --id ${id}\``;
  const keep =
    kind.tagsInput === undefined
      ? "remove the note from its description"
      : `add { import: "${id}" } to a resource of a program, or remove its tags ${ownerKey}, ${stackKey} and ${stateKey}`;
  if (isProven(one, state)) return `${called(one, state)}: delete it with \`${orphanCommand}\``;
  if (kind.owned === "key") return `${called(one, state)} may have been saved since. If it is not needed, ${byId}`;
  if (one.otherStack !== undefined)
    return `${called(one, state)} has the ownership tags of ${stackCalled(one.otherStack)}. If that stack does not exist any more, and the resource is not needed, ${byId}`;
  if (isForeign(one, state))
    return `${called(one, state)} may belong to a stack of the same name in another backend. If it does not, and it is not needed, ${byId}`;
  return `${called(one, state)}: ${byId}; to keep it, ${keep}`;
}

/** The first resource that an update deletes. */
interface Deleted {
  readonly kind: Kind;
  readonly id: string;
  readonly urn: string;
  /** Whether lists of the platform are complete at once. */
  readonly isComplete: boolean;
}

/** The orphans of the stack in one update. */
export class Orphans {
  readonly #session: Session;
  #seen: { readonly context: Pick<Context, "cloud" | "warn">; readonly urn: string } | undefined;
  #isListed = false;
  #required: Promise<void> | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Records that the program declares a resource. Pending resources are listed in the background once there is a new one. */
  noteChecked(
    context: Pick<Context, "cloud" | "warn">,
    { kind, urn }: { readonly kind: Kind; readonly urn: string },
    isNew: boolean,
  ): void {
    this.#seen ??= { context, urn };
    if (!isNew || typeof kind.owned !== "string" || kind.owned === "key") return;
    this.#isListed = true;
    // If it fails, the creation lists them again, and fails then.
    this.#session.pending.list(context.cloud, context.warn).catch(() => undefined);
  }

  /**
   * Keeps a stack with orphans from being destroyed: nothing would find them afterwards.
   *
   * @throws Error before the first deletion of an update without a program
   */
  async requireNone(context: Context, { kind, urn, target }: Omit<Subject, "session">, id: string): Promise<void> {
    if (urn === "" || this.#session.graph.hasProgram) return;
    const isFirst = this.#required === undefined;
    this.#required ??= this.#requireNone(context, { kind, id, urn, isComplete: isEmbedded(target) });
    await this.#required.catch((error: unknown) => {
      throw isFirst ? error : new Error("not deleted, because of orphans of an interrupted update (see the other error)", { cause: error });
    });
  }

  async #requireNone(context: Context, { kind, id, urn: known, isComplete }: Deleted): Promise<void> {
    const { cloud, warn } = context;
    const { pending: listing } = this.#session;
    const [state, kinds] = await Promise.all([this.#session.state.having(kind, id, known), this.#session.kinds()]);
    // The stack may have another name now.
    const urn = state?.resources.find((one) => one.id === id)?.savedAs ?? known;
    const listed = await listing.searched(
      context,
      () => listing.list(cloud, warn),
      (found) => Promise.resolve(!isComplete && state !== undefined && isLacking(found, state, kinds)),
    );
    if (!state) {
      const possible = this.#unasked(await this.#ofStack(listed, urn));
      if (possible.length > 0) throw new Error(unreadableState(possible));
      return;
    }
    const orphans = this.#unasked(await this.#find(cloud, warn, urn, listed, state));
    for (const one of orphans.filter((each) => !isOwn(each, state))) warn(explanation(one, state));
    const own = orphans.filter((one) => isOwn(one, state));
    if (own.length > 0) throw new Error(blocked(own, state));
  }

  /** The warning at the end of an update; `undefined` without orphans, or if `requireNone` has named them. */
  async warning(): Promise<string | undefined> {
    if (!this.#seen || !this.#isListed || this.#required) return undefined;
    const { context, urn } = this.#seen;
    const listed = await this.#session.pending.last();
    if (this.#unasked(await this.#ofStack(listed, urn)).length === 0) return undefined;
    const state = await this.#session.state.now(urn);
    const orphans = state ? this.#unasked(await this.#find(context.cloud, context.warn, urn, listed, state)) : [];
    return state && orphans.length > 0 ? left(orphans, state) : undefined;
  }

  #find(
    cloud: Cloud,
    warn: Search["warn"],
    urn: string,
    listed: readonly PendingResource[],
    state: StackState,
  ): Promise<readonly Orphan[]> {
    return this.#session.kinds().then((kinds) => findOrphans({ cloud: cloud.tolerating(recently), warn, urn, kinds, listed }, state));
  }

  /** The orphans that are not known to be in the state, and whose owner the program does not declare. */
  #unasked(found: readonly Orphan[]): readonly Orphan[] {
    const { graph, inState } = this.#session;
    const owners = new Set(graph.all.map(({ urn }) => ownerOf(urn)));
    return found.filter(({ kind, id, owner }) => !inState.has(kind, id) && (owner === undefined || !owners.has(owner)));
  }

  /** The pending resources with the name of the stack. */
  async #ofStack(listed: readonly PendingResource[], urn: string): Promise<readonly Orphan[]> {
    const kinds = await this.#session.kinds();
    return listed.flatMap((one) => {
      const kind = kinds.find(({ owned }) => owned === one.kind);
      return kind && isOfStack(one.stack, urn) ? [{ ...one, kind }] : [];
    });
  }
}

const lines = (orphans: readonly Orphan[], state: StackState): readonly string[] => orphans.map((one) => `  - ${explanation(one, state)}.`);

const blocked = (orphans: readonly Orphan[], state: StackState): string =>
  [
    "nothing was deleted: an interrupted update created resources that are not in the state.",
    ...lines(orphans, state),
    "Then run this again",
  ].join("\n");

const left = (orphans: readonly Orphan[], state: StackState): string =>
  ["an interrupted update created resources that are neither in the state nor in the program.", ...lines(orphans, state)].join("\n");

const unreadableState = (orphans: readonly Orphan[]): string =>
  `nothing was deleted: could not determine whether ${orphans.map((one) => called(one)).join(", ")} ${orphans.length === 1 ? "is" : "are"} in the state, because \`pulumi stack export\` failed. Make sure that \`pulumi\` is on the PATH, then run this again`;
