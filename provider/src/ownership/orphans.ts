import { type Cloud, PlatformError } from "@container-platform/sdk";
import { type Coded, ProviderError } from "../definition/codes.ts";
import { recently } from "../definition/context.ts";
import type { Kind } from "../definition/definition.ts";
import { idFromInputs } from "../definition/invariants.ts";
import { orphanCommand, withRemedies } from "../program/messages.ts";
import { nameOf } from "../schema/urn.ts";
import type { Props } from "../schema/values.ts";
import type { Found, PendingResources } from "./pending.ts";
import type { Resource } from "./session.ts";
import { hasMark, isEmbedded, type PendingCreate, type Proof, proofOf, type StackState } from "./state.ts";
import { isInTagProduct, isNoted, isOfStack, liveOf, ownerKey, ownerOf, ownershipOf, stackCalled, stackKey, stateKey } from "./tags.ts";

/** A resource on the platform that an interrupted update of a stack may have created, and that is not in the state. */
export interface Orphan extends Found {
  readonly kind: Kind;
  readonly create: PendingCreate | undefined;
  /**
   * - `another stack`: its tags name another stack. `pulumi stack rename` and `pulumi state move` keep the mark.
   * - `keyed`: its ID consists of inputs, so it has neither tags nor a note, and may have been saved since.
   */
  readonly proof: Proof | "another stack" | "keyed";
}

/** All types of resources, dependencies first, and a URN of the stack. */
interface Search extends Pick<Resource, "cloud" | "warn" | "urn"> {
  readonly pending: PendingResources;
  readonly kinds: readonly Kind[];
}

/**
 * The orphans of a stack: pending resources that have its name or a mark of its state, or that its pending creates name, and that are not in the
 * state. Resources inside others are found in the parents that the state knows.
 *
 * @param state without it, the result is the resources that the tag product lists, and that have the name of the stack
 */
export async function findOrphans(search: Search, state: StackState | undefined): Promise<readonly Orphan[]> {
  const found = (await Promise.all(search.kinds.map((kind) => candidates(kind, search, state)))).flat();
  if (!state) return found;
  const unsaved = found.filter(({ kind: { type }, id }) => !state.resources.some((one) => one.type === type && one.id === id));
  const live = await Promise.all(unsaved.map((one) => liveOrphan(search.cloud, one)));
  return unsaved.filter((_, index) => live[index] !== undefined);
}

async function candidates(kind: Kind, search: Search, state: StackState | undefined): Promise<readonly Orphan[]> {
  if (kind.owned === "key") return state ? keyed(kind, state) : [];
  const found = parentsOf(kind, state).map(async (parent) => {
    try {
      return await search.pending.of(kind, search, parent);
    } catch (error) {
      if (isInTagProduct(kind.owned) || !(error instanceof PlatformError) || !["notFound", "unauthorized"].includes(error.kind))
        throw error;
      if (error.kind === "unauthorized")
        search.warn({ code: "Unchecked", message: `could not look for orphans of the type ${kind.type}: ${error.message}` });
      return [];
    }
  });
  return (await Promise.all(found)).flat().flatMap((one) => {
    const { owner, stack, mark } = one;
    const isOwn = isOfStack(stack, search.urn);
    // A note of version 0.1.0 does not name the stack.
    const isOldNote = isNoted(kind.owned) && stack === undefined && mark === undefined;
    if (!isOwn && !isOldNote && !(state && hasMark(state, mark))) return [];
    const create = state?.pendingCreates.find(({ urn }) => ownerOf(urn) === owner);
    return [{ ...one, kind, create, proof: isOwn || stack === undefined ? proofOf(one, state) : "another stack" }];
  });
}

/** The parents of a type that the state knows, as inputs; an empty one if its resources are listed without a parent. */
function parentsOf({ owned, within }: Kind, state: StackState | undefined): readonly Props[] {
  if (isInTagProduct(owned) || (state && !within)) return [{}];
  if (!state || !within) return [];
  const saved = state.resources.flatMap(({ type, id }) => (type === within.kind.type ? [id] : []));
  const named = state.pendingCreates.map(({ inputs }) => inputs[within.by]);
  return [...new Set([...saved, ...named.filter((id) => typeof id === "string" && within.kind.id.parts(id))])].map((id) => ({
    [within.by]: id,
  }));
}

function keyed(kind: Kind, { pendingCreates }: StackState): readonly Orphan[] {
  return pendingCreates.flatMap((create) => {
    const id = create.type === kind.type ? idFromInputs(kind, create.inputs) : undefined;
    if (id === undefined) return [];
    return [{ kind, id, create, owner: ownerOf(create.urn), stack: undefined, mark: undefined, isPending: true, proof: "keyed" }];
  });
}

/** Whether a list lacks a resource of a pending create that is not in the state either. */
function isLacking(listed: readonly Found[], { pendingCreates, resources }: StackState, kinds: readonly Kind[]): boolean {
  const types = kinds.flatMap(({ type, owned }) => (isInTagProduct(owned) ? [type] : []));
  const known = new Set([...listed.map(({ owner }) => owner), ...resources.map(({ urn }) => ownerOf(urn))]);
  return pendingCreates.some(({ urn, type }) => types.includes(type) && !known.has(ownerOf(urn)));
}

