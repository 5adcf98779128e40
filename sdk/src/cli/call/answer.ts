import { type Field, ownFieldsOf } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import type { Reply } from "../../transport/transport.ts";
import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";

/**
 * An answer as it is printed: what came, and nothing else. First the fields of the catalogue, in its order, then unknown fields, and the
 * id of the call. A field that is absent stays so: for some, being absent has a meaning, as for an empty `OIDCConfig`.
 */
export function answerOf({ output }: Operation, { body, requestId }: Reply): JsonObject {
  return { ...inOrder(ownFieldsOf(output), body), RequestId: requestId };
}

function inOrder(fields: readonly Field[], value: JsonObject): JsonObject {
  const known = fields.flatMap((field): [string, Json][] => {
    const inner = value[field.name];
    return inner === undefined ? [] : [[field.name, shaped(field, inner)]];
  });
  const names = new Set(known.map(([name]) => name));
  return Object.fromEntries([...known, ...Object.entries(value).filter(([name]) => !names.has(name))]);
}

function shaped({ item, fields }: Field, value: Json): Json {
  if (item && isList(value)) return value.map((each) => shaped(item, each));
  return fields.length > 0 && isObject(value) ? inOrder(fields, value) : value;
}
