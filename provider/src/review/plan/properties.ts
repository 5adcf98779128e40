import { isDeepStrictEqual } from "node:util";
import { effectOf } from "../judge/definition.ts";
import { definitions } from "../judge/definitions.ts";
import { topOf } from "./graph.ts";
import type { PropertyChange, Shown } from "../report.ts";
import { placeholder } from "../judge/secrets.ts";
import { type Fields, isFields, isList, Secret, type Subject, Unknown, type Value } from "./subject.ts";

/** A change of one property, or of a part of it. */
export interface Difference {
  readonly path: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** What differs between the inputs before and after, part by part. */
export function differencesOf({ before = {}, inputs, operation, paths }: Subject): Difference[] {
  if (operation === "delete") return [];
  // Of a secret that the engine does not show, only the engine knows whether it changed.
  const changed = new Set(paths.map(topOf));
  return between(before, inputs, "").filter((one) => !(isBlinded(one.before) && isBlinded(one.after)) || changed.has(topOf(one.path)));
}

function between(before: Fields, after: Fields, prefix: string): Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    compared(before[key], after[key], `${prefix}${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)}`),
  );
}

function compared(before: Value | undefined, after: Value | undefined, path: string): Difference[] {
  if (isFields(before) && isFields(after)) return between(before, after, `${path}.`);
  if (isList(before) && isList(after)) return betweenLists(before, after, path);
  return alike(before, after) ? [] : [{ path, before, after }];
}

function betweenLists(before: readonly Value[], after: readonly Value[], path: string): Difference[] {
  if (before.length === after.length) return before.flatMap((item, index) => compared(item, after[index], `${path}[${index}]`));
  const gone = without(before, after);
  const come = without(after, before);
  // The same entries in another number, or nothing to be told apart: the whole of it.
  if (gone.length + come.length === 0) return [{ path, before, after }];
  return [
    ...gone.map((item) => ({ path: `${path}[]`, before: item, after: undefined })),
    ...come.map((item) => ({ path: `${path}[]`, before: undefined, after: item })),
  ];
}

/** The entries of a list that another has not. */
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

function isBlinded(value: Value | undefined): boolean {
  return value instanceof Secret && value.digest === undefined;
}

/** What differs, as the report tells it. */
export function propertiesOf(subject: Subject, called: (urn: string) => string): PropertyChange[] {
  return differencesOf(subject).map(({ path, before, after }) => ({
    path,
    before: shown(before, called),
    after: shown(after, called),
    effect: effectFor(subject, topOf(path)),
  }));
}

function effectFor({ kind, replaceKeys, operation }: Subject, input: string): PropertyChange["effect"] {
  if (operation === "replace" && replaceKeys.includes(input)) return "replaces";
  const effect = kind && effectOf(definitions[kind], input);
  if (effect === undefined) return "unknown";
  return effect === "replace" || effect === "mixed" ? "in place" : effect;
}

function shown(value: Value | undefined, called: (urn: string) => string): Shown {
  if (value === undefined) return { kind: "absent" };
  if (value instanceof Unknown) return { kind: "unknown", from: value.from.map(called) };
  if (value instanceof Secret) return { kind: "secret", ...(value.digest === undefined ? {} : { digest: value.digest }) };
  return { kind: "value", value: plain(value) };
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

function plain(value: Value): Json {
  if (value instanceof Unknown) return "known after apply";
  if (value instanceof Secret) return placeholder(value.digest);
  if (isList(value)) return value.map(plain);
  if (isFields(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]): [string, Json] => [key, plain(inner)]));
  return value;
}
