import * as z from "@container-platform/sdk/zod";
import type { Kind } from "../definition/definition.ts";
import { leftToPlatform, marksOf } from "./marks.ts";
import { areAlike, itemsOf, mapParts, partAt, partSchema, type Schema, schemaOf } from "./parts.ts";
import { type Path, placeOf } from "./paths.ts";
import { isMarkedSecret, isSecret, masked } from "./secrets.ts";
import { cleanProps, isProps, pick, type Props, same, without } from "./values.ts";

/** A value in its canonical spelling, in which values are compared. */
function canonical(schema: Schema | undefined, value: unknown): unknown {
  if (!schema) return value;
  const { canonical: inOneSpelling, removed } = marksOf(schema);
  const children = mapParts(schema, value, canonical);
  const spelt = inOneSpelling ? inOneSpelling(children) : children;
  // An optional value that is empty means the same as one that is left out. An empty list does so only where leaving it out clears it.
  return removed !== undefined && (removed === "clear" || !Array.isArray(spelt)) && isEmpty(spelt) ? undefined : spelt;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every((inner) => inner === undefined);
}

/** The live value without the parts that the desired one leaves to the platform: only the rest can differ. */
function projected(schema: Schema | undefined, live: unknown, desired: unknown): unknown {
  if (desired === undefined && schema && leftToPlatform(schema)) return undefined;
  if (!areAlike(live, desired)) return live;
  const managed = mapParts(schema, live, (field, part, key) => projected(field, part, partAt(desired, key)));
  return isProps(managed) ? cleanProps(managed) : managed;
}

/** Whether a live value differs from the desired one. Spelling does not count, nor what is left to the platform. */
export function differs(schema: Schema, desired: unknown, live: unknown): boolean {
  // Most inputs are texts, and most of them are as they were.
  if (desired === live && typeof live !== "object") return false;
  return !meansSame(schema, desired, projected(schema, live, desired));
}

/** Whether two desired values mean the same, and leave the same to the platform. */
export function meansSame(schema: Schema | undefined, one: unknown, other: unknown): boolean {
  return one === other || same(canonical(schema, one), canonical(schema, other));
}

/** The live value, spelt as the desired one wherever both mean the same. */
export function speltLike(schema: Schema | undefined, live: unknown, desired: unknown): unknown {
  const managed = projected(schema, live, desired);
  if (meansSame(schema, desired, managed)) return desired;
  if (schema && Array.isArray(managed) && Array.isArray(desired)) return itemsSpeltLike(schema, managed, desired);
  if (!areAlike(managed, desired)) return managed;
  return mapParts(schema, managed, (field, part, key) => speltLike(field, part, partAt(desired, key)));
}

/** A live list whose items are spelt as in the desired list, and in its order if the order means nothing. */
function itemsSpeltLike(schema: Schema, live: readonly unknown[], desired: readonly unknown[]): readonly unknown[] {
  const meanings = desired.map((item) => canonical(schema, [item]));
  const found = new Set<number>();
  const speltItems = live.map((item) => {
    const meaning = canonical(schema, [item]);
    const index = meanings.findIndex((one, at) => !found.has(at) && same(one, meaning));
    if (index < 0) return item;
    found.add(index);
    return desired[index];
  });
  const inBoth = desired.filter((_, index) => found.has(index));
  const ordered = [...inBoth, ...without(speltItems, inBoth)];
  return same(canonical(schema, ordered), canonical(schema, speltItems)) ? ordered : speltItems;
}

/** A property whose live value differs from the desired one. Both values are texts for messages. */
export interface Difference {
  readonly place: string;
  readonly live: string;
  readonly desired: string;
}

/** The single differences between a live value and the desired one. `secret`: neither value may be shown. */
export function differencesIn(schema: Schema | undefined, live: unknown, desired: unknown, path: Path, secret: boolean): Difference[] {
  if (schema ? !differs(schema, desired, live) : same(live, desired)) return [];
  if (!schema || isSecret(schema) || !haveSameParts(schema, live, desired))
    return [{ place: placeOf(path), live: shown(schema, live, secret), desired: shown(schema, desired, secret) }];
  const keys: readonly PropertyKey[] = Array.isArray(live)
    ? [...live.keys()]
    : [...new Set([live, desired].flatMap((value) => Object.keys(value ?? {})))];
  return keys.flatMap((key) => differencesIn(partSchema(schema, key), partAt(live, key), partAt(desired, key), [...path, key], secret));
}

/** Whether the parts of two values can be compared one by one. */
function haveSameParts(schema: Schema, live: unknown, desired: unknown): boolean {
  if (!Array.isArray(live) || !Array.isArray(desired)) return areAlike(live, desired);
  return itemsOf(schema) !== undefined && marksOf(schema).canonical === undefined && live.length === desired.length;
}

/** Characters of a value that are shown at most. */
const maxLength = 300;

function shown(schema: Schema | undefined, value: unknown, secret: boolean): string {
  if (value === undefined) return "nothing";
  if (secret) return "[secret]";
  const text = JSON.stringify(schema ? masked(schema, value) : value);
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}

/** The inputs with which a program declares an existing resource, without those that mean the same when they are left out. */
export function inputsForProgram({ inputs }: Kind, values: Props): Props {
  return cleanProps(mapParts(inputs, pick(values, Object.keys(inputs.shape)), unlessDefault));
}

function unlessDefault(schema: Schema | undefined, value: unknown): unknown {
  return schema === undefined || isDefault(schema, value) ? undefined : mapParts(schema, value, unlessDefault);
}

/** Live inputs without the parts, at any depth, that were left out before and mean the same when they are left out. */
export function leavingOut({ inputs }: Kind, before: Props, values: Props): Props {
  return cleanProps(mapParts(inputs, values, (field, value, key) => likeBefore(field, before, value, key)));
}

/** A part of live inputs. `before`: the value that it is a part of, as it was before. */
function likeBefore(schema: Schema | undefined, before: unknown, value: unknown, key: string | number): unknown {
  const earlier = partAt(before, key);
  if (earlier === undefined) return schema && isDefault(schema, value) ? undefined : value;
  if (!areAlike(earlier, value) || (isProps(value) && isMarkedSecret(value))) return value;
  return mapParts(schema, value, (field, part, inner) => likeBefore(field, earlier, part, inner));
}

/** The values of inputs that a program leaves out, as far as they are always the same. */
export function defaultsOf(kind: Kind): Props {
  return cleanProps(Object.fromEntries(Object.keys(kind.inputs.shape).map((key) => [key, defaultOf(schemaOf(kind, key))])));
}

function defaultOf(schema: Schema): unknown {
  return schema instanceof z.ZodDefault && !marksOf(schema).named ? z.safeParse(schema, undefined).data : undefined;
}

/** Whether leaving the input out means the same as this value. */
function isDefault(schema: Schema, value: unknown): boolean {
  if (value === undefined) return true;
  const { named, removed, choices = [] } = marksOf(schema);
  // The default of a name depends on the resource's name in the program.
  if (named) return false;
  if (schema instanceof z.ZodDefault) return meansSame(schema, defaultOf(schema), value);
  if (choices.some((choice) => meansSame(schema, choice, value))) return true;
  return removed !== undefined && (leftToPlatform(schema) ? value === "" || isEmpty(value) : meansSame(schema, undefined, value));
}
