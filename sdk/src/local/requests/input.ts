import { z } from "zod";
import { fieldsOf, itemsOf, unwrapped } from "../../operation/operation.ts";
import { fieldSpelt, isList, isObject, type Json, wireName } from "../../operation/codec.ts";

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
