import { isDeepStrictEqual } from "node:util";
import * as jmespath from "@jmespath-community/jmespath";
import type { InputSignature, JSONArray, JSONObject, JSONValue, RuntimeFunction } from "@jmespath-community/jmespath";
import type { Json } from "../../operation/codec.ts";
import { InputError } from "../../operation/errors.ts";
import { byCodePoint } from "../output/text.ts";

// Replaces the functions that the library (1.3.0) computes otherwise than the specification, and adds functions that read a field and compare
// by order, which its interpreter does otherwise, too. Importing this file registers all of them.

/** A part of a compiled expression. */
type Node = ReturnType<typeof jmespath.compile>;

type Run = RuntimeFunction<(JSONValue | Node)[], JSONValue>;

/** No expression can call these: their names have a space. */
const ownField = "own field";
const inOrder = "in order";

const holds = {
  LT: (order: number) => order < 0,
  LTE: (order: number) => order <= 0,
  GT: (order: number) => order > 0,
  GTE: (order: number) => order >= 0,
};

function isNode(value: unknown): value is Node {
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
  const keyed = list.map((item) => ({ item, key: isNode(by) ? jmespath.TreeInterpreter.visit(by, item) : item }));
  const types = [...new Set(keyed.map(({ key }) => typeOf(key)))];
  if (types.length > 1 || !["number", "string"].includes(types[0] ?? "number"))
    throw new Error(`${name}() takes keys that are all numbers or all strings, not ${types.join(", ")}`);
  return keyed.sort((one, other) => direction * (orderOf(one.key, other.key) ?? 0)).map(({ item }) => item);
}

function register(name: string, run: Run, ...types: InputSignature["types"][]): void {
  jmespath.registerFunction(
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
  register(name, (given) => resultOf(ranked(name, given, direction)), [jmespath.TYPE_ARRAY_NUMBER, jmespath.TYPE_ARRAY_STRING]);
  register(`${name}_by`, (given) => resultOf(ranked(`${name}_by`, given, direction)), [jmespath.TYPE_ARRAY], [jmespath.TYPE_EXPREF]);
}

register(
  "contains",
  ([subject, search]) => {
    if (Array.isArray(subject)) return subject.some((item) => isDeepStrictEqual(item, search));
    return typeof subject === "string" && typeof search === "string" && subject.includes(search);
  },
  [jmespath.TYPE_STRING, jmespath.TYPE_ARRAY],
  [jmespath.TYPE_ANY],
);

register(
  "to_number",
  ([value]) => {
    if (typeof value === "number") return value;
    return typeof value === "string" && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : null;
  },
  [jmespath.TYPE_ANY],
);

// Properties that an object of JavaScript inherits are not fields.
register(
  ownField,
  ([value, name]) => (isRecord(value) && typeof name === "string" && Object.hasOwn(value, name) ? (value[name] ?? null) : null),
  [jmespath.TYPE_ANY],
  [jmespath.TYPE_STRING],
);

// Compares strings such as dates as well, as the reference implementation (jmespath.py) does: existing filters rely on that.
register(
  inOrder,
  ([one, comparator, other]) => {
    const order = orderOf(one, other);
    const condition = Object.entries(holds).find(([name]) => name === comparator)?.[1];
    return order === undefined || !condition ? null : condition(order);
  },
  [jmespath.TYPE_ANY],
  [jmespath.TYPE_STRING],
  [jmespath.TYPE_ANY],
);

/** A wrong expression. The message has a caret beneath the mistake. */
export class FilterError extends InputError {}

/** An expression that cannot be applied to a value. This is found only after the call. The message names types, not values. */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";
}

interface Token {
  readonly text: string;
  /** The text in a spelling that the library reads as jmespath.org does. */
  readonly plain: string;
  /** The place in the expression, in UTF-16 units from its beginning. */
  readonly at: number;
}

const refusal = "Invalid jmespath expression";
const tooDeep = `${refusal}: it nests too deeply`;
/** With a narrower type: the library changes no value. */
const interpreter: { search(node: Node, value: Json): Json } = jmespath.TreeInterpreter;

