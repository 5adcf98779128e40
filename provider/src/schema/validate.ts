import { fieldsOf, nearest, unwrapped } from "@container-platform/sdk";
import * as z from "@container-platform/sdk/zod";
import { marksOf } from "./marks.ts";
import { mapParts, partSchema, partsOf, type Schema } from "./parts.ts";
import { type Path, placeOf } from "./paths.ts";
import { at, holdsUnknown, isProps, unknown } from "./values.ts";

/** What is wrong with a value, or with a part of it. */
export interface Issue {
  readonly path: Path;
  readonly sentence: string;
  /** Whether it is of another type than it has to be. Otherwise it is a value that is not taken. */
  readonly isOfType: boolean;
}

/** Parses the known parts of a value, and checks the rules of their schemas. Returns the value with defaults, and what is wrong with it. */
export function validated(schema: Schema, given: unknown, path: Path): { readonly value: unknown; readonly issues: readonly Issue[] } {
  const { data, error } = z.safeParse(schema, given);
  // What is refused may have been deployed before. Then its other parts need their defaults.
  const value = error ? withDefaults(schema, given) : data;
  return { value, issues: [...issuesIn(error?.issues ?? [], schema, given, path), ...brokenIn(schema, value, path)] };
}

function withDefaults(schema: Schema, given: unknown): unknown {
  if (given === undefined) return z.safeParse(schema, given).data;
  if (!(unwrapped(schema) instanceof z.ZodObject) || !isProps(given))
    return mapParts(schema, given, (inner, part) => (inner ? withDefaults(inner, part) : part));
  return Object.fromEntries(Object.entries(fieldsOf(schema)).map(([key, field]) => [key, withDefaults(field, given[key])]));
}

/** The rules that a value or parts of it break. */
function brokenIn(schema: Schema, given: unknown, inside: Path): readonly Issue[] {
  return partsOf(schema, given, inside).flatMap(({ schema: part, value, path }) => {
    const rules = value === undefined || holdsUnknown(value) ? [] : (marksOf(part).rules ?? []);
    const flaws = rules.flatMap((flawIn) => flawIn(value) ?? []);
    return flaws.map((flaw) => (typeof flaw === "string" ? issueAt(path, flaw) : issueAt([...path, flaw.of], flaw.says)));
  });
}

const issueAt = (path: Path, sentence: string, isOfType = false): Issue => ({ path, sentence, isOfType });

/** What zod says against the known parts of a value. Of what is of another type it may say more: the length of a text is not that of a list. */
function issuesIn(all: readonly z.core.$ZodIssue[], schema: Schema, given: unknown, path: Path): Issue[] {
  const isOfType = ({ code }: z.core.$ZodIssue) => code === "invalid_type" || code === "unrecognized_keys";
  const others = all.filter(({ code }) => code === "invalid_type").map((issue) => placeOf(issue.path));
  return all.flatMap((issue) => {
    const value = at(given, issue.path);
    const isKnown = isOfType(issue) ? value !== unknown : !holdsUnknown(value);
    if (!isKnown || (issue.code !== "invalid_type" && others.includes(placeOf(issue.path)))) return [];
    const outer = issue.path.reduce<Schema>((inner, key) => partSchema(inner, key) ?? inner, schema);
    return issueAt([...path, ...issue.path], sentenceOf(issue, given, Object.keys(fieldsOf(outer))), isOfType(issue));
  });
}

/** Whether a value holds the text of an Output, at any depth: the program has put an Output into a text. */
export function holdsOutputText(value: unknown): boolean {
  if (typeof value === "string") return /Calling \[to(String|JSON)\] on an \[Output<T>\] is not supported/.test(value);
  return typeof value === "object" && value !== null && Object.entries(value).some((entry) => entry.some(holdsOutputText));
}

/** Why such a value is refused. */
export function outputTextIn(key: string): string {
  return `holds the text of an Output, which has no value yet while the program runs. Pass the Output itself, such as ${key}: vpc.vpcId, or make the text with pulumi.interpolate`;
}

/** What is wrong with an input, and what is allowed (`keys`: its properties). Only a value of a fixed set is quoted, so never a secret. */
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
      return `takes ${issue.exact ? "" : "at least "}${amount(issue.minimum, issue.origin)}${measured(value)}`;
    case "too_big":
      return `takes ${issue.exact ? "" : "at most "}${amount(issue.maximum, issue.origin)}${measured(value)}`;
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
