import { type Cidr, type Cloud, overlaps, parseCidr } from "@container-platform/sdk";
import { holdsUnknown, type Props } from "../schema/values.ts";

/** A value that only one resource can have at a time: a name, or a CIDR block. */
export interface UniqueConstraint<Inputs = Props> {
  /** The input with the value. */
  readonly by: keyof Inputs & string;
  /** Two names conflict if they are equal, two CIDR blocks if they overlap. */
  readonly as: "name" | "range";
  /** The input of the existing resource to compare with. Default: the same input. */
  readonly meets?: keyof Inputs & string;
  /** The input with the ID of the parent in which the value is unique. Default: the region. */
  readonly in?: keyof Inputs & string;
  /** Whether a value is free, where the platform knows more than the region's list. */
  readonly isFree?: (cloud: Cloud, value: string) => Promise<boolean>;
}

/** The two values of which only one can exist. */
export interface Conflict extends Pick<UniqueConstraint, "as" | "by"> {
  readonly in: string | undefined;
  readonly value: string;
  readonly otherBy: string;
  readonly otherValue: string;
}

/** The part of a resource's definition that decides which of its values are unique. */
export interface UniqueKind {
  readonly unique?: readonly UniqueConstraint[] | undefined;
  readonly id: { readonly names: readonly string[]; readonly of: (parts: Props) => string };
  readonly inputs: { readonly shape: object };
}

/** Whether two resources have the parent that an input names. */
type IsShared = (input: string) => boolean;

/**
 * The conflict of a new resource with one that exists before it.
 *
 * Why the order matters: the platform compares a new resource with the existing ones, and does not compare the other way round.
 */
export function conflictWith(
  constraints: readonly UniqueConstraint[] = [],
  inputs: Props,
  existing: Props,
  isShared: IsShared,
): Conflict | undefined {
  for (const { as, by, meets: otherBy = by, in: parent } of constraints) {
    const [value, otherValue] = [textIn(inputs, by), textIn(existing, otherBy)];
    if (value === undefined || otherValue === undefined || (parent !== undefined && !isShared(parent))) continue;
    const isConflict = as === "name" ? value === otherValue : rangesOverlap(rangeIn(inputs, by), rangeIn(existing, otherBy));
    if (isConflict) return { as, in: parent, by, value, otherBy, otherValue };
  }
  return undefined;
}

/** The same conflict, described from the existing resource. */
export function reversed(conflict: Conflict | undefined): Conflict | undefined {
  return conflict && { ...conflict, by: conflict.otherBy, value: conflict.otherValue, otherBy: conflict.by, otherValue: conflict.value };
}

/** The ID, if it consists of inputs and all of them are known. */
export function idFromInputs(kind: UniqueKind, inputs: Props): string | undefined {
  return isKeyed(kind) && kind.id.names.every((key) => !holdsUnknown(inputs[key])) ? kind.id.of(inputs) : undefined;
}

/** Whether the ID consists of inputs. The platform generates all other IDs. */
export function isKeyed({ id, inputs }: UniqueKind): boolean {
  return id.names.every((name) => name in inputs.shape);
}

/**
 * Whether a replacement can exist at the same time as the resource that it replaces. An unknown CIDR block counts as overlapping. An
 * unknown name counts as equal only if another input causes the replacement.
 *
 * @param replaceReasons the inputs that cause the replacement
 */
export function canCoexist(kind: UniqueKind, id: string, news: Props, olds: Props, replaceReasons: readonly string[] = []): boolean {
  if (idFromInputs(kind, news) === id) return false;
  const isShared: IsShared = (parent) => news[parent] === olds[parent];
  const mayConflict = ({ as, by, meets = by, in: parent }: UniqueConstraint) =>
    holdsUnknown(news[by]) &&
    textIn(olds, meets) !== undefined &&
    (parent === undefined || isShared(parent)) &&
    (as === "range" || replaceReasons.some((key) => key !== by));
  return !kind.unique?.some(mayConflict) && !conflictWith(kind.unique, news, olds, isShared);
}

/** A text that is known and not empty. */
export function textIn(props: Props, key: string): string | undefined {
  const value = props[key];
  return typeof value === "string" && value !== "" && !holdsUnknown(value) ? value : undefined;
}

// Parsed once: a resource is compared with many.
const parsed = new WeakMap<Props, Map<string, Cidr | undefined>>();

/** The CIDR block in a property; `undefined` if the value is unknown or not a CIDR block. */
export function rangeIn(props: Props, key: string): Cidr | undefined {
  const known = parsed.get(props) ?? new Map<string, Cidr | undefined>();
  parsed.set(props, known);
  if (!known.has(key)) known.set(key, parseCidr(textIn(props, key) ?? ""));
  return known.get(key);
}

function rangesOverlap(range: Cidr | undefined, other: Cidr | undefined): boolean {
  return range !== undefined && other !== undefined && overlaps(range, other);
}
