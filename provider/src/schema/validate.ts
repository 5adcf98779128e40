import { fieldsOf, unwrapped, nearest } from "@container-platform/sdk";
import { placeOf } from "./paths.ts";
import * as z from "@container-platform/sdk/zod";
import { marksOf } from "./marks.ts";
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

/** Parses the known parts of a value, and checks the rules of their schemas. The other parts are still unknown. */
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

/** What Pulumi gives as the text of an Output, in whatever it is put. */
const marks = ["Calling [toString] on an [Output<T>] is not supported", "Calling [toJSON] on an [Output<T>] is not supported"];

/** Whether a value holds the text of an Output, at any depth: the program has put an Output into a text. */
export function holdsOutputText(value: unknown): boolean {
  if (typeof value === "string") return marks.some((mark) => value.includes(mark));
  return typeof value === "object" && value !== null && Object.entries(value).some((entry) => entry.some(holdsOutputText));
}

/** Why such a value is refused. */
export function outputTextIn(key: string): string {
  return `${key}: holds the text of an Output, which has no value yet while the program runs. Pass the Output itself, such as ${key}: vpc.vpcId, or make the text with pulumi.interpolate`;
}

/**
 * What is wrong with an input, and what is allowed. A value is quoted only if it has to come from a fixed set, so never a secret.
 *
 * @param keys the properties that the schema at the issue's path has
 */
export function sentenceOf(issue: z.core.$ZodIssue, given: unknown, keys: readonly string[]): string {
  const value = at(given, issue.path);
  switch (issue.code) {
    case "invalid_type":
      return value === undefined
        ? "is required"
        : `takes ${article(issue.expected)}, not ${typeof value === "number" ? wrongNumber(issue.expected, value) : article(kindOf(value))}`;
    case "invalid_value":
      return `${value === undefined ? "is required; it takes" : `${scalar(value)} is not one of`} ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      // zod's own words, where the schema has none, begin so.
      return issue.message.startsWith("Invalid ") ? `takes text of the form ${issue.format}` : issue.message;
    case "too_small":
      if (issue.exact === true) return `takes ${amount(issue.minimum, issue.origin)}${measured(value)}`;
      return `takes at least ${amount(issue.minimum, issue.origin)}${measured(value)}`;
    case "too_big":
      if (issue.exact === true) return `takes ${amount(issue.maximum, issue.origin)}${measured(value)}`;
      return `takes at most ${amount(issue.maximum, issue.origin)}${measured(value)}`;
    case "unrecognized_keys":
      return `has no property ${issue.keys.join(", ")}; ${instead(issue.keys, keys)}`;
    default:
      return issue.message;
  }
}

/** What there is instead of properties that there are not: those that were meant, as far as their spelling tells, or all. */
export function instead(keys: readonly string[], known: readonly string[]): string {
  const meant = keys.map((key) => meantBy(key, known));
  const isTold = meant.every((likely) => likely.length > 0);
  return isTold ? `maybe you meant ${meant.map((likely) => likely.join(" or ")).join(", ")}` : `it has ${known.join(", ")}`;
}

/** The property that is spelt so, but for a mistake; or those that end with the same words, such as `clusterVersion` for `version`. */
function meantBy(key: string, known: readonly string[]): readonly string[] {
  const [likely] = nearest(key, known);
  if (likely !== undefined) return [likely];
  const own = wordsOf(key);
  return known.filter((other) => own.endsWith(wordsOf(other)) || wordsOf(other).endsWith(own));
}

/** ` cluster version`: each word begins with a space. */
function wordsOf(key: string): string {
  return ` ${key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/_/g, " ")
    .toLowerCase()}`;
}

/** `NaN` is no number, and 1.5 is no whole one: there, the value says more than its type. */
function wrongNumber(expected: string, value: number): string {
  return expected === "int" || !Number.isFinite(value) ? String(value) : "a number";
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function article(type: string): string {
  if (type === "null" || type === "undefined") return type;
  if (type === "int") return "a whole number";
  const named = type === "record" ? "object" : type;
  return `${/^[aeiou]/.test(named) ? "an" : "a"} ${named}`;
}

const scalar = (value: unknown): string =>
  ["string", "number", "boolean"].includes(typeof value) ? JSON.stringify(value) : article(kindOf(value));

/** How much: `2 characters`, `1 entry`, `7`. `origin`: what is counted, as zod names it. */
function amount(limit: number | bigint, origin: string): string {
  if (origin === "string") return `${limit} character${limit === 1 ? "" : "s"}`;
  return origin === "array" ? `${limit} entr${limit === 1 ? "y" : "ies"}` : String(limit);
}

function measured(value: unknown): string {
  if (typeof value === "string" || Array.isArray(value)) return `, not ${value.length}`;
  return typeof value === "number" ? `, not ${value}` : "";
}
