import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { type IdPrefix, marksOf } from "./marks.ts";
import { holdsUnknown, isProps } from "./values.ts";

/** An id of another resource in a value. */
export interface NamedId {
  readonly path: readonly PropertyKey[];
  readonly prefix: IdPrefix;
  readonly id: string;
}

/** The ids of other resources in a value, as far as they are known. */
export function idsIn(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[]): readonly NamedId[] {
  const { idOf: prefix } = marksOf(schema);
  if (prefix !== undefined) return typeof value === "string" && !holdsUnknown(value) ? [{ path, prefix, id: value }] : [];
  const type = unwrapped(schema);
  if (type instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, index) => idsIn(type.element, item, [...path, index]));
  if (!isProps(value)) return [];
  return Object.entries(fieldsOf(type)).flatMap(([key, field]) => idsIn(field, value[key], [...path, key]));
}
