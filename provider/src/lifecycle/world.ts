import type { Cloud } from "@container-platform/sdk";
import { owners } from "../definition/ids.ts";
import type { Coded } from "../definition/codes.ts";
import { firstLook, recently } from "../definition/context.ts";
import { isKeyed, type Owner } from "../definition/invariants.ts";
import { isUnreadable } from "../definition/failures.ts";
import { type Node, undeclared, type World } from "../program/program-graph.ts";
import { warningsAtEnd, withPath } from "../program/invariants.ts";
import { hasMark, keyedCreates, savedUnder, type StackState } from "../ownership/state.ts";
import { isOfStack, liveOf, ownerOf, ownershipIn, ownershipOf, stackKey } from "../ownership/tags.ts";
import type { Resource, Session } from "../ownership/session.ts";
import type { NamedId } from "../schema/marks.ts";
import { idsIn, schemaOf } from "../schema/parts.ts";
import { type Props, textsIn } from "../schema/values.ts";

type Looking = Pick<Resource, "cloud" | "warn" | "session" | "home">;

/** The platform and the state in an update. */
export function worldOf(looking: Looking): World {
  const { cloud, warn, session } = looking;
  const { listings, existing } = session.reads;
  const warnOnce = (warning: Coded) => session.unsaid("world", [warning]).forEach(warn);
  return {
    cloud,
    warn,
    warnOnce,
    list: (kind) => {
      const known = listings.get(kind.type) ?? kind.list(cloud, {});
      listings.set(kind.type, known);
      known.catch(() => listings.delete(kind.type));
      return known;
    },
    read: (kind, id, known, maxAge = firstLook) => liveOf(kind, cloud.tolerating(maxAge), id, known),
    exists: async ({ prefix, id }) => {
      const { find, type = "" } = owners[prefix];
      if (!find || existing.has(id)) return true;
      const listed = await listings.get(type);
      if (listed?.some((one) => Object.values(one).includes(id))) return true;
      // Another client may have created it since the first read.
      const found = (await find(cloud.tolerating(firstLook), id)) ?? (await find(cloud.tolerating(0), id));
      if (found !== undefined) existing.add(id);
      return found !== undefined;
    },
    ownerOf: (node, id, live) => ownerOfLive(looking, node, id, live),
    hasOtherOwner: ({ urn }, live) => (ownershipOf(live).owner ?? ownerOf(urn)) !== ownerOf(urn),
    urnInState: async ({ urn }, id) => (await session.state.first(urn))?.resources.find((one) => one.id === id)?.urn,
    ifReadable: async (description, read, path) => {
      try {
        return await read();
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        const message = `could not check whether ${description}: ${error.reason} (${error.origin.action}: ${error.code})`;
        warnOnce(withPath({ code: "Unchecked", path, message }));
        return undefined;
      }
    },
  };
}

/** Who manages a live resource, by the state, or else by the ownership tags. */
async function ownerOfLive({ session, home }: Looking, node: Node, id: string, live: Props): Promise<Owner> {
  const { kind, urn, deleteBeforeReplace = false } = node;
  const state = await session.state.first(urn);
  const saved = state ? savedUnder(state, kind, id, home) : [];
  if (session.inState.wasMissing(kind, id)) return { is: "missing" };
  const own = saved.find((one) => one.urn === urn);
  if (own && own.token !== session.tokenOf(kind.type)) return { is: "moved", urn: own.savedAs, token: own.token };
  if (own) return { is: deleteBeforeReplace ? "none" : "self", urn };
  const [other] = saved;
  if (other) return { is: other.provider === session.state.provider ? "stack" : "other provider", urn: other.savedAs };
  return unrecordedOwner(session, node, id, live, state);
}

