import { listed } from "@container-platform/sdk";
import type { Kind } from "../../definition/definition.ts";
import type { RunSession } from "../../recovery/run-session.ts";
import { type Props, same } from "../../schema/values.ts";
import type { Context } from "../context.ts";
import { isUnseen } from "../errors.ts";
import { nameOf } from "./claims.ts";
import type { Member } from "./members/member.ts";
import { placeIn } from "./members/members.ts";
import { recently } from "../../definition/recently.ts";

type Sight = Pick<Context, "cloud" | "warn">;

/**
 * Why there is no room for a checked resource beside those of the program that were checked before it. Warns of what goes beyond the
 * default of a region. What cannot be read refuses nothing.
 *
 * @param olds the inputs as last deployed
 */
export async function withoutRoom(sight: Sight, session: RunSession, urn: string, olds: Props): Promise<readonly string[]> {
  const member = session.members.get(urn);
  if (!member || member.isImported) return [];
  try {
    if (Object.keys(olds).length === 0) await warnBeyond(sight, session, member);
    return await crowded(sight, session, member, olds);
  } catch (error) {
    if (isUnseen(error)) return [];
    throw error;
  }
}

/** Whether a member is still to be made, beside all that is there. */
function isComing({ made }: RunSession, { urn, id, leaves, isImported }: Member): boolean {
  return !isImported && !made.has(urn) && (id === undefined || leaves === "last");
}

async function crowded({ cloud }: Sight, session: RunSession, member: Member, olds: Props): Promise<readonly string[]> {
  const { room, type } = member.kind;
  if (!room || same(member.inputs[room.by], olds[room.by])) return [];
  const place = placeIn(member, room.by);
  const others = session.members
    .of(type)
    .filter((one) => one.urn !== member.urn && isComing(session, one) && placeIn(one, room.by) === place);
  if (place === undefined || others.length === 0) return [];
  const host = session.members.get(place);
  const free = place.startsWith("urn:") ? host && room.freeInNew(host.inputs) : await room.freeIn(cloud.tolerating(recently), place);
  const taken = others.length * room.takes;
  if (free === undefined || free - taken >= room.least) return [];
  const names = listed(others.map(({ urn }) => `"${nameOf(urn)}"`));
  const called = host ? `"${nameOf(place)}"` : place;
  return [`${room.by}: ${crowdedIn(member.kind, called, String(free), names, String(taken))}`];
}

function crowdedIn({ type, room }: Pick<Kind, "type" | "room">, subnet: string, free: string, names: string, taken: string): string {
  return `${subnet} has ${free} free addresses, and ${names} of this program, made beside it, take ${taken}: a ${type} needs ${room?.least ?? 0} or more. Take another subnet, or a larger one`;
}

/** Quotas are of accounts, and no operation tells them: so this is a warning. */
async function warnBeyond({ cloud, warn }: Sight, session: RunSession, member: Member): Promise<void> {
  const { kind } = member;
  const { usualMost, neighbours, type } = kind;
  if (usualMost === undefined || !neighbours || !isComing(session, member)) return;
  const coming = session.members.of(type).filter((one) => isComing(session, one)).length;
  const listing = session.listings.get(type) ?? neighbours(cloud);
  session.listings.set(type, listing);
  listing.catch(() => session.listings.delete(type));
  const there = new Set([...(await listing).map((one) => kind.id.of(one)), ...session.members.of(type).flatMap(({ id }) => id ?? [])]).size;
  if (there + coming <= usualMost) return;
  for (const sentence of session.unsaid(type, [beyond(type, cloud.region, usualMost)])) warn(sentence);
}

function beyond(type: string, region: string, most: number): string {
  return `${region} takes ${most} ${type}s by default, and with this program it has more: unless the account has a higher quota, the platform refuses the last (LimitExceeded). Delete what nobody needs, or ask for more first`;
}