/**
 * Compiles a filter: an expression of JMESPath (jmespath.org). As in its older version, literals may have no quotes (`app` is "app").
 *
 * @returns A function from a value to the expression's result; or `null`. It throws an EvaluationError if a function
 * of the expression does not take its argument.
 * @throws FilterError for a wrong expression.
 */
export function compileFilter(expression: string): (value: Json) => Json {
  const { tree, calls } = parse(expression);
  return (value) => {
    try {
      return interpreter.search(tree, value);
    } catch (error) {
      if (error instanceof RangeError) throw new Error(tooDeep);
      const reason = reasonOf(error);
      const [call, another] = calls.filter(({ text }) => reason.startsWith(`${text}()`));
      throw new EvaluationError(call && !another ? located(reason, expression, call.at) : `${refusal}: ${reason}:\n"${expression}"`);
    }
  };
}

/** The sentence of an error of the library, in the form of ours. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .replace(/^Invalid \w+: /, "")
    .replace(/expected argument (\d+) to be type \((.*)\) but received type (\w+) instead\.$/, "takes $2 as argument $1, not $3")
    .replace(" but received ", ", not ");
}

/** The reason, and the expression in quotes, with a caret beneath the mistake. */
function located(reason: string, expression: string, at: number): string {
  const before = `"${expression.slice(0, at)}`;
  const [rest = "", ...later] = `${expression.slice(at)}"`.split("\n");
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const caret = `${line.replace(/[^\t]/gu, " ")}^`;
  return [`${refusal}: ${reason}:`, before + rest, caret, ...later].join("\n");
}

