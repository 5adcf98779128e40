import { listed, PlatformError } from "@container-platform/sdk";
import { ProviderError } from "../definition/codes.ts";
import { type Context, readDelay, recently } from "../definition/context.ts";
import type { Kind } from "../definition/definition.ts";
import { isGone } from "../definition/changes.ts";
import { saidOutliving } from "../definition/outliving.ts";
import { requireNoOrphans } from "../ownership/orphans.ts";
import { reasonToKeep } from "../ownership/owner.ts";
import type { Holder, Resource } from "../ownership/session.ts";
import { savedUnder } from "../ownership/state.ts";
import { called, withRemedies } from "../program/messages.ts";
import { privateStateOf } from "../schema/private-state.ts";
import type { Props } from "../schema/values.ts";
import { Blockers, calledToDelete } from "./blockers.ts";
import { Poll } from "./poll.ts";
import { statesOf, withReason } from "./reconcile.ts";
import { explained, knownOf, secondsFor } from "./resource.ts";
import { worldOf } from "./world.ts";

/** Deletes a resource, unless it is not this one's any more. @throws Error if the program or the platform keeps it */
export async function remove(resource: Resource, id: string): Promise<void> {
  const { kind, urn, session, props, warn } = resource;
  const { __failed: failed } = privateStateOf(props);
  const known = knownOf(kind, id, props);
  const looking = `looking at ${kind.type} ${id}, which is to be deleted`;
  const reason = await explained(kind, looking, () => reasonToKeep(resource, id, known));
  if (reason !== undefined) {
    warn({ code: "OtherOwner", message: reason });
    return;
  }
  const doing = `deleting ${kind.type} ${id}`;
  await explained(kind, doing, () => {
    requireNoKeptContents(resource, id);
    return requireUnprotectedParent(resource, id, known);
  });
  session.inState.note(kind, id);
  await requireNoOrphans(resource, id);
  const cascade = await cascadeWarning(resource, id);
  if (cascade !== undefined) warn({ code: "SideEffect", message: cascade });
  session.noteDeletion(kind, id, urn);
  const poll = new Poll(resource, secondsFor(resource, "delete"), { next: "The next `pulumi destroy`, or `up` without it, continues" });
  const deleted = failed === undefined ? kind : unprotected(kind, resource, poll);
  await explained(kind, doing, () =>
    whileDetached(resource, id, poll, () => deleteUntilGone(deleted, resource, poll, known, new Blockers(resource, poll, id))),
  );
}

/**
 * Deletes a resource, and waits until nothing of it is left. It is no error if it does not exist. A rejection is waited for if the platform is
 * deleting a user of the resource, or is busy.
 */
export async function deleteUntilGone(kind: Kind, context: Context, poll: Poll, known: Props, blockers?: Blockers): Promise<void> {
  let rejection: PlatformError | undefined;
  const begun = performance.now();
  const untilAccepted = async (): Promise<string | undefined> => {
    try {
      await kind.delete(context.cloud, known);
      return undefined;
    } catch (error) {
      if (error instanceof PlatformError && error.kind === "notFound") return undefined;
      // A late read may still show what was deleted before.
      if (error instanceof ProviderError && error.code === "InUse" && performance.now() - begun < readDelay) return error.message;
      if (!(error instanceof PlatformError) || (error.kind !== "inUse" && error.kind !== "transient")) throw error;
      rejection = error;
      return blockers ? blockers.find(error) : error.reason;
    }
  };
  await poll.until(untilAccepted, () => ({
    source: rejection && `${rejection.code}, request ${rejection.requestId}`,
    remedy: blockers?.explanation,
  }));
  const { remains, outliving } = kind;
  if (kind.states) await poll.until(() => stillThere(kind, poll, known));
  if (remains) await poll.until(() => remains(poll.cloud, known));
  for (const one of outliving?.(known) ?? []) context.warn({ code: "SideEffect", message: `${kind.id.of(known)}: ${saidOutliving(one)}` });
}

async function stillThere(kind: Kind, { cloud }: Poll, known: Props): Promise<string | undefined> {
  const live = await kind.read(cloud, known);
  if (!live || isGone(kind, live)) return undefined;
  const states = statesOf(kind, live);
  const stuck = states.find(({ readiness }) => readiness === "deletionFailed");
  if (stuck) throw new ProviderError("Failed", `it is ${withReason(stuck.state, live)}. The next \`pulumi destroy\` or \`up\` tries again`);
  return states.map(({ state }) => state).join(", ") || "still there";
}

/** Lifts the protection before the deletion of a resource whose creation failed: it holds nothing, and an update could not lift it any more. */
function unprotected(kind: Kind, { show }: Context, poll: Poll): Kind {
  const { protectedBy = "", changes } = kind;
  const step = changes[protectedBy];
  if (typeof step !== "function") return kind;
  const remove: Kind["delete"] = async (cloud, known) => {
    if (known[protectedBy] === true) {
      show(`lifts ${protectedBy}`);
      await step(cloud, { ...known, [protectedBy]: false }, known, poll.until);
    }
    return kind.delete(cloud, known);
  };
  return { ...kind, delete: remove };
}

