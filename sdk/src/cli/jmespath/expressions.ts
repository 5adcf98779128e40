import { isList, isObject, type Json } from "../../operation/codec.ts";
import { byCodePoint } from "../code-points.ts";

/** A compiled expression: a function from a value to the result. Larger expressions combine such functions. */
export type Evaluate = (value: Json) => Json;

export const current: Evaluate = (value) => value;

export function literal(value: Json): Evaluate {
  return () => value;
}

/** A field of an object. What JavaScript objects inherit is no field. */
export function field(name: string): Evaluate {
  return (value) => (isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null);
}

/** `left | right`. Also used for `left.right` and `left[0]`. */
export function chain(left: Evaluate, right: Evaluate): Evaluate {
  return left === current ? right : (value) => right(left(value));
}

export function index(at: number): Evaluate {
  return (value) => (isList(value) ? (value.at(at) ?? null) : null);
}

interface Range {
  readonly start: number | undefined;
  readonly stop: number | undefined;
  /** Never 0. */
  readonly step: number;
}

/** Python's slices. */
export function slice({ start, stop, step }: Range): Evaluate {
  return (value) => {
    if (!isList(value)) return null;
    const [lowest, highest] = step > 0 ? [0, value.length] : [-1, value.length - 1];
    const inside = (at: number): number => Math.min(Math.max(at < 0 ? at + value.length : at, lowest), highest);
    const first = start === undefined ? (step > 0 ? lowest : highest) : inside(start);
    const end = stop === undefined ? (step > 0 ? highest : lowest) : inside(stop);
    const taken: Json[] = [];
    for (let at = first; step > 0 ? at < end : at > end; at += step) taken.push(value[at] ?? null);
    return taken;
  };
}

export function flatten(list: Evaluate): Evaluate {
  return (value) => {
    const items = list(value);
    return isList(items) ? items.flatMap((item) => item) : null;
  };
}

/** `list[*].each`: the result for each item, without those that are null. */
export function projection(list: Evaluate, each: Evaluate): Evaluate {
  return (value) => {
    const items = list(value);
    return isList(items) ? projected(items, each) : null;
  };
}

/** `object.*.each` */
export function valueProjection(object: Evaluate, each: Evaluate): Evaluate {
  return (value) => {
    const fields = object(value);
    return isObject(fields) ? projected(Object.values(fields), each) : null;
  };
}

/** `list[?condition].each` */
export function filterProjection(list: Evaluate, condition: Evaluate, each: Evaluate): Evaluate {
  return (value) => {
    const items = list(value);
    const chosen = (item: Json): boolean => isTrue(condition(item));
    return isList(items) ? projected(items.filter(chosen), each) : null;
  };
}

function projected(items: readonly Json[], each: Evaluate): Json {
  return items.map(each).filter((item) => item !== null);
}

export function multiSelectList(members: readonly Evaluate[]): Evaluate {
  return (value) => (value === null ? null : members.map((member) => member(value)));
}

export function multiSelectHash(members: readonly (readonly [name: string, member: Evaluate])[]): Evaluate {
  return (value) => (value === null ? null : Object.fromEntries(members.map(([name, member]) => [name, member(value)])));
}

export function or(left: Evaluate, right: Evaluate): Evaluate {
  return (value) => {
    const first = left(value);
    return isTrue(first) ? first : right(value);
  };
}

export function and(left: Evaluate, right: Evaluate): Evaluate {
  return (value) => {
    const first = left(value);
    return isTrue(first) ? right(value) : first;
  };
}

export function not(expression: Evaluate): Evaluate {
  return (value) => !isTrue(expression(value));
}

export const comparators = {
  "==": equal,
  "!=": (left, right) => !equal(left, right),
  "<": ordered((order) => order < 0),
  "<=": ordered((order) => order <= 0),
  ">": ordered((order) => order > 0),
  ">=": ordered((order) => order >= 0),
} satisfies Record<string, (left: Json, right: Json) => Json>;

export function comparison(comparator: keyof typeof comparators, left: Evaluate, right: Evaluate): Evaluate {
  const compare = comparators[comparator];
  return (value) => compare(left(value), right(value));
}

/**
 * Compares numbers, and strings such as dates. For strings the specification gives null, but the reference implementation compares
 * them, and existing filters rely on that. Anything else gives null.
 */
function ordered(holds: (order: number) => boolean): (left: Json, right: Json) => boolean | null {
  return (left, right) => {
    if (typeof left === "number" && typeof right === "number") return holds(left - right);
    return typeof left === "string" && typeof right === "string" ? holds(byCodePoint(left, right)) : null;
  };
}

export function equal(left: Json, right: Json): boolean {
  if (isList(left) && isList(right)) return left.length === right.length && left.every((item, at) => equal(item, right[at] ?? null));
  if (!isObject(left) || !isObject(right)) return left === right;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && equal(left[name] ?? null, right[name] ?? null));
}

function isTrue(value: Json): boolean {
  if (isList(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return value !== null && value !== false && value !== "";
}
