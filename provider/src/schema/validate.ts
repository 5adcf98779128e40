import { fieldsOf, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { marksOf } from "./marks.ts";
import { instead, placeOf, sentenceOf } from "./messages.ts";
import { at, holdsUnknown, isProps, unknown } from "./values.ts";

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
  const flaws = rules.flatMap((flawIn) => flawIn(value) ?? []);
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
  const issues = issuesIn(result.error.issues, { schema, given, path });
  // What is refused may have been deployed before. Then its other parts need their defaults.
  return { value: inParts(schema, given, path).value, issues };
}

interface Refused {
  readonly schema: z.core.$ZodType;
  readonly given: unknown;
  readonly path: readonly PropertyKey[];
}

/** What zod says against a value. Of what is of another type it may say more: the length of a text is not that of a list. */
function issuesIn(all: readonly z.core.$ZodIssue[], { schema, given, path }: Refused): Issue[] {
  const isOther = ({ code }: z.core.$ZodIssue) => code === "invalid_type";
  const others = all.filter(isOther).map((issue) => placeOf(issue.path));
  const issues = all.filter((issue) => isOther(issue) || !others.includes(placeOf(issue.path)));
  return issues.map((issue) => ({
    path: [...path, ...issue.path],
    sentence: `${placeOf([...path, ...issue.path])}: ${sentenceOf(issue, given, Object.keys(fieldsOf(schemaAt(schema, issue.path))))}`,
    isOfType: issue.code === "invalid_type" || issue.code === "unrecognized_keys",
  }));
}

/** Of a value that is not known in all its parts: where it is of another type. */
function wrongTypes(refused: Refused): Issue[] {
  const { error } = z.safeParse(refused.schema, refused.given);
  const known = (error?.issues ?? []).filter(({ code, path }) => code === "invalid_type" && at(refused.given, path) !== unknown);
  return issuesIn(known, refused);
}

/** A value whose parts are parsed each by itself. */
function inParts(schema: z.core.$ZodType, given: unknown, path: readonly PropertyKey[]): Parsed {
  const type = unwrapped(schema);
  if (type instanceof z.ZodArray && Array.isArray(given)) {
    const items = given.map((item, index) => parsed(type.element, item, [...path, index]));
    return { value: items.map(({ value }) => value), issues: items.flatMap(({ issues }) => issues) };
  }
  if (!(type instanceof z.ZodObject) || !isProps(given)) return { value: given, issues: wrongTypes({ schema, given, path }) };
  const unexpected = Object.keys(given).filter((key) => !(key in type.shape));
  const fields = Object.entries(type.shape).map(
    ([key, field]: [string, z.core.$ZodType]) => [key, parsed(field, given[key], [...path, key])] as const,
  );
  const sentence = (key: string) => `${placeOf(path)}: has no property ${key}; ${instead([key], Object.keys(type.shape))}`;
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