/** @throws Error if the platform deletes a parent with all that it contains, and the program keeps a resource in it */
function requireNoKeptContents({ kind, urn, session }: Resource, id: string): void {
  const contained = kind.takesAlong ? session.graph.contained(id) : [];
  const kept = contained.filter((one) => one.operation === "keep" && one.kind.within?.kind.type === kind.type);
  if (kept.length === 0) return;
  const that = calledToDelete({ kind, urn }, id);
  const [contents, it] = [listed(kept.map(called)), kept.length === 1 ? "it" : "them"];
  throw new ProviderError(
    "InUse",
    withRemedies(`not deleted: the program keeps ${contents}, which would be deleted with ${that}`, [
      `Keep ${that} in the program`,
      `Or remove ${contents} as well, or move ${it} to another ${kind.type}`,
    ]),
  );
}

/**
 * @throws Error if the parent is protected, is in the state, and this update has not seen that it is kept. Why: Pulumi deletes the contents
 * first, and learns only then that the platform protects the parent
 */
async function requireUnprotectedParent(resource: Resource, id: string, known: Props): Promise<void> {
  const { kind, urn, home, session } = resource;
  const { within, type } = kind;
  const parent = within && known[within.by];
  if (!within || typeof parent !== "string") return;
  if (session.graph.withId(within.kind, parent)?.operation === "keep" || session.graph.contained(parent).length > 0) return;
  // A resource that is deleted with another one than the parent, such as its subnet, is recreated in the parent.
  if (session.graph.cascaded(kind, id)?.causes.includes(parent) === false) return;
  const { type: parentType, protectedBy } = within.kind;
  if (protectedBy === undefined) return;
  const live = await worldOf(resource).read(within.kind, parent, {}, recently);
  if (live?.[protectedBy] !== true) return;
  const state = await session.state.first(urn);
  if (state && savedUnder(state, within.kind, parent, home).length === 0) return;
  throw new ProviderError(
    "Protected",
    withRemedies(`not deleted: it belongs to ${parentType} ${parent}, which has ${protectedBy} on`, [
      `To delete only this ${type}, remove it from the program and run \`pulumi up\` without --target`,
      `To delete the ${parentType}, set ${protectedBy} to false and run \`pulumi up\` first (with --refresh if it was turned on outside Pulumi)`,
    ]),
  );
}

/** A warning that a forced deletion also deletes the contained resources, which Pulumi shows as unchanged. */
async function cascadeWarning({ kind, urn, session, cloud }: Resource, id: string): Promise<string | undefined> {
  if (!kind.takesAlong) return undefined;
  const isInside = (one: Kind, each: string) => one.id.parts(each)?.[one.within?.by ?? ""] === id;
  const contained = (await session.kinds()).filter(
    (one) =>
      one.within?.kind.type === kind.type && !session.inState.hasDeleted(({ type }, each) => type === one.type && isInside(one, each)),
  );
  const listedBy = Object.fromEntries(kind.id.names.map((name) => [name, [id]]));
  const lists = contained.map(async (one) => {
    const found = await one.list(cloud.tolerating(recently), listedBy).catch(() => []);
    return found.map((parts) => ({ type: one.type, id: one.id.of(parts) })).filter((each) => isInside(one, each.id));
  });
  const existing = (await Promise.all(lists)).flat();
  if (existing.length === 0 && !session.graph.isCreated(session.graph.get(urn)?.id)) return undefined;
  // Some types cannot be listed by their parent, such as the permissions of users.
  const saved = (await session.state.now(urn))?.resources ?? [];
  const lost = contained.flatMap((one) => {
    const isLost = (each: string) => isInside(one, each) && !session.graph.isReplaced(one, each);
    const inside = [...existing, ...saved].filter(({ type, id: each }) => type === one.type && isLost(each));
    return [...new Set(inside.map((each) => `${each.type} ${each.id}`))];
  });
  return lost.length === 0
    ? undefined
    : `deleting ${id} also deletes ${listed(lost)}. If this update shows one of them as unchanged, \`pulumi up --refresh\` creates it again`;
}

/** In seconds: how long the provider tries to attach a resource again. */
const patience = 60;

/**
 * Deletes a resource while those that refer to it are detached from it. Their own updates, which attach them to the replacement, follow later,
 * unless the deletion fails. Then they are attached again.
 */
async function whileDetached(resource: Resource, id: string, poll: Poll, work: () => Promise<void>): Promise<void> {
  const { cloud, session, warn } = resource;
  const holders = session.holdersOf(id);
  try {
    for (const [, { kind, known }] of holders) await kind.detach?.from(cloud, known, id, poll.until);
    await work();
  } catch (error) {
    for (const [called, holder] of holders)
      await attach(holder, resource).catch(() => {
        const message = `${called} was detached from ${id}, which still exists, so ${called} differs from the state. Run \`pulumi up --refresh\``;
        warn({ code: "SideEffect", message });
      });
    throw error;
  }
}

async function attach({ kind, known }: Holder, context: Context): Promise<void> {
  const { input = "" } = kind.detach ?? {};
  const change = kind.changes[input];
  if (typeof change === "function") await change(context.cloud, known, { ...known, [input]: undefined }, new Poll(context, patience).until);
}
