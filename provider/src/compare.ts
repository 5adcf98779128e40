import { z } from "zod";
import { cleanProps, isProps, type Props, same } from "./values.ts";

/** The schema inside `optional` and `default`. */
export function inside(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) return inside(schema.unwrap());
  return schema;
}

/** Whether an input that is left out is the platform's to choose. */
export function leftToPlatform(schema: z.core.$ZodType): boolean {
  return "removed" in schema && (schema.removed === "keep" || schema.removed === "refuse");
}

/** A value in the one spelling in which values are compared. */
function canonical(schema: z.core.$ZodType, value: unknown): unknown {
  const type = inside(schema);
  const children =
    type instanceof z.ZodObject && isProps(value)
      ? mapped(value, (inner, key) => (type.shape[key] ? canonical(type.shape[key], inner) : inner))
      : type instanceof z.ZodArray && Array.isArray(value)
        ? value.map((item) => canonical(type.element, item))
        : value;
  return "canonical" in type && typeof type.canonical === "function" ? (type.canonical(children) as unknown) : children;
}

/** What is there, without what the wish leaves to the platform: only the rest can differ. */
export function projected(schema: z.core.$ZodType, live: unknown, wish: unknown): unknown {
  if (wish === undefined && leftToPlatform(schema)) return undefined;
  const type = inside(schema);
  if (type instanceof z.ZodObject && isProps(live) && isProps(wish))
    return cleanProps(mapped(live, (inner, key) => (type.shape[key] ? projected(type.shape[key], inner, wish[key]) : inner)));
  if (type instanceof z.ZodArray && Array.isArray(live) && Array.isArray(wish))
    return live.map((item, index) => (index < wish.length ? projected(type.element, item, wish[index]) : item));
  return live;
}

/** Whether what is there is not what is wished, spelling and what is left to the platform apart. */
export function differs(schema: z.core.$ZodType, wish: unknown, live: unknown): boolean {
  return !same(canonical(schema, wish), canonical(schema, projected(schema, live, wish)));
}

/** What is there, in the words of the wish where it means the same. */
export function inWordsOf(schema: z.core.$ZodType, live: unknown, wish: unknown): unknown {
  const seen = projected(schema, live, wish);
  if (same(canonical(schema, wish), canonical(schema, seen))) return wish;
  const type = inside(schema);
  if (type instanceof z.ZodObject && isProps(seen) && isProps(wish))
    return mapped(seen, (inner, key) => (type.shape[key] ? inWordsOf(type.shape[key], inner, wish[key]) : inner));
  return seen;
}

function mapped(props: Props, change: (value: unknown, key: string) => unknown): Props {
  return Object.fromEntries(Object.entries(props).map(([key, value]) => [key, change(value, key)]));
}
