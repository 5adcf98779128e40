import { nearest } from "@container-platform/sdk";
import type * as z from "@container-platform/sdk/zod";
import { at } from "./values.ts";

/** The path of a property as programs write it: `ingress[2].port`. */
export function placeOf(path: readonly PropertyKey[]): string {
  return path.map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`)).join("");
}

/** The path of a part of a value: a property of it, such as `port`, or of an item, such as `[2].port`. */
export function partOf(path: string, part: string): string {
  return part.startsWith("[") ? `${path}${part}` : `${path}.${part}`;
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
