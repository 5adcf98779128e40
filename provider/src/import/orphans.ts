import { type Cloud, listed } from "@container-platform/sdk";
import { connected, type connectionOptions, type Given, print, type Session, UsageError } from "@container-platform/sdk/cli";
import { type Coded, ProviderError } from "../definition/codes.ts";
import { type Context, recently } from "../definition/context.ts";
import { deleteUntilGone } from "../lifecycle/delete.ts";
import { sentenceAbout } from "../lifecycle/errors.ts";
import { Poll } from "../lifecycle/poll.ts";
import { called, explanation, findOrphans, liveOrphan, type Orphan } from "../ownership/orphans.ts";
import { PendingResources } from "../ownership/pending.ts";
import { stackCalled } from "../ownership/tags.ts";
import { orphanCommand, withRemedies } from "../program/messages.ts";
import { everyKind } from "../resources/kinds.ts";
import { stateIn } from "../runtime/stack-export.ts";
import { pick } from "../schema/values.ts";
import { refuseWhileLocked } from "./lock.ts";
import { placeOf } from "./place.ts";
import { allStacks, configurationOf, exportOf, nameOfStack, type StackName, type stackOptions, urnOfStack } from "./stack.ts";

export const orphanOptions = {
  orphans: {
    summary: "Instead of a program, list the orphans of a stack: resources that an interrupted update did not record in the state.",
  },
  delete: {
    summary: "With --orphans: delete the orphans. If the state has no pending create of an orphan, also name the orphan with --id.",
  },
} as const;

type OrphanGiven = Given<typeof orphanOptions & typeof stackOptions & typeof connectionOptions>;
type OrphanList = readonly Orphan[];

/**
 * Lists or deletes the orphans of a stack on the platform that its configuration names. Needs no Pulumi engine, which starts no provider for
 * a stack without resources.
 *
 * @returns whether orphans remain
 */
export async function listOrDeleteOrphans(given: OrphanGiven, ids: readonly string[], session: Session): Promise<boolean> {
  const [text, name] = await Promise.all([exportOf(given.stack), nameOfStack(given.stack)]);
  const state = stateIn(text);
  await using connection = await connected(given, session, { configured: await configurationOf(given.stack) });
  const cloud = connection.cloud.tolerating(recently);
  const context = contextOf(connection.cloud, session);
  const refuse = ({ message }: Coded): never => {
    throw new UsageError(message);
  };
  const pending = new PendingResources();
  await pending.list(cloud, refuse);
  const urn = urnOfStack(name);
  const orphans = await findOrphans({ cloud, warn: context.warn, urn, kinds: await everyKind(), pending }, state);
  if (orphans.length === 0) {
    session.say(`there are no orphans in ${placeOf(connection)}`);
    return false;
  }
  const toDelete = given.delete ? chosen(orphans, ids) : [];
  await requireNoOtherStack(toDelete);
  const requireUnchanged = () => refuseOtherUpdate(name, given.stack, text);
  const deleted = await deletedOf(toDelete, context, requireUnchanged);
  const kept = inOrderOfDeletion(orphans.filter((one) => !deleted.includes(one))).flat();
  for (const one of kept.filter(({ proof }) => proof !== "foreign" && proof !== "another stack")) print(`${called(one)}\n`);
  for (const one of kept.filter(({ proof }) => proof !== "proven")) session.say(explanation(one));
  return kept.length > 0;
}

/** The orphans to delete: those of the IDs or, without any, those that the state proves. */
function chosen(orphans: OrphanList, ids: readonly string[]): OrphanList {
  const missing = ids.filter((id) => !orphans.some((one) => one.id === id));
  if (missing.length > 0) throw new UsageError(`--id: ${listed(missing)} ${missing.length === 1 ? "is" : "are"} not among the orphans`);
  return orphans.filter((one) => (ids.length > 0 ? ids.includes(one.id) : one.proof === "proven"));
}

/** @throws UsageError for a resource whose tags name another stack of the backend: that stack may manage it */
async function requireNoOtherStack(orphans: OrphanList): Promise<void> {
  const named = orphans.filter(({ proof }) => proof === "another stack");
  const existing = named.length === 0 ? [] : await allStacks();
  const [{ id, stack = "" } = {}] = named.filter((one) => existing.includes(one.stack ?? ""));
  if (id !== undefined)
    throw new UsageError(`--id: ${id} has the ownership tags of ${stackCalled(stack)}`, "List the orphans of that stack.");
}

/** @throws UsageError if an update is running, or has changed the state: it may have recovered an orphan */
async function refuseOtherUpdate(name: StackName, stack: string | undefined, state: string): Promise<void> {
  await refuseWhileLocked(name);
  if ((await exportOf(stack)) === state) return;
  throw new UsageError("--delete: another update has changed the state since it was read", "Run the command again.");
}

/**
 * Deletes resources, one type after the other, and returns those that are gone then.
 *
 * @param requireUnchanged throws if an update of the stack has begun
 */
async function deletedOf(orphans: OrphanList, context: Context, requireUnchanged: () => Promise<void>): Promise<OrphanList> {
  const gone: Orphan[] = [];
  const deleteOne = async (one: Orphan): Promise<void> => {
    try {
      await deleteOrphan(context, one);
      gone.push(one);
      print(`deleted ${called(one)}\n`);
    } catch (error) {
      context.note(sentenceAbout(error, `deleting ${called(one)}`, one.kind.hints));
    }
  };
  for (const group of inOrderOfDeletion(orphans)) {
    await requireUnchanged();
    await Promise.all(group.map(deleteOne));
  }
  return gone;
}

/** Groups of one type each, contained resources first. */
export function inOrderOfDeletion(orphans: OrphanList): readonly OrphanList[] {
  const types = [...new Set(orphans.map(({ kind }) => kind))];
  return types.toReversed().map((kind) => orphans.filter((one) => one.kind === kind));
}

/** Deletes an orphan, and waits until nothing of it is left. @throws Error if it is protected, or the platform rejects the deletion */
export async function deleteOrphan(context: Context, one: Pick<Orphan, "kind" | "id" | "create">): Promise<void> {
  const { kind, create } = one;
  // The platform does not return the inputs that only decide how to delete.
  const local = Object.keys(kind.changes).filter((key) => kind.changes[key] === "local-only");
  const known = await liveOrphan(context.cloud, one, pick(create?.inputs ?? {}, local));
  if (!known) return;
  const { protectedBy } = kind;
  if (protectedBy !== undefined && known[protectedBy] === true) {
    const remedies = [
      `If the program declares it, set ${protectedBy} to false and run \`pulumi up\``,
      "Otherwise turn it off in the console or with cpcli",
    ];
    throw new ProviderError("Protected", withRemedies(`${protectedBy} is on`, remedies));
  }
  const poll = new Poll(context, kind.seconds?.delete ?? 600, { next: `\`${orphanCommand}\` continues`, longer: undefined });
  await deleteUntilGone(kind, context, poll, known);
}

function contextOf(cloud: Cloud, session: Session): Context {
  const say = session.say.bind(session);
  return { cloud, signal: session.signal, show: () => undefined, note: say, warn: ({ message }) => say(message) };
}
