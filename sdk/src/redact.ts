import type { z } from "zod";
import { fieldsOf, itemsOf, metaOf } from "./operation.ts";
import { isObject } from "./wire.ts";

/** A value without what must not be shown: fields that the schema calls sensitive read `[secret]`. */
export function redacted(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (metaOf(schema)["sensitive"] === true) return "[secret]";
  const items = itemsOf(schema);
  if (items && Array.isArray(value)) return value.map((item: unknown) => redacted(items, item));
  if (!isObject(value)) return value;
  const fields = fieldsOf(schema);
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, fields[field] ? redacted(fields[field], inner) : inner]));
}
