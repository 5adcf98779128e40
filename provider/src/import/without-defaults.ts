import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { leftToPlatform, meansSame } from "../schema/compare.ts";
import { marksOf } from "../schema/marks.ts";
import { isProps } from "../schema/values.ts";

/** A value without the properties that mean the same when they are left out. */
export function withoutDefaults(schema: z.core.$ZodType, value: unknown): unknown {
  const type = unwrapped(schema);
  if (type instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => withoutDefaults(type.element, item));
  if (!(type instanceof z.ZodObject) || !isProps(value)) return value;
  const fields = fieldsOf(type);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      const field = fields[key];
      return field === undefined || isDefault(field, inner) ? [] : [[key, withoutDefaults(field, inner)]];
    }),
  );
}

/** Whether leaving the input out means the same as this value. */
export function isDefault(schema: z.core.$ZodType, value: unknown): boolean {
  if (value === undefined) return true;
  // The default of a name depends on the resource's name in the program.
  if (marksOf(schema).named) return false;
  if (schema instanceof z.ZodDefault) return meansSame(schema, z.safeParse(schema, undefined).data, value);
  const { removed, choices = [] } = marksOf(schema);
  if (choices.some((choice) => meansSame(schema, choice, value))) return true;
  return removed !== undefined && (leftToPlatform(schema) ? isEmpty(value) : meansSame(schema, undefined, value));
}

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.values(value).every((inner) => inner === undefined));
}
