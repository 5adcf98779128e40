import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { type IdPrefix, marksOf, leftToPlatform } from "./marks.ts";
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

/** The ids that a value no longer has, where what is left out stays as it is on the platform. */
export function idsKept(schema: z.core.$ZodType, before: unknown, after: unknown, path: readonly PropertyKey[]): readonly NamedId[] {
  if (after === undefined) return leftToPlatform(schema) ? idsIn(schema, before, path) : [];
  if (!isProps(before) || !isProps(after)) return [];
  return Object.entries(fieldsOf(unwrapped(schema))).flatMap(([key, field]) => idsKept(field, before[key], after[key], [...path, key]));
}

/** The path of the input, without the positions in lists: `native.securityGroupIds`. */
export const inputPath = ({ path }: NamedId): string => path.filter((part) => typeof part === "string").join(".");

/** The paths that a value leaves out, and where the platform may have an ID of the same kind. */
export function pathsLeftOut(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[], id: string): readonly PropertyKey[][] {
  if (value === undefined) return leftToPlatform(schema) && takesIdsLike(schema, id) ? [[...path]] : [];
  if (!isProps(value)) return [];
  return Object.entries(fieldsOf(unwrapped(schema))).flatMap(([key, field]) => pathsLeftOut(field, value[key], [...path, key], id));
}

function takesIdsLike(schema: z.core.$ZodType, id: string): boolean {
  const { idOf: prefix } = marksOf(schema);
  if (prefix !== undefined) return id.startsWith(`${prefix}-`);
  const type = unwrapped(schema);
  return type instanceof z.ZodArray && takesIdsLike(type.element, id);
}

/** Whether values may contain IDs of other resources. */
export function namesIds(schema: z.core.$ZodType): boolean {
  const type = unwrapped(schema);
  if (marksOf(schema).idOf !== undefined) return true;
  return type instanceof z.ZodArray ? namesIds(type.element) : Object.values(fieldsOf(type)).some(namesIds);
}
