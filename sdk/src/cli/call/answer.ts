import { type Field, ownFieldsOf } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Reply } from "../../transport/transport.ts";
import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";

/**
 * An answer as it is printed: first the fields of the catalogue, in its order, with `null` for those that are absent; then unknown
 * fields, and the id of the call.
 */
export function answerOf({ output }: Operation, { body, requestId }: Reply): JsonObject {
  return { ...inOrder(ownFieldsOf(output), body), RequestId: requestId };
}

function inOrder(fields: readonly Field[], value: JsonObject): JsonObject {
  const known = fields.map((field): [string, Json] => [field.name, shaped(field, value[field.name])]);
  return { ...Object.fromEntries(known), ...withoutNames(value, new Set(known.map(([name]) => name))) };
}

function withoutNames(value: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}

function shaped(field: Field, value: Json | undefined): Json {
  const { item, fields } = field;
  if (value === undefined) return null;
  if (item && isList(value)) return value.map((each) => shaped(item, each));
  return fields.length > 0 && isObject(value) ? inOrder(fields, value) : value;
}
