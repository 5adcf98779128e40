import type { z } from "zod";
import { fieldsOf, itemsOf, metaOf } from "./operation.ts";
import { isList, isObject, type Json, type JsonObject, wireName } from "./codec.ts";

/**
 * A value from the wire without secrets, to be shown or stored: sensitive fields are `[secret]`, and fields that the schema lacks are left
 * out.
 */
export function redacted(schema: z.core.$ZodType, value: Json): Json {
  if (metaOf(schema)["sensitive"] === true) return "[secret]";
  const items = itemsOf(schema);
  if (items && isList(value)) return value.map((item) => redacted(items, item));
  if (isObject(value)) return redactedFields(schema, value);
  // A malformed value may contain the secrets that the fields of a well-formed one would hide.
  return items || Object.keys(fieldsOf(schema)).length > 0 || isList(value) ? "[malformed]" : value;
}

/** As `redacted`, for an object. */
export function redactedFields(schema: z.core.$ZodType, value: JsonObject): JsonObject {
  const fields = Object.entries(fieldsOf(schema)).flatMap(([name, field]): [string, Json][] => {
    const wire = wireName(name, field);
    const inner = value[wire];
    return inner === undefined ? [] : [[wire, redacted(field, inner)]];
  });
  return Object.fromEntries(fields);
}
