import { type Effect, effectOf } from "./definition.ts";
import { definitions } from "./definitions.ts";
import { topOf } from "./graph.ts";
import type { PropertyChange, Shown } from "../report.ts";
import { placeholder } from "./secrets.ts";
import type { Difference, Subject } from "./subject.ts";
import { alike, type Fields, isFields, isList, Secret, Unknown, type Value, without } from "./values.ts";

/** The differences between the inputs before and after. @param paths those that differ, according to the engine */
export function differencesIn(before: Fields, inputs: Fields, paths: readonly string[]): readonly Difference[] {
  // Only the engine knows whether a secret that it does not show has changed.
  const isChanged = (path: string) => paths.some((one) => topOf(one) === topOf(path));
  return between(before, inputs, "").filter((one) => !(isNotShown(one.before) && isNotShown(one.after)) || isChanged(one.path));
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
  const removed = without(before, after);
  const added = without(after, before);
  // If no single entry differs, for example because their number does, the whole list is the difference.
  if (removed.length + added.length === 0) return [{ path, before, after }];
  return [
    ...removed.map((item) => ({ path: `${path}[]`, before: item, after: undefined })),
    ...added.map((item) => ({ path: `${path}[]`, before: undefined, after: item })),
  ];
}

function isNotShown(value: Value | undefined): boolean {
  return value instanceof Secret && value.digest === undefined;
}

/** The differences in the form of the report. */
export function propertiesOf(subject: Subject, displayName: (urn: string) => string): PropertyChange[] {
  return subject.differences.map(({ path, before, after }) => ({
    path,
    before: shown(before, displayName),
    after: shown(after, displayName),
    effect: effectFor(subject, topOf(path)),
  }));
}

/** What a change of an input does, in the words of the report, which are published. */
const reportedEffects = {
  replace: "in place",
  mixed: "in place",
  "in place": "in place",
  "local-only": "noted",
  "order-only": "order",
} as const satisfies Record<Effect, PropertyChange["effect"]>;

function effectFor({ kind, replaceKeys, operation }: Subject, input: string): PropertyChange["effect"] {
  if (operation === "replace" && replaceKeys.includes(input)) return "replaces";
  const effect = kind && effectOf(definitions[kind], input);
  return effect === undefined ? "unknown" : reportedEffects[effect];
}

function shown(value: Value | undefined, displayName: (urn: string) => string): Shown {
  if (value === undefined) return { kind: "absent" };
  if (value instanceof Unknown) return { kind: "unknown", from: value.from.map(displayName) };
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

/** The resources that a plan changes. */
export function changedOf(subjects: readonly Subject[]): Subject[] {
  return subjects.filter((subject) => !["same", "read"].includes(subject.operation) && !isFolded(subject));
}

/** Whether only the way changes in which the resource is managed. */
export function isFolded(subject: Subject): boolean {
  const isUpdate = subject.operation === "update" && subject.unguarded.length === 0;
  return isUpdate && subject.differences.length === 0 && subject.paths.length === 0;
}
