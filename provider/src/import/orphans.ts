import { type Cloud, listed } from "@container-platform/sdk";
import { connected, type connectionOptions, type Given, print, type Session, UsageError } from "@container-platform/sdk/cli";
import type { Context } from "../lifecycle/context.ts";
import { sentenceAbout } from "../lifecycle/errors.ts";
import { heldByNone } from "../recovery/left-behind/held.ts";
import { OtherStacks } from "../recovery/other-stacks.ts";
import { Orphans } from "../recovery/orphans.ts";
import { stackOf } from "../recovery/ownership-tags.ts";
import {
  called,
  doubtAbout,
  inOrderOfRemoval,
  isBegun,
  liveOf,
  type Pending,
  pendingOf,
  remove,
  unsaved,
} from "../recovery/left-behind/pending.ts";
import type { SavedStack } from "../recovery/saved-resources.ts";
import { kinds } from "../resources/kinds.ts";
import { placeOfHome } from "../recovery/place.ts";
import { withSettled } from "../recovery/settled-beginnings.ts";
import { listStacks, savedStackIn } from "../runtime/stack-export.ts";
import { refuseWhileLocked } from "./lock.ts";
import { placeOf } from "./place.ts";
import { configurationOf, exportOf, type stackOptions } from "./stack.ts";
import { recently } from "../definition/recently.ts";

export const orphanOptions = {
  orphans: {
    summary: "Instead of a program, list the orphans of a stack: resources that an interrupted update did not record in the state.",
  },
  delete: {
    summary: "With --orphans: delete the orphans. If the state has no pending create of an orphan, also name the orphan with --id.",
  },
} as const;

type OrphanGiven = Given<typeof orphanOptions & typeof stackOptions & typeof connectionOptions>;
type Left = readonly Pending[];

/**
 * Lists or deletes the orphans of a stack on the platform that its configuration names. Needs no Pulumi engine, which starts no provider for
 * a stack without resources.
 *
 * @returns whether orphans remain
 */
export async function listOrDeleteOrphans(given: OrphanGiven, ids: readonly string[], session: Session): Promise<boolean> {
  const state = await exportOf(given.stack);
  const saved = withSettled(savedStackIn(state));
  const { urn } = saved;
  const stack = urn === undefined ? undefined : stackOf(urn);
  if (urn === undefined || stack === undefined) {
    session.say(
      "the state is empty, so that orphans of this stack are unknown. `npx container-platform-import` lists the resources that exist",
    );
    return false;
  }
  await using connection = await connected(given, session, { configured: await configurationOf(given.stack) });
  const { cloud, endpoint } = connection;
  const all = await Promise.all(Object.values(kinds).map(async (load) => (await load()).kind));
  const listed = await new Orphans().list(cloud, (why) => {
    throw new UsageError(why);
  });
  const place = placeOfHome({ endpoint, region: cloud.region, account: await cloud.account() });
  const found = await stillThere(cloud, unsaved(await pendingOf({ cloud, stack, place, kinds: all, listed }, saved), saved));
  const left = await heldByNone(found, new OtherStacks(listStacks), stack, place);
  if (left.length === 0) {
    session.say(`there are no orphans in ${placeOf(connection)}`);
    return false;
  }
  const toDelete = given.delete ? chosen(left, ids, saved) : [];
  if (toDelete.length > 0) await refuseOtherRun(urn, given.stack, state);
  const deleted = await deletedOf(toDelete, contextOf(cloud, session), saved);
  const kept = inOrderOfRemoval(left.filter((one) => !deleted.includes(one))).flat();
  for (const one of kept) print(`${called(one)}\n`);
  for (const one of kept.filter((each) => !isBegun(each, saved)))
    session.say(`${doubtAbout(one, saved)}, --delete --id ${one.id} deletes it`);
  return kept.length > 0;
}

/** The orphans to delete: those of the IDs or, without any, those that the state knows as begun. */
function chosen(left: Left, ids: readonly string[], saved: SavedStack): Left {
  const missing = ids.filter((id) => !left.some((one) => one.id === id));
  if (missing.length > 0) throw new UsageError(`--id: ${listed(missing)} ${missing.length === 1 ? "is" : "are"} not among the orphans`);
  return left.filter((one) => (ids.length > 0 ? ids.includes(one.id) : isBegun(one, saved)));
}

/**
 * Prevents the deletion of resources that another update creates: one that is under way, or that has ended since the state was read.
 *
 * @throws UsageError if there is such an update
 */
async function refuseOtherRun(urn: string, stack: string | undefined, state: string): Promise<void> {
  await refuseWhileLocked(urn);
  if ((await exportOf(stack)) === state) return;
  throw new UsageError("--delete: another run has changed the state since it was read", "Run the command again.");
}

/** Deletes resources, and returns those that are gone then. */
async function deletedOf(left: Left, context: Context, saved: SavedStack): Promise<Left> {
  const gone: Pending[] = [];
  const deleteOne = async (one: Pending): Promise<void> => {
    try {
      await remove(context, one, saved);
      gone.push(one);
      print(`deleted ${called(one)}\n`);
    } catch (error) {
      context.warn(sentenceAbout(error, `deleting ${called(one)}`, one.kind.hints));
    }
  };
  for (const group of inOrderOfRemoval(left)) await Promise.all(group.map(deleteOne));
  return gone;
}

/** What is on the platform. A creation in the intent log may not have come so far. */
async function stillThere(cloud: Cloud, found: Left): Promise<Left> {
  const live = await Promise.all(found.map((one) => liveOf(cloud.tolerating(recently), one)));
  return found.filter((_, index) => live[index] !== undefined);
}

function contextOf(cloud: Cloud, session: Session): Context {
  const say = (message: string) => {
    session.say(message);
  };
  return { cloud, signal: session.signal, show: () => undefined, note: say, warn: say };
}
