import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { placeOf, sentenceOf } from "./messages.ts";
import { holdsUnknown, isProps, unknown } from "./values.ts";

export interface Parsed {
  readonly value: unknown;
  readonly issues: readonly string[];
}

/** Parses the known parts of a value. A part that is still unknown must not keep the others from their checks and defaults. */
export function validated(schema: z.core.$ZodType, given: unknown, path: readonly PropertyKey[]): Parsed {
  if (!holdsUnknown(given)) {
    const result = z.safeParse(schema, given);
    if (result.success) return { value: result.data, issues: [] };
    return {
      value: given,
      issues: result.error.issues.map(
        (issue) => `${placeOf([...path, ...issue.path])}: ${sentenceOf(issue, given, Object.keys(fieldsOf(schemaAt(schema, issue.path))))}`,
      ),
    };
  }
  const type = unwrapped(schema);
  if (given === unknown) return { value: given, issues: [] };
  if (type instanceof z.ZodArray && Array.isArray(given)) {
    const items = given.map((item, index) => validated(type.element, item, [...path, index]));
    return { value: items.map(({ value }) => value), issues: items.flatMap(({ issues }) => issues) };
  }
  if (!(type instanceof z.ZodObject) || !isProps(given)) return { value: given, issues: [] };
  const unexpected = Object.keys(given).filter((key) => !(key in type.shape));
  const fields = Object.entries(type.shape).map(
    ([key, field]: [string, z.core.$ZodType]) => [key, validated(field, given[key], [...path, key])] as const,
  );
  return {
    value: Object.fromEntries(fields.map(([key, { value }]) => [key, value])),
    issues: [
      ...unexpected.map((key) => `${placeOf(path)}: has no property ${key}; it has ${Object.keys(type.shape).join(", ")}`),
      ...fields.flatMap(([, { issues }]) => issues),
    ],
  };
}

/** The schema at a path inside a value. */
function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType {
  return path.reduce<z.core.$ZodType>((outer, key) => {
    const type = unwrapped(outer);
    return type instanceof z.ZodArray ? type.element : (fieldsOf(type)[String(key)] ?? type);
  }, schema);
}
