import type { Joined } from "../../../definition/definition.ts";
import { holdsUnknown, type Props, same } from "../../../schema/values.ts";
import { nameOf } from "../claims.ts";
import type { Member } from "../members/member.ts";
import { type Members, placeIn } from "../members/members.ts";
import { pathsOf, shown, valueAt } from "../paths.ts";
import { textIn } from "./sole.ts";

/** What a resource refers to, where both are of this program: the platform cannot tell of what is not made yet. */

/**
 * Why a checked resource cannot have what it refers to, one sentence each. Only what is new or has changed is refused.
 *
 * @param olds the inputs as last deployed
 */
export function misplaced(member: Member, members: Members, olds: Props): readonly string[] {
  const sentences = (member.kind.joined ?? []).flatMap((one) =>
    pathsOf(member.inputs, one.by).map((path) => flawAt(path, one, { member, members, olds })),
  );
  return sentences.filter((sentence) => sentence !== undefined);
}

interface Scene {
  readonly member: Member;
  readonly members: Members;
  readonly olds: Props;
}

function flawAt(path: string, joined: Joined, { member, members, olds }: Scene): string | undefined {
  const as = typeof joined.as === "string" ? sibling(joined.as, path) : joined.as.by;
  if (
    [path, as, ...(joined.beside === undefined ? [] : [joined.beside])].every((one) =>
      same(valueAt(member.inputs, one), valueAt(olds, one)),
    )
  )
    return undefined;
  const other = referred(member, members, path, joined.type);
  if (!other) return undefined;
  const called = `${shown(path)}: "${nameOf(other.urn)}"`;
  const host = typeof joined.as === "string" ? undefined : referred(member, members, as, joined.as.type);
  const own = typeof joined.as === "string" ? sourceAt(member, as) : host && placeIn(host, joined.as.in);
  const theirs = placeIn(other, joined.in);
  if (own !== undefined && theirs !== undefined && own !== theirs)
    return `${called} is in ${spelt(theirs)}: it takes a ${joined.type} of ${spelt(own)}`;
  const flaw = joined.flaw?.(other.inputs, member.inputs);
  return flaw === undefined ? undefined : `${called} ${flaw}`;
}

/** The member of the program that an input refers to. */
function referred(member: Member, members: Members, path: string, type: string): Member | undefined {
  const id = textIn({ id: valueAt(member.inputs, path) }, "id");
  return id === undefined ? members.get(member.of[path]) : members.holding({ type }, id);
}

/** The id at a path; while it is not known, the URN of what it is of. */
function sourceAt({ inputs, of }: Member, path: string): string | undefined {
  const value = valueAt(inputs, path);
  return textIn({ value }, "value") ?? (holdsUnknown(value) ? of[path] : undefined);
}

/** A pattern with the indexes of a path. */
function sibling(pattern: string, path: string): string {
  const indexes = path.split(".").filter((key) => /^\d+$/.test(key));
  return pattern.replace(/\*/g, () => indexes.shift() ?? "*");
}

const spelt = (place: string): string => (place.startsWith("urn:") ? `"${nameOf(place)}"` : place);
