import { type Cidr, overlaps, parseCidr } from "@container-platform/sdk";
import type { Kind } from "../../../definition/definition.ts";
import type { AnySole } from "../../../definition/sole.ts";
import { idFrom } from "../claims.ts";
import { holdsUnknown, type Props } from "../../../schema/values.ts";

/** What two resources have of which only one can have it. */
export interface Meeting {
  readonly as: AnySole["as"];
  /** The input with the id of what both are in. */
  readonly in: string | undefined;
  readonly by: string;
  readonly value: string;
  readonly otherBy: string;
  readonly otherValue: string;
}

/**
 * Where a resource meets another one of its kind. Values that are not known are left out.
 *
 * @param isShared whether both are in the same place
 */
export function meetingOf(kind: Pick<Kind, "sole">, one: Props, other: Props, isShared: (place: string) => boolean): Meeting | undefined {
  const found = meetingWithEarlier(kind, one, other, isShared);
  // Where an input meets the same one of the other, the order does not count.
  if (found || !kind.sole?.some(({ meets }) => meets !== undefined)) return found;
  return turned(meetingWithEarlier(kind, other, one, isShared));
}

/**
 * Where a new resource meets one of its kind that is there before it. The platform holds what is new against what is there, and not the
 * other way round: what `meets` names another input may be taken first, and not last.
 */
export function meetingWithEarlier(
  { sole = [] }: Pick<Kind, "sole">,
  one: Props,
  other: Props,
  isShared: (place: string) => boolean,
): Meeting | undefined {
  for (const { as, by, meets: otherBy = by, in: place } of sole) {
    if (as === "range" && !doOverlap(one, by, other, otherBy)) continue;
    const [value, otherValue] = [textIn(one, by), textIn(other, otherBy)];
    if (value === undefined || otherValue === undefined || (as === "name" && value !== otherValue)) continue;
    if (place === undefined || isShared(place)) return { as, in: place, by, value, otherBy, otherValue };
  }
  return undefined;
}

export function turned(meeting: Meeting | undefined): Meeting | undefined {
  if (!meeting) return undefined;
  const { by, value, otherBy, otherValue } = meeting;
  return { ...meeting, by: otherBy, value: otherValue, otherBy: by, otherValue: value };
}

/**
 * Whether a resource with new inputs can stand beside the one that it would replace. A value that is not known yet is taken for one
 * that meets the old one; a name only if the resource is replaced for another input too, because only then it may be the same. What is
 * in another place, or in one that is not known yet, and so is a new one, can.
 *
 * @param because the inputs that replace it
 */
export function canStandBeside(kind: Kind, id: string, news: Props, olds: Props, because: readonly string[] = []): boolean {
  if (idFrom(kind, news) === id) return false;
  const isShared = (place: string) => news[place] === olds[place];
  const isOpen = (kind.sole ?? []).some(
    ({ as, by, meets = by, in: place }) =>
      holdsUnknown(news[by]) &&
      textIn(olds, meets) !== undefined &&
      (place === undefined || isShared(place)) &&
      (as === "range" || because.some((key) => key !== by)),
  );
  return !isOpen && meetingWithEarlier(kind, news, olds, isShared) === undefined;
}

/** A text that is known and not empty. */
export function textIn(props: Props, key: string): string | undefined {
  const value = props[key];
  return typeof value === "string" && value !== "" && !holdsUnknown(value) ? value : undefined;
}

// A cache: each value follows from its key.
const ranges = new WeakMap<Props, Map<string, Cidr | undefined>>();

/** The range in an input; `undefined` if there is none that is known. */
export function rangeIn(props: Props, key: string): Cidr | undefined {
  let known = ranges.get(props);
  if (!known) ranges.set(props, (known = new Map<string, Cidr | undefined>()));
  if (!known.has(key)) known.set(key, parseCidr(textIn(props, key) ?? ""));
  return known.get(key);
}

function doOverlap(one: Props, key: string, other: Props, otherKey: string): boolean {
  const range = rangeIn(one, key);
  if (!range) return false;
  const otherRange = rangeIn(other, otherKey);
  return otherRange !== undefined && overlaps(range, otherRange);
}
