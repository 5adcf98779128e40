import type { Served } from "../../definition/definition.ts";
import type { RunSession } from "../../recovery/run-session.ts";
import type { Props } from "../../schema/values.ts";
import { nameOf } from "./claims.ts";
import type { Member } from "./members/member.ts";
import { type Members, placeIn } from "./members/members.ts";

/**
 * What needs others in one place with it, and gets none there: the place is new, so that nobody else can have put them there. The engine
 * may check what serves last of all: so this is known at the end of a run that has changed nothing. One sentence each.
 */
export function warningsOfUnserved({
  members,
  hasChanged,
  checks,
}: Pick<RunSession, "members" | "hasChanged" | "checks">): readonly string[] {
  // After a refusal, the program has not been seen to its end.
  if (hasChanged || checks.haveRefused) return [];
  return members.all.flatMap((member) => {
    const { served } = member.kind.rare ?? {};
    const place = served && newPlaceOf(members, member, served);
    if (!place || served.byItself(place.inputs) || members.of(served.by).some((one) => mayServe(one, place, served))) return [];
    return [unserved(called(member), called(place), served)];
  });
}

/** What a resource that is to be made is in, if that is to be made, too. */
function newPlaceOf(members: Members, member: Member, { in: by, type }: Served<Props>): Member | undefined {
  const id = placeIn(member, by);
  const place = id === undefined ? undefined : (members.get(id) ?? members.holding({ type }, id));
  return place && isMade(member) && isMade(place) ? place : undefined;
}

function isMade({ id, leaves, isImported }: Member): boolean {
  return !isImported && (id === undefined || leaves !== undefined);
}

/** Where one is that nobody knows the place of, is not known. */
function mayServe(one: Member, { urn, id }: Member, { within, serves }: Served<Props>): boolean {
  const place = placeIn(one, within);
  return (place === undefined || place === urn || place === id) && serves(one.inputs);
}

function called({ kind, urn }: Member): string {
  return `${kind.type} "${nameOf(urn)}"`;
}

function unserved(one: string, place: string, { needs, remedy }: Pick<Served<Props>, "needs" | "remedy">): string {
  return `${one} needs ${needs}, and the new ${place} gets none, as far as this run has seen: it cannot be made so. ${remedy}`;
}
