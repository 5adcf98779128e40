import { z } from "zod";
import { unwrapped } from "../operation/operation.ts";
import { fieldSpelt, isList, isObject, type Json, valueAt, wirePath } from "../operation/codec.ts";
import type { Call } from "./behaviour.ts";

/**
 * Refuses input that does not have the operation's form. Specification, Errors: `MissingParameter` for a required parameter
 * that is absent, `InvalidParameter` for a value of the wrong type.
 */
export function refuseMalformed(call: Call, input: unknown): void {
  const schema = call.operation.input;
  const issue = schema.safeParse(input).error?.issues[0];
  if (!issue) return;
  const path = wirePath(schema, issue.path);
  if (valueAt(input, issue.path) === undefined) throw call.error("MissingParameter", `${path} is required`);
  throw call.error("InvalidParameter", `${path}: ${issue.message}`);
}

/** Refuses names that the operation does not have, at any depth (specification, Errors: `InvalidParameter` for a wrong field name). */
export function refuseUnknown(call: Call, body: Json): void {
  const names = unknownNames(call.operation.input, body, []);
  if (names.length > 0) throw call.error("InvalidParameter", `${call.operation.action} has no parameter ${names.join(", ")}`);
}

function unknownNames(schema: z.core.$ZodType, value: Json, path: readonly string[]): string[] {
  const inside = unwrapped(schema);
  if (inside instanceof z.ZodArray && isList(value))
    return value.flatMap((item, index) => unknownNames(inside.element, item, [...path, String(index)]));
  if (!(inside instanceof z.ZodObject) || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = fieldSpelt(inside, name);
    return known ? unknownNames(known[1], inner, [...path, name]) : [[...path, name].join(".")];
  });
}
