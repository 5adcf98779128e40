import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { leftToPlatform, meansSame } from "../schema/compare.ts";
import { isProps } from "../schema/values.ts";

/** A value without what means the same when it is left out: defaults, and nothing where nothing is usual. */
export function shortened(schema: z.core.$ZodType, value: unknown): unknown {
  const type = unwrapped(schema);
  if (type instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => shortened(type.element, item));
  if (!(type instanceof z.ZodObject) || !isProps(value)) return value;
  const fields = fieldsOf(type);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      const field = fields[key];
      return field === undefined || isUsual(field, inner) ? [] : [[key, shortened(field, inner)]];
    }),
  );
}

/** Whether an input that is left out means the same. */
export function isUsual(schema: z.core.$ZodType, value: unknown): boolean {
  if (value === undefined) return true;
  // A default that depends on the resource's name is nobody's wish.
  if ("named" in schema) return false;
  if (schema instanceof z.ZodDefault) return meansSame(schema, z.safeParse(schema, undefined).data, value);
  return "removed" in schema && (leftToPlatform(schema) ? isNothing(value) : meansSame(schema, undefined, value));
}

function isNothing(value: unknown): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.values(value).every((inner) => inner === undefined));
}
