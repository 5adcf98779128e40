import { z } from "zod";
import { fieldSpelt, isList, isObject, type Json, type JsonObject } from "../operation/codec.ts";
import { itemsOf } from "../operation/operation.ts";

/** The empty values that the schemas do not tell, by names on the wire. */
export interface EmptyValues {
  /** Texts and objects that may be empty: `""` and `{}` clear them. */
  readonly meant: ReadonlySet<string>;
  /** Numbers that cannot be 0. */
  readonly noZero: ReadonlySet<string>;
}

/** An input without the optional fields that its client has not set: Go clients send these as `{}`, `""` and 0. A list that is empty is meant. */
export function withoutUnset(schema: z.core.$ZodType, input: JsonObject, known: EmptyValues): JsonObject {
  const fields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(input)) {
    const field = fieldSpelt(schema, name)?.[1];
    const inner = field ? insideOf(field, value, known) : value;
    if (!(field instanceof z.ZodOptional && isUnset(name, field, inner, known))) fields[name] = inner;
  }
  return fields;
}

function insideOf(schema: z.core.$ZodType, value: Json, known: EmptyValues): Json {
  const items = itemsOf(schema);
  if (items && isList(value)) return value.map((item) => insideOf(items, item, known));
  return isObject(value) ? withoutUnset(schema, value, known) : value;
}

/** A value of the wrong type is set, and refused. */
function isUnset(name: string, schema: z.ZodType, value: Json, { meant, noZero }: EmptyValues): boolean {
  if (isObject(value)) return Object.keys(value).length === 0 && !meant.has(name);
  if (value !== "" && value !== 0) return false;
  const issue = schema.safeParse(value).error?.issues[0];
  if (issue) return issue.code !== "invalid_type";
  return value === "" ? !meant.has(name) : noZero.has(name);
}
