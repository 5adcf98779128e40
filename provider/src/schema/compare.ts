import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { cleanProps, isProps, type Props, same, without } from "./values.ts";

/** Whether an input that is left out is the platform's to choose. */
export function leftToPlatform(schema: z.core.$ZodType): boolean {
  return "removed" in schema && (schema.removed === "keep" || schema.removed === "refuse");
}

/** A value in the one spelling in which values are compared. */
function canonical(schema: z.core.$ZodType, value: unknown): unknown {
  const type = unwrapped(schema);
  const children =
    type instanceof z.ZodObject && isProps(value)
      ? mapped(type, value, canonical)
      : type instanceof z.ZodArray && Array.isArray(value)
        ? value.map((item) => canonical(type.element, item))
        : value;
  const spelt = isSpelt(type) ? type.canonical(children) : children;
  // What is cleared when it is left out is none when it is empty, too; and an object that says nothing is one that is left out.
  return "removed" in schema && (schema.removed === "clear" || !Array.isArray(spelt)) && isEmpty(spelt) ? undefined : spelt;
}

/** Marked with `spelt`. */
function isSpelt(schema: z.core.$ZodType): schema is z.core.$ZodType & { readonly canonical: (value: unknown) => unknown } {
  return "canonical" in schema;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every((inner) => inner === undefined);
}

/** What is there, without what the wish leaves to the platform: only the rest can differ. */
function projected(schema: z.core.$ZodType, live: unknown, wish: unknown): unknown {
  if (wish === undefined && leftToPlatform(schema)) return undefined;
  const type = unwrapped(schema);
  if (type instanceof z.ZodObject && isProps(live) && isProps(wish))
    return cleanProps(mapped(type, live, (field, inner, key) => projected(field, inner, wish[key])));
  if (type instanceof z.ZodArray && Array.isArray(live) && Array.isArray(wish))
    return live.map((item: unknown, index) => (index < wish.length ? projected(type.element, item, wish[index]) : item));
  return live;
}

/** Whether what is there is not what is wished, spelling and what is left to the platform apart. */
export function differs(schema: z.core.$ZodType, wish: unknown, live: unknown): boolean {
  return !same(canonical(schema, wish), canonical(schema, projected(schema, live, wish)));
}

/** Whether two wishes mean the same, also in what they leave to the platform. */
export function meansSame(schema: z.core.$ZodType, one: unknown, other: unknown): boolean {
  return same(canonical(schema, one), canonical(schema, other));
}

/** What is there, in the words of the wish where it means the same. */
export function inWordsOf(schema: z.core.$ZodType, live: unknown, wish: unknown): unknown {
  const seen = projected(schema, live, wish);
  if (same(canonical(schema, wish), canonical(schema, seen))) return wish;
  const type = unwrapped(schema);
  if (type instanceof z.ZodObject && isProps(seen) && isProps(wish))
    return mapped(type, seen, (field, inner, key) => inWordsOf(field, inner, wish[key]));
  return Array.isArray(seen) && Array.isArray(wish) ? itemsInWordsOf(schema, seen, wish) : seen;
}

/** A list with its items in the words of the wish where it has them, too; and in its order, if the order means nothing. */
function itemsInWordsOf(schema: z.core.$ZodType, seen: readonly unknown[], wish: readonly unknown[]): readonly unknown[] {
  const meanings = wish.map((item) => canonical(schema, [item]));
  const taken = new Set<number>();
  const told = seen.map((item) => {
    const meaning = canonical(schema, [item]);
    const index = meanings.findIndex((one, at) => !taken.has(at) && same(one, meaning));
    if (index < 0) return item;
    taken.add(index);
    return wish[index];
  });
  const wished = wish.filter((_, index) => taken.has(index));
  const ordered = [...wished, ...without(told, wished)];
  return same(canonical(schema, ordered), canonical(schema, told)) ? ordered : told;
}

/** An object with each of its values changed, as the field's schema has it. */
function mapped(schema: z.core.$ZodType, props: Props, change: (field: z.core.$ZodType, value: unknown, key: string) => unknown): Props {
  const fields = fieldsOf(schema);
  return Object.fromEntries(
    Object.entries(props).map(([key, value]) => {
      const field = fields[key];
      return [key, field ? change(field, value, key) : value];
    }),
  );
}
