import { isDeepStrictEqual } from "node:util";

/** Properties of a resource by name, its private state (`__…`) included. */
export type Props = Readonly<Record<string, unknown>>;

/** Pulumi's placeholder for a value that a preview cannot know yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function holdsUnknown(value: unknown): boolean {
  return value === unknown || (typeof value === "object" && value !== null && Object.values(value).some(holdsUnknown));
}

export function isProps(value: unknown): value is Props {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A property of its own, whatever it is called: tags and labels may be called `constructor`. */
export function own<T>(props: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return props && Object.hasOwn(props, key) ? props[key] : undefined;
}

/** The texts in a value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether two values are equal. A property that is `undefined` counts as missing. */
export function same(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(clean(one), clean(other));
}

/** Without the properties that are `undefined`, at any depth. */
function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  return isProps(value) ? cleanProps(value) : value;
}

export function cleanProps(props: Props): Props {
  return Object.fromEntries(Object.entries(props).flatMap(([key, inner]) => (inner === undefined ? [] : [[key, clean(inner)]])));
}

export function pick(props: Props, keys: readonly string[]): Props {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(props, key)).map((key) => [key, props[key]]));
}

/** The items of `one` that are not in `other`, whatever the order. */
export function without<T>(one: readonly T[], other: readonly T[]): T[] {
  return one.filter((item) => !other.some((candidate) => same(item, candidate)));
}

/** The value at a path; `unknown` where a value on the way is not known yet. */
export function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (inner === unknown) return unknown;
    return typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined;
  }, value);
}

/** Whether a value is at a path, at whatever places of the lists on the way. */
export function isAmong(before: unknown, [key, ...rest]: readonly PropertyKey[], value: unknown): boolean {
  if (key === undefined) return same(before, value);
  if (Array.isArray(before)) return before.some((item) => isAmong(item, rest, value));
  return isProps(before) && isAmong(before[String(key)], rest, value);
}

/** The object, or `undefined` if all its values are missing or empty lists. */
export function orNone<Value extends object>(value: Value): Value | undefined {
  return Object.values(value).some((inner) => inner !== undefined && !(Array.isArray(inner) && inner.length === 0)) ? value : undefined;
}

/** A rule has read a value that is not known before `up`. */
export class UnknownInput extends Error {}

/** The inputs, which throw `UnknownInput` when a rule reads an unknown value. */
export function throwingIfUnknown<Inputs extends object>(inputs: Inputs): Inputs {
  return new Proxy(inputs, {
    get: (target, key): unknown => {
      const value: unknown = Reflect.get(target, key);
      if (value === unknown) throw new UnknownInput();
      return typeof value === "object" && value !== null && holdsUnknown(value) ? throwingIfUnknown(value) : value;
    },
  });
}
