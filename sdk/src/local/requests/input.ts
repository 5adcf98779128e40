import { z } from "zod";
import type { PlatformError } from "../../operation/errors.ts";
import { fieldsOf, itemsOf, type Operation, unwrapped } from "../../operation/operation.ts";
import { fieldSpelt, fromWire, isList, isObject, type Json, type JsonObject, valueAt, wireName, wirePath } from "../../operation/codec.ts";

/**
 * The input of a call, parsed from its body. Refuses input that does not match the operation's schema (specification, Errors):
 * `InvalidParameter` for a name that the operation does not have, at any depth, and for a value of the wrong type; `MissingParameter`
 * for a required parameter that is absent.
 */
export function inputFrom<In extends z.ZodObject>(
  { action, input: schema }: Pick<Operation<In>, "action" | "input">,
  body: JsonObject,
  refuse: (code: "InvalidParameter" | "MissingParameter", reason: string) => PlatformError,
): z.output<In> {
  const unknown = unknownNames(schema, body).map(({ path }) => path);
  if (unknown.length > 0) throw refuse("InvalidParameter", `${action} has no parameter ${unknown.join(", ")}`);
  const input = fromWire(schema, body);
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path ?? [];
  const path = wirePath(schema, place);
  if (valueAt(input, place) === undefined) throw refuse("MissingParameter", `${path} is required`);
  throw refuse("InvalidParameter", `${path}: ${issue?.message ?? "it is malformed"}`);
}

/** The fields of an input that are given: what a change does not give stays. */
export function given<Input extends object>(input: Input): { [Key in keyof Input]: Exclude<Input[Key], undefined> } {
  const fields = Object.entries(input).filter(([, value]) => value !== undefined);
  // Only fields that may be absent are left out.
  return Object.fromEntries(fields) as { [Key in keyof Input]: Exclude<Input[Key], undefined> };
}

/**
 * The names in a value that its schema does not have, at any depth, with those that their objects have instead.
 *
 * @param path of the value, with a full stop behind each name
 */
export function unknownNames(schema: z.core.$ZodType, value: Json, path = ""): { path: string; instead: string[] }[] {
  if (typeof value !== "object") return [];
  const items = itemsOf(schema);
  if (items && isList(value)) return value.flatMap((item, index) => unknownNames(items, item, `${path}${index}.`));
  if (!isObject(value) || !(unwrapped(schema) instanceof z.ZodObject)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = fieldSpelt(schema, name);
    if (known) return unknownNames(known[1], inner, `${path}${name}.`);
    return { path: path + name, instead: Object.entries(fieldsOf(schema)).map(([field, type]) => wireName(field, type)) };
  });
}
