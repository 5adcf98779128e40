import { isDeepStrictEqual } from "node:util";

/** A value that is known only after apply. */
export class Unknown {
  /** The URNs of the resources that it comes from, as far as they are known. */
  readonly from: readonly string[];

  constructor(from: readonly string[] = []) {
    this.from = from.toSorted();
  }
}

/** Why a value is taken for a secret: the engine marks it (`marked`), the resource's definition says so (`defined`), or the look of the value. */
export type SecretSign = "marked" | "defined" | "private key" | "kubeconfig" | "JWT" | "script" | "high entropy" | "credential";

/** A value that is not shown. `digest` is a keyed hash of it, if the engine has shown it: equal values have equal hashes. */
export class Secret {
  readonly sign: SecretSign;
  readonly digest: string | undefined;

  constructor(sign: SecretSign, digest: string | undefined) {
    this.sign = sign;
    this.digest = digest;
  }
}

/** A value of an input: plain JSON, except that values at any depth may be unknown or secret. */
export type Value = string | number | boolean | null | Unknown | Secret | readonly Value[] | Fields;
export interface Fields {
  readonly [name: string]: Value;
}

export function isFields(value: Value | undefined): value is Fields {
  return typeof value === "object" && value !== null && !isList(value) && !(value instanceof Unknown) && !(value instanceof Secret);
}

export function isText(value: Value | undefined): value is string {
  return typeof value === "string";
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** Whether something is true of a value, or of a part of it. */
export function holds(value: Value | undefined, is: (part: Value | undefined) => boolean): boolean {
  if (is(value)) return true;
  if (isList(value)) return value.some((item) => holds(item, is));
  return isFields(value) && Object.values(value).some((item) => holds(item, is));
}

export function holdsUnknown(value: Value | undefined): boolean {
  return holds(value, (part) => part instanceof Unknown);
}

/** The URNs of the resources that the unknown parts of a value come from. */
export function sourcesOf(value: Value | undefined): readonly string[] {
  if (value instanceof Unknown) return value.from;
  const parts = isList(value) ? value : isFields(value) ? Object.values(value) : [];
  return [...new Set(parts.flatMap(sourcesOf))];
}

/** Whether a value, or a part of it, cannot be judged: it is not known yet, or secret. */
export function holdsHidden(value: Value | undefined): boolean {
  return holds(value, (part) => part instanceof Unknown || part instanceof Secret);
}

/** Whether two values differ in a part that cannot be judged. A part that nobody shows counts as another one. */
export function differsInHidden(one: Value | undefined, other: Value | undefined): boolean {
  if (isFields(one) && isFields(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return keys.some((key) => differsInHidden(one[key], other[key]));
  }
  const parts = isList(one) && isList(other) ? [...without(one, other), ...without(other, one)] : [one, other];
  return !alike(one, other) && parts.some(holdsHidden);
}

/** The entries of a list that another list does not have. */
export function without(items: readonly Value[], others: readonly Value[]): Value[] {
  const left = [...others];
  return items.filter((item) => {
    const place = left.findIndex((other) => alike(item, other));
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

export function alike(one: Value | undefined, other: Value | undefined): boolean {
  if (one instanceof Unknown || other instanceof Unknown) return false;
  if (one instanceof Secret || other instanceof Secret)
    return one instanceof Secret && other instanceof Secret && one.digest !== undefined && one.digest === other.digest;
  if (isList(one) && isList(other)) return one.length === other.length && one.every((item, index) => alike(item, other[index]));
  if (isFields(one) && isFields(other)) {
    const keys = Object.keys(one);
    return keys.length === Object.keys(other).length && keys.every((key) => key in other && alike(one[key], other[key]));
  }
  return isDeepStrictEqual(one, other);
}
