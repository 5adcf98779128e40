import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { marksOf } from "./marks.ts";
import { placeOf, sentenceOf } from "./messages.ts";
import { holdsUnknown, isProps, unknown } from "./values.ts";

/** What is wrong with a value, or with a part of it. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly sentence: string;
  /** Whether it is of another type than it has to be. Otherwise it is a value that is not taken. */
  readonly isOfType: boolean;
}

interface Parsed {
  /** The value with defaults. */
  readonly value: unknown;
  readonly issues: readonly Issue[];
}

/**
 * Parses the known parts of a value, and holds them against the rules of their schemas. A part that is still unknown must not keep the
 * others from their checks and defaults.
 */
export function validated(schema: z.core.$ZodType, given: unknown, path: readonly PropertyKey[]): Parsed {
  const { value, issues } = parsed(schema, given, path);
  return { value, issues: [...issues, ...brokenIn(schema, value, path)] };
}

/** The rules that a value or parts of it break. */
function brokenIn(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[]): readonly Issue[] {
  if (value === unknown || value === undefined) return [];
  const type = unwrapped(schema);
  const rules = holdsUnknown(value) ? [] : (marksOf(schema).rules ?? []);
  const flaws = rules.flatMap(({ flawIn }) => flawIn(value) ?? []);
  const here = flaws.map((flaw) => {
    const { place, says } = typeof flaw === "string" ? { place: path, says: flaw } : { place: [...path, flaw.of], says: flaw.says };
    return { path: place, sentence: `${placeOf(place)}: ${says}`, isOfType: false };
  });
  if (type instanceof z.ZodArray && Array.isArray(value))
    return [...here, ...value.flatMap((item, index) => brokenIn(type.element, item, [...path, index]))];
  if (!isProps(value)) return here;
  return [...here, ...Object.entries(fieldsOf(type)).flatMap(([key, field]) => brokenIn(field, value[key], [...path, key]))];
}

function parsed(schema: z.core.$ZodType, given: unknown, path: readonly PropertyKey[]): Parsed {
  if (holdsUnknown(given)) return given === unknown ? { value: given, issues: [] } : inParts(schema, given, path);
  const result = z.safeParse(schema, given);
  if (result.success) return { value: result.data, issues: [] };
  const issues = result.error.issues.map((issue) => ({
    path: [...path, ...issue.path],
    sentence: `${placeOf([...path, ...issue.path])}: ${sentenceOf(issue, given, Object.keys(fieldsOf(schemaAt(schema, issue.path))))}`,
    isOfType: issue.code === "invalid_type" || issue.code === "unrecognized_keys",
  }));
  // What is refused may have been deployed before. Then its other parts need their defaults.
  return { value: inParts(schema, given, path).value, issues };
}

/** A value whose parts are parsed each by itself. */
function inParts(schema: z.core.$ZodType, given: unknown, path: readonly PropertyKey[]): Parsed {
  const type = unwrapped(schema);
  if (type instanceof z.ZodArray && Array.isArray(given)) {
    const items = given.map((item, index) => parsed(type.element, item, [...path, index]));
    return { value: items.map(({ value }) => value), issues: items.flatMap(({ issues }) => issues) };
  }
  if (!(type instanceof z.ZodObject) || !isProps(given)) return { value: given, issues: [] };
  const unexpected = Object.keys(given).filter((key) => !(key in type.shape));
  const fields = Object.entries(type.shape).map(
    ([key, field]: [string, z.core.$ZodType]) => [key, parsed(field, given[key], [...path, key])] as const,
  );
  const sentence = (key: string) => `${placeOf(path)}: has no property ${key}; it has ${Object.keys(type.shape).join(", ")}`;
  return {
    value: Object.fromEntries(fields.map(([key, { value }]) => [key, value])),
    issues: [
      ...unexpected.map((key) => ({ path, sentence: sentence(key), isOfType: true })),
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
