import type { z } from "zod";
import { fieldsOf, itemsOf, metaOf } from "./operation.ts";
import { isList, isObject, type Json, type JsonObject, wireName } from "./codec.ts";

/** What travelled, as it may be shown and kept: fields that the schema calls sensitive read `[secret]`, those that it lacks are left out. */
export function redacted(schema: z.core.$ZodType, value: Json): Json {
  if (metaOf(schema)["sensitive"] === true) return "[secret]";
  const items = itemsOf(schema);
  if (items && isList(value)) return value.map((item) => redacted(items, item));
  if (isObject(value)) return redactedFields(schema, value);
  // What is no object where one belongs may hold, in a form that cannot be read, what the object's fields hide.
  return items || Object.keys(fieldsOf(schema)).length > 0 || isList(value) ? "[malformed]" : value;
}

/** As `redacted`, for what is an object. */
export function redactedFields(schema: z.core.$ZodType, value: JsonObject): JsonObject {
  const fields = Object.entries(fieldsOf(schema)).flatMap(([name, field]): [string, Json][] => {
    const wire = wireName(name, field);
    const inner = value[wire];
    return inner === undefined ? [] : [[wire, redacted(field, inner)]];
  });
  return Object.fromEntries(fields);
}
