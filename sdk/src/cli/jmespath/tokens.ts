import type { Json } from "../../operation/codec.ts";
import { FilterError } from "./error.ts";

const signs = [
  ...["&&", "||", "==", "!=", "<=", ">=", "[?", "[]"],
  ...[".", "*", "[", "]", "{", "}", "(", ")", "@", ",", ":", "|", "&", "<", ">", "!"],
] as const;

export type Sign = (typeof signs)[number];

interface Place {
  /** The index of its first character. */
  readonly at: number;
  /** Its text in the expression. */
  readonly text: string;
}

export type Token = Place &
  (
    | { readonly kind: "identifier" | "quoted"; readonly name: string }
    | { readonly kind: "number"; readonly number: number }
    | { readonly kind: "literal"; readonly value: Json }
    | { readonly kind: Sign | "end" }
  );

/** The lexical rules of the grammar. The longest matching operator wins. A quoted token ends at the first quote without a backslash. */
const rules = [
  ["space", /[ \t\n\r]+/y],
  ["identifier", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["number", /-?\d+/y],
  ["quoted", /"(?:[^"\\]|\\.)*"/sy],
  ["raw", /'(?:[^'\\]|\\.)*'/sy],
  ["literal", /`(?:[^`\\]|\\.)*`/sy],
  ["sign", /&&|\|\||[=!<>]=|\[\?|\[\]|[.*[\]{}()@,:|&<>!]/y],
] as const;

type Rule = (typeof rules)[number][0];

/** @throws FilterError for a text that is no token. */
export function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < expression.length;) {
    const [rule, text] = lexemeAt(expression, at);
    if (rule !== "space") tokens.push(tokenOf(rule, text, expression, at));
    at += text.length;
  }
  return [...tokens, { kind: "end", text: "", at: expression.length }];
}

function lexemeAt(expression: string, at: number): [Rule, string] {
  for (const [rule, pattern] of rules) {
    pattern.lastIndex = at;
    const text = pattern.exec(expression)?.[0];
    if (text !== undefined) return [rule, text];
  }
  const unknown = String.fromCodePoint(expression.codePointAt(at) ?? 0);
  throw new FilterError(/["'`]/.test(unknown) ? `Unclosed ${unknown} delimiter` : `Unknown token ${unknown}`, expression, at);
}

function tokenOf(rule: Exclude<Rule, "space">, text: string, expression: string, at: number): Token {
  const place = { at, text };
  const inside = text.slice(1, -1);
  switch (rule) {
    case "identifier":
      return { ...place, kind: rule, name: text };
    case "number":
      return { ...place, kind: rule, number: Number(text) };
    case "quoted": {
      const name = parsed(text);
      if (typeof name !== "string") throw new FilterError("A name in double quotes is written as in JSON", expression, at);
      return { ...place, kind: rule, name };
    }
    case "raw":
      return { ...place, kind: "literal", value: inside.replaceAll("\\'", "'") };
    case "literal": {
      const value = literal(inside.replaceAll("\\`", "`"));
      if (value === undefined) throw new FilterError("A literal is JSON, or bare text with the escapes of JSON", expression, at);
      return { ...place, kind: rule, value };
    }
    case "sign": {
      const kind = signs.find((sign) => sign === text);
      if (!kind) throw new FilterError(`Unknown token ${text}`, expression, at);
      return { ...place, kind };
    }
  }
}

/** A literal that is not JSON is a string without quotes: `app` is "app". Older expressions often have them (JEP 12). */
function literal(text: string): Json | undefined {
  const value = parsed(text);
  return value === undefined ? parsed(`"${text.trimStart()}"`) : value;
}

function parsed(text: string): Json | undefined {
  try {
    // JSON.parse returns JSON, but its type does not say that.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