/** The tokens of the grammar of jmespath.org. The library has others beside them, such as arithmetic and variables. */
const lexemes = /[A-Za-z_]\w*|-?\d+|(["'`])(?:\\.|(?!\1)[^\\])*\1|&&|\|\||[=!<>]=|\[\?|\[\]|[.*[\]{}()@,:|&<>!]|(?<unknown>[^ \t\n\r])/gsu;

/** @throws FilterError for an unknown or unclosed token. */
function tokensOf(expression: string): Token[] {
  return Array.from(expression.matchAll(lexemes), ({ 0: text, index: at, groups }) => {
    const refuse = (reason: string): FilterError => new FilterError(located(reason, expression, at));
    if (groups?.["unknown"]) throw refuse(/["'`]/.test(text) ? `Unclosed ${text} delimiter` : `Unknown token ${text}`);
    const plain = plainText(text);
    if (plain !== undefined) return { text, at, plain };
    throw refuse(
      text.startsWith('"') ? "A name in double quotes is written as in JSON" : "A literal is JSON, or bare text with the escapes of JSON",
    );
  });
}

/** See Token.plain; `undefined` for a name or a literal with wrong escapes. */
function plainText(text: string): string | undefined {
  const inside = text.slice(1, -1);
  if (text.startsWith('"')) return isJson(text) ? text : undefined;
  if (text.startsWith("'")) return literal(JSON.stringify(inside.replaceAll("\\'", "'")));
  if (!text.startsWith("`")) return text;
  // A literal that is not JSON is a string without quotes (JEP 12).
  const value = inside.replaceAll("\\`", "`");
  const json = [value.trim(), `"${value.trimStart()}"`].find(isJson);
  return json === undefined ? undefined : literal(json);
}

function literal(json: string): string {
  return `\`${json.replaceAll("`", "\\u0060")}\``;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Mistakes that the library does not find, in a text with one character for each token. */
const mistakes: readonly (readonly [pattern: RegExp, reason?: string])[] = [
  [/(?<=[aq'01*@)\]}F])[aq'01*@{!&]/],
  [/(?<=[,[])[)\]]/],
  [/(?<=\[)[01]?:[01]?:0(?=\])/, "The step of a slice cannot be 0"],
];

const characters: Readonly<Record<string, string>> = { '"': "q", "`": "'", "[]": "F", "[?": "?", "!=": "=", "&&": "|" };

function characterOf({ text }: Token): string {
  if (/^[A-Za-z_]/.test(text)) return "a";
  if (/^-?\d/.test(text)) return Number(text) === 0 ? "0" : "1";
  return characters[text] ?? characters[text.charAt(0)] ?? text.charAt(0);
}

type Refuse = (token: Token | undefined, reason?: string) => FilterError;

/** A tree that the library's interpreter takes, and the names of the functions that it calls. */
function parse(expression: string): { readonly tree: Node; readonly calls: readonly Token[] } {
  const tokens = tokensOf(expression);
  const refuse: Refuse = (token, reason = token ? `Unexpected token ${token.text}` : "Incomplete expression") =>
    new FilterError(located(reason, expression, token?.at ?? expression.length));
  const kinds = tokens.map(characterOf).join("");
  for (const [pattern, reason] of mistakes) {
    const at = kinds.search(pattern);
    if (at >= 0) throw refuse(tokens[at], reason);
  }
  const tree = compiled(tokens);
  if (!isNode(tree)) throw refuse(tokens.find((_, at) => compiled(tokens.slice(0, at + 1)) === "wrong"));
  const calls = tokens.filter((_, at) => kinds.startsWith("a(", at));
  const references = tokens.filter(({ text }) => text === "&");
  adapt(tree, calls, references, refuse);
  return { tree, calls };
}

/** The library's tree; without one, whether the tokens are the beginning of an expression. */
function compiled(tokens: readonly Token[]): Node | "wrong" | "incomplete" {
  try {
    return jmespath.compile(tokens.map(({ plain }) => plain).join(" "));
  } catch (error) {
    if (error instanceof RangeError) throw new InputError(tooDeep);
    return error instanceof TypeError || /\bEOF\b/.test(reasonOf(error)) ? "incomplete" : "wrong";
  }
}

/**
 * Checks the functions of a tree, and changes the nodes for which the library's interpreter does not keep to the specification.
 *
 * @param calls the names of functions, in the order of the text
 * @param references the signs before references, in the order of the text
 */
function adapt(tree: Node, [...calls]: readonly Token[], [...references]: readonly Token[], refuse: Refuse): void {
  const current = { type: "Current" } as const;
  const pending = [tree];
  const given = new Set<Node>();
  for (let node = pending.pop(); node; node = pending.pop()) {
    pending.push(...partsOf(node).toReversed());
    if (node.type === "Function") {
      const token = calls.shift();
      const reason = mistakeOfCall(node.name, node.children.length);
      if (reason !== undefined) throw refuse(token, reason);
      for (const argument of node.children) given.add(argument);
    } else if (node.type === "ExpressionReference") {
      const token = references.shift();
      if (!given.has(node)) throw refuse(token);
    } else if (node.type === "Field") {
      Object.assign(node, { type: "Function", name: ownField, children: [current, { type: "Literal", value: node.name }] });
    } else if (node.type === "Comparator" && node.name !== "EQ" && node.name !== "NE") {
      const comparator = { type: "Literal", value: node.name } as const;
      Object.assign(node, { type: "Function", name: inOrder, children: [node.left, comparator, node.right] });
    } else if (node.type === "MultiSelectList" || node.type === "MultiSelectHash") {
      Object.assign(node, { type: "Subexpression", left: current, right: { ...node } });
    }
  }
}

/** The nodes directly inside of a node, in the order of the text. */
function partsOf(node: Node): Node[] {
  if (node.type === "Literal") return [];
  const parts: unknown[] = node.type === "FilterProjection" ? [node.left, node.condition, node.right] : Object.values(node).flat();
  return parts.filter(isNode);
}

function mistakeOfCall(name: string, count: number): string | undefined {
  const known = jmespath.getRegisteredFunctions().filter((each) => !each.includes(" "));
  if (!known.includes(name)) return `There is no function ${name}(), but ${known.sort().join(", ")}`;
  try {
    // The library checks the number of arguments first. Functions have no effects.
    jmespath.TreeInterpreter.runtime.callFunction(
      name,
      Array.from({ length: count }, () => null),
    );
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Invalid arity")) return reasonOf(error);
  }
  return undefined;
}
