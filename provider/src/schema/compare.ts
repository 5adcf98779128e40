import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { leftToPlatform, marksOf } from "./marks.ts";
import { cleanProps, isProps, type Props, same, without, own } from "./values.ts";
import { isSecret, masked } from "./secrets.ts";
import { placeOf } from "./paths.ts";

/** A value in its canonical spelling, in which values are compared. */
function canonical(schema: z.core.$ZodType, value: unknown): unknown {
  const type = unwrapped(schema);
  const children =
    type instanceof z.ZodObject && isProps(value)
      ? mapped(type, value, canonical)
      : type instanceof z.ZodArray && Array.isArray(value)
        ? value.map((item) => canonical(type.element, item))
        : value;
  const { canonical: inOneSpelling, removed } = marksOf(schema);
  const spelt = inOneSpelling ? inOneSpelling(children) : children;
  // An optional value that is empty means the same as one that is left out. An empty list does so only where leaving it out clears it.
  return removed !== undefined && (removed === "clear" || !Array.isArray(spelt)) && isEmpty(spelt) ? undefined : spelt;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every((inner) => inner === undefined);
}

/** The live value without the parts that the desired one leaves to the platform: only the rest can differ. */
function projected(schema: z.core.$ZodType, live: unknown, desired: unknown): unknown {
  if (desired === undefined && leftToPlatform(schema)) return undefined;
  const type = unwrapped(schema);
  if (type instanceof z.ZodObject && isProps(live) && isProps(desired))
    return cleanProps(mapped(type, live, (field, inner, key) => projected(field, inner, desired[key])));
  if (type instanceof z.ZodArray && Array.isArray(live) && Array.isArray(desired))
    return live.map((item: unknown, index) => (index < desired.length ? projected(type.element, item, desired[index]) : item));
  return live;
}

/** Whether a live value differs from the desired one. Spelling does not count, nor what is left to the platform. */
export function differs(schema: z.core.$ZodType, desired: unknown, live: unknown): boolean {
  // Most inputs are texts, and most of them are as they were.
  if (desired === live && typeof live !== "object") return false;
  return !same(canonical(schema, desired), canonical(schema, projected(schema, live, desired)));
}

/** Whether two desired values mean the same, and leave the same to the platform. */
export function meansSame(schema: z.core.$ZodType, one: unknown, other: unknown): boolean {
  return one === other || same(canonical(schema, one), canonical(schema, other));
}

/** The live value, spelt as the desired one wherever both mean the same. */
export function speltLike(schema: z.core.$ZodType, live: unknown, desired: unknown): unknown {
  const managed = projected(schema, live, desired);
  if (same(canonical(schema, desired), canonical(schema, managed))) return desired;
  const type = unwrapped(schema);
  if (type instanceof z.ZodObject && isProps(managed) && isProps(desired))
    return mapped(type, managed, (field, inner, key) => speltLike(field, inner, desired[key]));
  return Array.isArray(managed) && Array.isArray(desired) ? itemsSpeltLike(schema, managed, desired) : managed;
}

/** A live list whose items are spelt as in the desired list, and in its order if the order means nothing. */
function itemsSpeltLike(schema: z.core.$ZodType, live: readonly unknown[], desired: readonly unknown[]): readonly unknown[] {
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

/** An object whose values are replaced by what `change` returns for them and their schemas. */
function mapped(schema: z.core.$ZodType, props: Props, change: (field: z.core.$ZodType, value: unknown, key: string) => unknown): Props {
  const fields = fieldsOf(schema);
  return Object.fromEntries(
    Object.entries(props).map(([key, value]) => {
      const field = fields[key];
      return [key, field ? change(field, value, key) : value];
    }),
  );
}

/** A property whose live value differs from the desired one. Both values are texts for messages. */
export interface Difference {
  readonly place: string;
  readonly live: string;
  readonly desired: string;
}

type Schema = z.core.$ZodType | undefined;

/** The single differences between a live value and the desired one. `secret`: neither value may be shown. */
export function differencesIn(
  schema: Schema,
  live: unknown,
  desired: unknown,
  path: readonly PropertyKey[],
  secret: boolean,
): Difference[] {
  if (schema ? !differs(schema, desired, live) : same(live, desired)) return [];
  const type = schema && unwrapped(schema);
  if (isProps(live) && isProps(desired) && type && !isSecret(schema)) {
    const fields = fieldsOf(type);
    const keys = [...new Set([...Object.keys(live), ...Object.keys(desired)])];
    return keys.flatMap((key) => differencesIn(fields[key], own(live, key), own(desired, key), [...path, key], secret));
  }
  if (
    Array.isArray(live) &&
    Array.isArray(desired) &&
    type instanceof z.ZodArray &&
    live.length === desired.length &&
    schema &&
    marksOf(schema).canonical === undefined
  )
    return live.flatMap((item, index) => differencesIn(type.element, item, desired[index], [...path, index], secret));
  return [{ place: placeOf(path), live: shown(schema, live, secret), desired: shown(schema, desired, secret) }];
}

/** Characters of a value that are shown at most. */
const maxLength = 300;

function shown(schema: Schema, value: unknown, secret: boolean): string {
  if (value === undefined) return "nothing";
  if (secret) return "[secret]";
  const text = JSON.stringify(schema ? masked(schema, value) : value);
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}
