import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";
import { byCodePoint } from "../code-points.ts";
import { equal, type Evaluate } from "./expressions.ts";

/** `&expression`: passed to the function without being evaluated. */
export class Reference {
  readonly evaluate: Evaluate;

  constructor(evaluate: Evaluate) {
    this.evaluate = evaluate;
  }
}

export type Argument = Json | Reference;

/** Wrong arguments of a function. The message names only types: a value may be a secret. */
export class ArgumentError extends Error {}

export interface JmesFunction {
  readonly fewest: number;
  readonly most: number;
  /** @throws ArgumentError for an argument of another type. */
  readonly call: (given: readonly Argument[]) => Json;
}

/** The type of a parameter. */
interface Type<T> {
  readonly says: string;
  readonly takes: (given: Argument) => given is T & Argument;
}

type Key = number | string;

const any: Type<Json> = { says: "any value", takes: (given): given is Json => !(given instanceof Reference) };
const number: Type<number> = { says: "a number", takes: (given) => typeof given === "number" };
const string: Type<string> = { says: "a string", takes: (given) => typeof given === "string" };
const object: Type<JsonObject> = {
  says: "an object",
  takes: (given): given is JsonObject => isObject(given) && !(given instanceof Reference),
};
const array: Type<readonly Json[]> = { says: "an array", takes: isArray };
const reference: Type<Reference> = { says: "an expression such as &Name", takes: (given) => given instanceof Reference };
const numbers: Type<readonly number[]> = { says: "an array of numbers", takes: (given) => isArray(given) && areNumbers(given) };
const strings: Type<readonly string[]> = { says: "an array of strings", takes: (given) => isArray(given) && areStrings(given) };
const keys: Type<readonly Key[]> = {
  says: "an array of numbers or one of strings",
  takes: (given) => isArray(given) && (areNumbers(given) || areStrings(given)),
};

function isArray(given: Argument): given is readonly Json[] {
  return Array.isArray(given);
}

function areNumbers(given: readonly Json[]): given is readonly number[] {
  return given.every((item) => typeof item === "number");
}

function areStrings(given: readonly Json[]): given is readonly string[] {
  return given.every((item) => typeof item === "string");
}

function either<A, B>(one: Type<A>, other: Type<B>): Type<A | B> {
  return { says: `${one.says} or ${other.says}`, takes: (given): given is (A | B) & Argument => one.takes(given) || other.takes(given) };
}

function argument<T>(type: Type<T>, given: readonly Argument[], at: number): T {
  const value = given[at] ?? null;
  if (type.takes(value)) return value;
  throw new ArgumentError(`takes ${type.says} as argument ${at + 1}, not ${described(value)}`);
}

function unary<A>(type: Type<A>, run: (given: A) => Json): JmesFunction {
  return { fewest: 1, most: 1, call: (given) => run(argument(type, given, 0)) };
}

function binary<A, B>(first: Type<A>, second: Type<B>, run: (first: A, second: B) => Json): JmesFunction {
  return { fewest: 2, most: 2, call: (given) => run(argument(first, given, 0), argument(second, given, 1)) };
}

function variadic<A>(fewest: number, type: Type<A>, run: (given: readonly A[]) => Json): JmesFunction {
  return { fewest, most: Infinity, call: (given) => run(given.map((_, at) => argument(type, given, at))) };
}

/** The functions of the specification, by name. */
export const functions: ReadonlyMap<string, JmesFunction> = new Map([
  ["abs", unary(number, Math.abs)],
  ["avg", unary(numbers, (list) => (list.length > 0 ? sum(list) / list.length : null))],
  ["ceil", unary(number, Math.ceil)],
  ["contains", binary(either(array, string), any, contains)],
  ["ends_with", binary(string, string, (text, end) => text.endsWith(end))],
  ["floor", unary(number, Math.floor)],
  ["join", binary(string, strings, (glue, list) => list.join(glue))],
  ["keys", unary(object, Object.keys)],
  ["length", unary(either(either(string, array), object), length)],
  ["map", binary(reference, array, ({ evaluate }, list) => list.map(evaluate))],
  ["max", unary(keys, (list) => most(list, list))],
  ["max_by", binary(array, reference, (list, by) => most(list, keysOf(list, by)))],
  ["merge", variadic(0, object, (given) => Object.fromEntries(given.flatMap(Object.entries<Json>)))],
  ["min", unary(keys, (list) => sorted(list, list)[0] ?? null)],
  ["min_by", binary(array, reference, (list, by) => sorted(list, keysOf(list, by))[0] ?? null)],
  ["not_null", variadic(1, any, (given) => given.find((value) => value !== null) ?? null)],
  ["reverse", unary(either(string, array), (given) => (isList(given) ? given.toReversed() : Array.from(given).toReversed().join("")))],
  ["sort", unary(keys, (list) => sorted(list, list))],
  ["sort_by", binary(array, reference, (list, by) => sorted(list, keysOf(list, by)))],
  ["starts_with", binary(string, string, (text, beginning) => text.startsWith(beginning))],
  ["sum", unary(numbers, sum)],
  ["to_array", unary(any, (value) => (isList(value) ? value : [value]))],
  ["to_number", unary(any, toNumber)],
  ["to_string", unary(any, (value) => (typeof value === "string" ? value : JSON.stringify(value)))],
  ["type", unary(any, typeOf)],
  ["values", unary(object, Object.values<Json>)],
]);

function typeOf(value: Argument): string {
  if (value instanceof Reference) return "expression";
  return value === null ? "null" : isList(value) ? "array" : typeof value;
}

function described(value: Argument): string {
  return isArray(value) && value.length > 0 ? `array of ${typesOf(value)}` : typeOf(value);
}

function typesOf(list: readonly Json[]): string {
  return [...new Set(list.map(typeOf))].join(", ");
}

function sum(list: readonly number[]): number {
  return list.reduce((total, item) => total + item, 0);
}

function contains(subject: string | readonly Json[], search: Json): boolean {
  if (isList(subject)) return subject.some((item) => equal(item, search));
  return typeof search === "string" && subject.includes(search);
}

function length(subject: string | readonly Json[] | JsonObject): number {
  return typeof subject === "string" ? Array.from(subject).length : isList(subject) ? subject.length : Object.keys(subject).length;
}

/** The grammar's json-number. */
function toNumber(value: Json): Json {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : null;
}

/** Computes the key of each item. */
function keysOf(list: readonly Json[], by: Reference): readonly Key[] {
  const found = list.map(by.evaluate);
  if (areNumbers(found) || areStrings(found)) return found;
  throw new ArgumentError(`takes keys that are all numbers or all strings, not ${typesOf(found)}`);
}

function order(one: Key, other: Key): number {
  return typeof one === "number" && typeof other === "number" ? one - other : byCodePoint(String(one), String(other));
}

/** Sorted by the keys; items with the same key stay in order. */
function sorted(list: readonly Json[], by: readonly Key[]): readonly Json[] {
  return list
    .map((item, at) => ({ item, key: by[at] ?? 0 }))
    .sort((one, other) => order(one.key, other.key))
    .map(({ item }) => item);
}

/** The first of those with the highest key. */
function most(list: readonly Json[], by: readonly Key[]): Json {
  const highest = by.reduce<number>((best, key, at) => (at > 0 && order(key, by[best] ?? 0) > 0 ? at : best), 0);
  return list[highest] ?? null;
}
