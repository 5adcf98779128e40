import { isDeepStrictEqual } from "node:util";
import {
  type compile,
  type InputSignature,
  type JSONArray,
  type JSONObject,
  type JSONValue,
  registerFunction,
  type RuntimeFunction,
  TreeInterpreter,
  TYPE_ANY,
  TYPE_ARRAY,
  TYPE_ARRAY_NUMBER,
  TYPE_ARRAY_STRING,
  TYPE_EXPREF,
  TYPE_STRING,
} from "@jmespath-community/jmespath";
import { byCodePoint } from "../output/scalar.ts";

// Replaces the functions that the library (1.3.0) computes otherwise than the specification, and adds functions that read a field and compare
// by order, which its interpreter does otherwise, too. Importing this file registers all of them.

/** A part of a compiled expression. */
export type Node = ReturnType<typeof compile>;

type Run = RuntimeFunction<(JSONValue | Node)[], JSONValue>;

/** No expression can call these: their names have a space. */
export const ownField = "own field";
export const inOrder = "in order";

const holds = {
  LT: (order: number) => order < 0,
  LTE: (order: number) => order <= 0,
  GT: (order: number) => order > 0,
  GTE: (order: number) => order >= 0,
};

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function isRecord(value: JSONValue | Node | undefined): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** Less than 0 if the first of two numbers or strings comes before the other; `undefined` for other values. */
function orderOf(one: unknown, other: unknown): number | undefined {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return typeof one === "string" && typeof other === "string" ? byCodePoint(one, other) : undefined;
}

/** The items of a list by their keys, or by themselves. Items with the same key stay in order. */
function ranked(name: string, [list, by]: (JSONValue | Node)[], direction: 1 | -1): JSONArray {
  if (!Array.isArray(list)) return [];
  const keyed = list.map((item) => ({ item, key: isNode(by) ? TreeInterpreter.visit(by, item) : item }));
  const types = [...new Set(keyed.map(({ key }) => typeOf(key)))];
  if (types.length > 1 || !["number", "string"].includes(types[0] ?? "number"))
    throw new Error(`${name}() takes keys that are all numbers or all strings, not ${types.join(", ")}`);
  return keyed.sort((one, other) => direction * (orderOf(one.key, other.key) ?? 0)).map(({ item }) => item);
}

function register(name: string, run: Run, ...types: InputSignature["types"][]): void {
  registerFunction(
    name,
    run,
    types.map((each) => ({ types: each })),
    { override: true },
  );
}

for (const [name, direction] of [
  ["sort", 1],
  ["min", 1],
  ["max", -1],
] as const) {
  const resultOf = (all: JSONArray): JSONValue => (name === "sort" ? all : (all[0] ?? null));
  register(name, (given) => resultOf(ranked(name, given, direction)), [TYPE_ARRAY_NUMBER, TYPE_ARRAY_STRING]);
  register(`${name}_by`, (given) => resultOf(ranked(`${name}_by`, given, direction)), [TYPE_ARRAY], [TYPE_EXPREF]);
}

register(
  "contains",
  ([subject, search]) => {
    if (Array.isArray(subject)) return subject.some((item) => isDeepStrictEqual(item, search));
    return typeof subject === "string" && typeof search === "string" && subject.includes(search);
  },
  [TYPE_STRING, TYPE_ARRAY],
  [TYPE_ANY],
);

register(
  "to_number",
  ([value]) => {
    if (typeof value === "number") return value;
    return typeof value === "string" && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : null;
  },
  [TYPE_ANY],
);

// Properties that an object of JavaScript inherits are not fields.
register(
  ownField,
  ([value, name]) => (isRecord(value) && typeof name === "string" && Object.hasOwn(value, name) ? (value[name] ?? null) : null),
  [TYPE_ANY],
  [TYPE_STRING],
);

// Compares strings such as dates as well, as the reference implementation (jmespath.py) does: existing filters rely on that.
register(
  inOrder,
  ([one, comparator, other]) => {
    const order = orderOf(one, other);
    const condition = Object.entries(holds).find(([name]) => name === comparator)?.[1];
    return order === undefined || !condition ? null : condition(order);
  },
  [TYPE_ANY],
  [TYPE_STRING],
  [TYPE_ANY],
);