/** Who manages a live resource that the state does not record. `state`: `undefined` if it cannot be read. */
function unrecordedOwner(session: Session, node: Node, id: string, live: Props, state: StackState | undefined): Owner {
  const { kind, urn, deleteBeforeReplace } = node;
  // While the state cannot be read, the live resource may be the old one, which this option deletes first.
  const mayBeOld = !state && deleteBeforeReplace === true;
  if (kind.owned === "key") {
    // The creation recovers what an earlier update has begun to create.
    const isBegun = state !== undefined && keyedCreates(state, kind, urn, session.tokenOf(kind.type), id) > 0;
    return { is: mayBeOld || isBegun ? "none" : "unmanaged" };
  }
  const { owner, stack, mark, isPending } = ownershipOf(live);
  const isOwn = owner === ownerOf(urn);
  const isOfThisStack = isOwn || isOfStack(stack, urn);
  const isOrphan = isPending && !session.inState.has(kind, id);
  // The creation recovers its own orphan, or fails with the remedy.
  if ((isOfThisStack && mayBeOld) || (isOwn && isOrphan)) return { is: "none" };
  // This state has created the lost resource or, in another backend, that of a stack of the same name.
  if (isOwn) return state ? { is: "lost", isOfOtherState: mark !== undefined && !hasMark(state, mark) } : { is: "self" };
  if (isOrphan && state && hasMark(state, mark)) return { is: "orphan" };
  return { is: isOfThisStack && !state ? "stack" : "unmanaged" };
}

/** The warnings at the end of a program that has changed nothing, and in which no resource failed validation. */
export async function warningsOfProgram(session: Session, { cloud, home }: Pick<Resource, "cloud" | "home">): Promise<readonly Coded[]> {
  const [some] = session.graph.all;
  if (!some || session.firstChanged !== undefined || session.failedCheck !== undefined) return [];
  const world = worldOf({ cloud, warn: () => undefined, session, home });
  return warningsAtEnd(session.graph, await removedNodes(session, cloud, some.urn), world);
}

/**
 * The resources of the state that the program does not declare any more. The state is read only if the program may still use one of them,
 * because that takes half a second. If it cannot be read, they are known by their IDs alone.
 */
async function removedNodes(session: Session, cloud: Cloud, urn: string): Promise<readonly Node[]> {
  const { graph } = session;
  const isDeclared = ({ id }: { readonly id: string }) => graph.byId(id) !== undefined;
  const dropped = graph.all.flatMap(droppedReferences).filter((one) => !isDeclared(one));
  const named = graph.all.flatMap(({ references }) => references).filter((one) => !isDeclared(one));
  const mayBeUsed = dropped.length > 0 || (await Promise.all(named.map((one) => hasStackTag(cloud, one, urn)))).includes(true);
  if (!mayBeUsed) return [];
  const saved = await session.state.first(urn);
  // A resource of another provider is in another process, and retainOnDelete keeps the others.
  const removed = saved
    ? saved.resources.filter((one) => one.provider === session.state.provider && !one.isRetained && !graph.get(one.urn))
    : [...new Map(dropped.map(({ id, prefix }) => [id, { id, type: owners[prefix].type, urn: "" }])).values()];
  const kinds = await session.kinds();
  return removed.flatMap(({ id, type, urn: own }) => {
    const kind = kinds.find((one) => one.type === type);
    return !kind || isKeyed(kind) || (saved && graph.isClaimed(kind, id)) ? [] : [undeclared(kind, own, id)];
  });
}

/** The references that a resource may still use although its inputs do not have them any more. */
function droppedReferences({ kind, state = {}, references, keptReferences }: Node): readonly NamedId[] {
  const before = kind.holds ? Object.keys(kind.inputs.shape).flatMap((key) => idsIn(schemaOf(kind, key), state[key], [key])) : [];
  return [...keptReferences, ...before.filter(({ id }) => !references.some((one) => one.id === id))];
}

/** Whether a resource has the tag of a stack. */
async function hasStackTag(cloud: Cloud, { prefix, id }: NamedId, urn: string): Promise<boolean> {
  const found = await owners[prefix].find?.(cloud.tolerating(recently), id).catch(() => undefined);
  return textsIn(found).some((text) => isOfStack(ownershipIn({ [stackKey]: text }).stack, urn));
}
