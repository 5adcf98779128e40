import type { z } from "zod";
import { PlatformError } from "./errors.ts";
import { fieldsOf, itemsOf, metaOf, type Operation } from "./operation.ts";
import { isList, isObject, type Json, type JsonObject, textsIn, wireName } from "./codec.ts";

/** A value from the wire that may be shown and stored: sensitive fields are replaced by `[secret]`, unknown ones are left out. */
export function redacted(schema: z.core.$ZodType, value: Json): Json {
  if (metaOf(schema)["sensitive"] === true) return "[secret]";
  const items = itemsOf(schema);
  if (items && isList(value)) return value.map((item) => redacted(items, item));
  if (isObject(value)) return redactedFields(schema, value);
  // A value of the wrong form may hold what would be in the sensitive fields.
  return items || Object.keys(fieldsOf(schema)).length > 0 || isList(value) ? "[malformed]" : value;
}

/** Like `redacted`, for an object. */
export function redactedFields(schema: z.core.$ZodType, value: JsonObject): JsonObject {
  const fields = Object.entries(fieldsOf(schema)).flatMap(([name, field]): [string, Json][] => {
    const wire = wireName(name, field);
    const inner = value[wire];
    return inner === undefined ? [] : [[wire, redacted(field, inner)]];
  });
  return Object.fromEntries(fields);
}

/** Characters from which on a secret is recognised inside of a text. A shorter one would be found in any text. */
const longEnough = 4;

/** A text in which none of these secrets is left, also as JSON writes them. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const spellings = secrets.filter(({ length }) => length >= longEnough).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return spellings.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);
}

/** The error of a call without the call's secrets: whoever answers may repeat what was sent, and errors are shown and stored. */
export function discreet({ input }: Pick<Operation, "input">, body: JsonObject, error: unknown): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { code, reason, origin, kind } = error;
  const told = withoutSecrets(reason, secretsIn(input, body));
  return told === reason ? error : new PlatformError(code, told, origin, kind);
}

/** The texts of the sensitive fields of a value from the wire, at any depth. */
function secretsIn(schema: z.core.$ZodType, value: Json): string[] {
  if (metaOf(schema)["sensitive"] === true) return textsIn(value);
  const items = itemsOf(schema);
  if (items && isList(value)) return value.flatMap((item) => secretsIn(items, item));
  if (!isObject(value)) return [];
  return Object.entries(fieldsOf(schema)).flatMap(([name, field]) => {
    const inner = value[wireName(name, field)];
    return inner === undefined ? [] : secretsIn(field, inner);
  });
}
