import { setTimeout as sleep } from "node:timers/promises";
import { listed } from "@container-platform/sdk";
import { stackOf } from "../../../recovery/ownership-tags.ts";
import type { RunSession } from "../../../recovery/run-session.ts";
import type { SavedResource } from "../../../recovery/saved-resources.ts";
import { placeOf } from "../../../schema/messages.ts";
import { nameOf } from "../claims.ts";

/** In milliseconds: how long the looks may take. The engine waits five seconds for its provider to exit. */
const limit = 3500;

/**
 * What leaves the program, although something that stays in it names it by its id, or has left something in it: `up` deletes it last of
 * all, and is refused. The engine asks for no deletion in a preview, and does not tell of `--target`: so this is known at the end of a
 * run that has changed nothing, and it is no refusal. One sentence each.
 */
export async function warningsOfDepartures(session: RunSession): Promise<readonly string[]> {
  const [some] = session.members.all;
  // After a refusal, the program has not been seen to its end.
  if (!some || session.hasChanged || session.checks.haveRefused) return [];
  const found = await Promise.race([look(session, some.urn), sleep(limit, undefined, { ref: false })]);
  return found ?? [];
}

async function look(session: RunSession, urn: string): Promise<readonly string[]> {
  const { members, named, leftBehind } = session;
  const left = leftBehind.unheld(members);
  const naming = await named.unheld(members, stackOf(urn) ?? "");
  if (left.length === 0 && naming.length === 0) return [];
  const saved = await session.saved(urn);
  if (!saved) return left.map(({ id, why }) => why(id));
  const leaving = new Map(saved.resources.flatMap((one) => (isLeaving(session, one) ? [[one.id, one]] : [])));
  const kept = left.flatMap(({ id, why }) => {
    const one = leaving.get(id);
    return one ? [`${unseen(one)}, but ${why(calledIn(one))}`] : [];
  });
  const byName = [...leaving.values()].flatMap((one) => {
    // What takes its output from the program has it there: --target keeps the engine from checking it.
    const names = naming.filter(({ id, source }) => id === one.id && source !== one.urn);
    return names.length === 0 ? [] : [namedStill(one, names)];
  });
  return [...kept, ...byName];
}

/** What another `Provider` has is in a process of its own, and what is retained is not deleted. */
function isLeaving({ claims, provider }: RunSession, one: SavedResource): boolean {
  return one.provider === provider && !one.isRetained && !claims.isChecked(one.urn) && !claims.isClaimed(one);
}

function namedStill(one: SavedResource, names: readonly { readonly urn: string; readonly path: readonly PropertyKey[] }[]): string {
  const called = calledIn(one);
  const others = listed([...new Set(names.map(({ urn, path }) => `"${nameOf(urn)}" (${placeOf(path)})`))]);
  return `${unseen(one)}, but ${others} of the program ${names.length === 1 ? "names" : "name"} ${one.id}. \`pulumi up\` deletes it last, unless --target leaves it out: the platform refuses that, or they lose it. Put ${called} back into the program; or let what names it name another one, or take that out, too`;
}

/** The program may not have come to its end, or `--target` may keep it. */
function unseen(one: SavedResource): string {
  return `${calledIn(one)} (${one.id}) is in the stack, and not in the program as far as this run has seen it`;
}

function calledIn({ type, urn }: SavedResource): string {
  return `${type} "${nameOf(urn)}"`;
}