/** The live properties of an orphan; `undefined` if it is gone, or was confirmed meanwhile. */
export async function liveOrphan(cloud: Cloud, { kind, id }: Pick<Orphan, "kind" | "id">, inputs?: Props): Promise<Props | undefined> {
  const live = await liveOf(kind, cloud, id, inputs);
  return live && (kind.tagsInput === undefined || ownershipOf(live).isPending) ? live : undefined;
}

export const called = ({ kind, id }: Pick<Orphan, "kind" | "id">): string => `${id} (${kind.type})`;

/** The reason why a resource is listed as an orphan, and the remedy. If the state has its pending create, it has its name in the program. */
export function explanation({ kind, id, stack = "", create, proof }: Orphan): string {
  const byId = `delete it with \`${orphanCommand} --id ${id}\``;
  const keep =
    kind.tagsInput === undefined
      ? "remove the note from its description"
      : `add { import: "${id}" } to a resource of a program, or remove its tags ${ownerKey}, ${stackKey} and ${stateKey}`;
  const why = {
    proven: `: delete it with \`${orphanCommand}\``,
    own: `: ${byId}; to keep it, ${keep}`,
    keyed: ` may have been saved since. If it is not needed, ${byId}`,
    "another stack": ` has the ownership tags of ${stackCalled(stack)}. If that stack does not exist any more, and the resource is not needed, ${byId}`,
    foreign: ` may belong to a stack of the same name in another backend. If it does not, and it is not needed, ${byId}`,
    unreadable: ` may be in the state, which could not be read`,
  };
  return `${create ? `${id} (${kind.type} "${nameOf(create.urn)}")` : called({ kind, id })}${why[proof]}`;
}

/** Keeps a stack with orphans from being destroyed: nothing would find them. @throws Error before the first deletion without a program */
export async function requireNoOrphans(resource: Resource, id: string): Promise<void> {
  const { urn, session } = resource;
  const { graph, pending } = session;
  if (urn === "" || graph.hasProgram) return;
  const isFirst = pending.searchBeforeDeletion === undefined;
  pending.searchBeforeDeletion ??= searchBeforeDeletion(resource, id);
  await pending.searchBeforeDeletion.catch((error: unknown) => {
    throw isFirst ? error : new Error("not deleted, because of orphans of an interrupted update (see the other error)", { cause: error });
  });
}

async function searchBeforeDeletion(resource: Resource, id: string): Promise<void> {
  const { kind, urn: known, home, cloud, warn, session } = resource;
  const { pending: listing, state: reader } = session;
  const [state, kinds] = await Promise.all([reader.having(kind, id, known), session.kinds()]);
  // The stack may have another name now.
  const urn = state?.resources.find((one) => one.id === id)?.savedAs ?? known;
  const isMissing = (found: readonly Found[]) =>
    Promise.resolve(!isEmbedded(home) && state !== undefined && isLacking(found, state, kinds));
  await listing.searched(resource, () => listing.list(cloud, warn), isMissing);
  const orphans = await undeclaredOrphans({ cloud, warn, urn, session }, state);
  const blocking = orphans.filter(({ proof }) => proof === "proven" || proof === "own" || proof === "unreadable");
  for (const one of orphans.filter((each) => !blocking.includes(each))) warn({ code: "Orphan", message: explanation(one) });
  if (blocking.length > 0) throw new ProviderError("Orphan", state ? blocked(blocking) : unreadableState(blocking));
}

/** The warning at the end of a program; `undefined` without orphans, or if `requireNoOrphans` has named them. */
export async function orphanWarning(at: Pick<Resource, "cloud" | "warn" | "session">): Promise<Coded | undefined> {
  const { graph, pending, state: reader, firstChanged } = at.session;
  // `pulumi destroy --run-program` deletes the resources that the program has declared.
  const urn = graph.all[0]?.urn ?? firstChanged;
  if (urn === undefined || pending.searchBeforeDeletion || (await pending.last()).length === 0) return undefined;
  const search = { ...at, urn };
  if ((await undeclaredOrphans(search, undefined)).length === 0) return undefined;
  const state = await reader.now(urn);
  const orphans = state ? await undeclaredOrphans(search, state) : [];
  if (orphans.length === 0) return undefined;
  const message = "an interrupted update created resources that are neither in the state nor in the program";
  return { code: "Orphan", message: withRemedies(message, orphans.map(explanation)) };
}

/** The orphans that are not known to be in the state, and whose owner the program does not declare. */
async function undeclaredOrphans(
  { cloud, warn, urn, session }: Pick<Resource, "cloud" | "warn" | "urn" | "session">,
  state: StackState | undefined,
): Promise<readonly Orphan[]> {
  const { graph, inState, pending } = session;
  const orphans = await findOrphans({ cloud: cloud.tolerating(recently), warn, urn, kinds: await session.kinds(), pending }, state);
  const owners = new Set(graph.all.map((one) => ownerOf(one.urn)));
  return orphans.filter(({ kind, id, owner }) => !inState.has(kind, id) && (owner === undefined || !owners.has(owner)));
}

const blocked = (orphans: readonly Orphan[]): string =>
  `${withRemedies("nothing was deleted: an interrupted update created resources that are not in the state", orphans.map(explanation))}\nThen run this again`;

const unreadableState = (orphans: readonly Orphan[]): string =>
  `nothing was deleted: could not determine whether ${orphans.map(called).join(", ")} ${orphans.length === 1 ? "is" : "are"} in the state, because \`pulumi stack export\` failed. Make sure that \`pulumi\` is on the PATH, then run this again`;
