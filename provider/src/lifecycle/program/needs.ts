import type { AnyNeed } from "../../definition/needs.ts";
import type { RunSession } from "../../recovery/run-session.ts";
import { holdsUnknown, isAmong, type Props, same } from "../../schema/values.ts";
import type { Context } from "../context.ts";
import { isUnseen } from "../errors.ts";
import { guarded, StillUnknown } from "../rules.ts";
import { nameOf } from "./claims.ts";
import { type Member, type Members, placeIn } from "./members.ts";
import { pathsOf, shown, valueAt } from "./paths.ts";

/** Milliseconds that an answer may be old where it is only a first look. */
const recently = 10_000;

type Sight = Pick<Context, "cloud" | "warn">;

/**
 * What a checked resource needs and what is not there, one sentence each. It may be on the platform, or in the program if that makes it
 * first: the engine makes at once what nothing has wait. Only what is new or has changed is looked at.
 *
 * @param olds the inputs as last deployed
 */
export async function unmetNeeds(sight: Sight, session: RunSession, urn: string, olds: Props): Promise<readonly string[]> {
  const member = session.members.get(urn);
  if (!member || member.isImported) return [];
  const all = (member.kind.needs ?? []).flatMap((need) => pathsOf(member.inputs, need.by).map((path) => ({ need, path })));
  const changed = all.filter(
    ({ need, path }) => !same(member.inputs[need.in], olds[need.in]) || !isAmong(olds, path.split("."), valueAt(member.inputs, path)),
  );
  const found = await Promise.all(changed.map(({ need, path }) => lackAt(sight, session, { member, need, path })));
  return [...new Set(found.flat())];
}

interface Asked {
  readonly member: Member;
  readonly need: AnyNeed;
  readonly path: string;
}

async function lackAt(sight: Sight, session: RunSession, asked: Asked): Promise<readonly string[]> {
  const { members } = session;
  const { member, need, path } = asked;
  const value = valueAt(member.inputs, path);
  const place = placeIn(member, need.in);
  // What is of no known resource, or has no known value, cannot be told.
  if (place === undefined || holdsUnknown(value) || (place.startsWith("urn:") && !members.get(place))) return [];
  if (isMadeBefore(members, asked, { place, value })) return [];
  try {
    if (!place.startsWith("urn:") && (await need.isThere(sight.cloud.tolerating(recently), place, value, guarded(member.inputs))))
      return [];
  } catch (error) {
    if (error instanceof StillUnknown) return [];
    if (!isUnseen(error)) throw error;
    const doubt = `whether what it needs in ${place} is there cannot be seen: ${error.reason} (${error.origin.action}: ${error.code})`;
    for (const sentence of session.unsaid(place, [`${shown(path)}: ${doubt}`])) sight.warn(sentence);
    return [];
  }
  return [`${shown(path)}: ${need.lacks(place.startsWith("urn:") ? `"${nameOf(place)}"` : place, value)}`];
}

/** Whether the program has what serves, and makes it before the resource. */
function isMadeBefore(members: Members, { member, need }: Asked, { place, value }: { place: string; value: unknown }): boolean {
  return members.of(need.type).some((other) => {
    const theirs = placeIn(other, need.within);
    if (other.urn === member.urn || (theirs !== undefined && theirs !== place)) return false;
    return need.serves(other.inputs, value) && comesAfter(members, member, other.urn);
  });
}

/** Whether a resource waits for another one, as far as can be told: what is not of these packages may wait for anything. */
function comesAfter(members: Members, member: Member, first: string): boolean {
  const seen = new Set<string>();
  const waiting = [member.urn];
  for (let urn = waiting.pop(); urn !== undefined; urn = waiting.pop()) {
    const one = members.get(urn);
    if (!one || urn === first) return true;
    for (const before of [...Object.values(one.of), ...one.after].filter((each) => !seen.has(each))) {
      seen.add(before);
      waiting.push(before);
    }
  }
  return false;
}
