import type { Kind } from "../../definition/definition.ts";
import type { AnyNeed } from "../../definition/needs.ts";
import type { RunSession } from "../../recovery/run-session.ts";
import { differs } from "../../schema/compare.ts";
import { schemaOf } from "../../schema/property.ts";
import { holdsUnknown, type Props, same } from "../../schema/values.ts";
import type { Context } from "../context.ts";
import { isUnseen } from "../errors.ts";
import { guarded, StillUnknown } from "../check/rules.ts";
import { nameOf } from "./claims.ts";
import type { Member } from "./members/member.ts";
import { type Members, placeIn } from "./members/members.ts";
import { pathsOf, shown, valueAt } from "./paths.ts";
import { firstLook } from "../../definition/recently.ts";

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
  const changed = (member.kind.needs ?? []).flatMap((need) =>
    isChanged(member, need, olds) ? pathsOf(member.inputs, need.by).map((path) => ({ need, path })) : [],
  );
  const found = await Promise.all(changed.map(({ need, path }) => lackAt(sight, session, { member, need, path })));
  return [...new Set(found.flat())];
}

/** Whether the platform is told of an input anew, with all that it holds. */
function isChanged({ kind, inputs }: Member, need: AnyNeed, olds: Props): boolean {
  const [by = need.by] = need.by.split(".");
  return !same(inputs[need.in], olds[need.in]) || differs(schemaOf(kind, by), inputs[by], olds[by]);
}

/**
 * Why a resource of the state cannot become what the program says, because another one that is to be made needs it as it is: the engine
 * comes to the two in no fixed order.
 */
export function refuseToLack(members: Members, kind: Kind, id: string, region: string): void {
  const host = members.holding(kind, id);
  if (!host) return;
  for (const member of members.all.filter(isToBeMade))
    for (const need of member.kind.needs ?? []) {
      if (need.within !== undefined || need.type !== kind.type || placeIn(member, need.in) !== id) continue;
      for (const path of pathsOf(member.inputs, need.by)) {
        const value = valueAt(member.inputs, path);
        if (!holdsUnknown(value) && !need.serves(host.inputs, value, region))
          throw new Error(`${shown(path)} of "${nameOf(member.urn)}": ${need.lacks(`"${nameOf(host.urn)}"`, value)}`);
      }
    }
}

function isToBeMade({ id, isMoved, isImported, leaves }: Member): boolean {
  return leaves !== undefined || (id === undefined && isMoved && !isImported);
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
  const host = need.within === undefined ? (members.get(place) ?? members.holding({ type: need.type }, place)) : undefined;
  const lack = `${shown(path)}: ${need.lacks(place.startsWith("urn:") ? `"${nameOf(place)}"` : place, value)}`;
  const { region } = sight.cloud;
  if (host && !need.serves(host.inputs, value, region)) return [lack];
  if (host ? comesAfter(members, member, host.urn) : isMadeBefore(members, asked, { place, value, region })) return [];
  try {
    if (!place.startsWith("urn:") && (await need.isThere(sight.cloud.tolerating(firstLook), place, value, guarded(member.inputs))))
      return [];
  } catch (error) {
    if (error instanceof StillUnknown) return [];
    if (!isUnseen(error)) throw error;
    const doubt = `whether what it needs in ${place} is there cannot be seen: ${error.reason} (${error.origin.action}: ${error.code})`;
    for (const sentence of session.unsaid(place, [`${shown(path)}: ${doubt}`])) sight.warn(sentence);
    return [];
  }
  return [lack];
}

/** Whether the program has what serves, and makes it before the resource. */
function isMadeBefore(
  members: Members,
  { member, need }: Asked,
  { place, value, region }: { place: string; value: unknown; region: string },
): boolean {
  return members.of(need.type).some((other) => {
    if (need.within === undefined || other.urn === member.urn) return false;
    const theirs = placeIn(other, need.within);
    return (theirs === undefined || theirs === place) && need.serves(other.inputs, value, region) && comesAfter(members, member, other.urn);
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
