import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError } from "../../operation/errors.ts";
import type { Json } from "../../operation/codec.ts";
import { compileFilter, EvaluationError, FilterError } from "./filter.ts";

/** The kinds of error of the published cases, and a part of our message for each. */
const sentences = {
  syntax: /Incomplete|Unexpected|Unclosed|Unknown token|as in JSON|A literal is JSON/,
  "unknown-function": /There is no function/,
  "invalid-arity": /\(\) takes (at least )?\d arguments?, not \d/,
  "invalid-type": /\(\) takes .* (as argument \d|numbers or all strings), not /,
  "invalid-value": /The step of a slice cannot be 0/,
};

type Outcome = { readonly result: Json } | { readonly error: string };
type Case = Outcome & { readonly expression: string };

function outcome(expression: string, given: Json): Outcome {
  try {
    return { result: compileFilter(expression)(given) };
  } catch (error) {
    if (!(error instanceof FilterError || error instanceof EvaluationError)) throw error;
    return { error: Object.entries(sentences).find(([, sentence]) => sentence.test(error.message))?.[0] ?? error.message };
  }
}

const folder = join(import.meta.dirname, "compliance");
const files = readdirSync(folder).filter((file) => file.endsWith(".json"));

function published(file: string): { given: Json; told: Case }[] {
  const suites = JSON.parse(readFileSync(join(folder, file), "utf8")) as { given: Json; cases: Case[] }[];
  return suites.flatMap(({ given, cases }) => cases.map((told) => ({ given, told })));
}

const noBareNumber = "the grammar has numbers as literals only, as `1`";
const otherTypes = "sort() takes numbers or strings, as its own text and functions.json say";

/** Examples of the specification that contradict its rules and the other cases: our result, and the reason. */
const slips: readonly { expression: string; given?: Json; instead: Outcome; because: string }[] = [
  { expression: "abs(1)", instead: { error: "syntax" }, because: noBareNumber },
  { expression: "abs(-1)", instead: { error: "syntax" }, because: noBareNumber },
  { expression: "contains('foobar', 123)", instead: { error: "syntax" }, because: noBareNumber },
  { expression: "foo | [0]", instead: { result: 0 }, because: "an index gives the element, as in pipe.json" },
  { expression: 'ceil(`"abc"`)', instead: { error: "invalid-type" }, because: "ceil() takes a number, as functions.json says" },
  {
    expression: "max_by(people, &age_str)",
    instead: { result: { age: 50, age_str: "50", bool: false, name: "d" } },
    because: "keys may be strings, as functions.json says",
  },
  {
    expression: "min_by(people, &age_str)",
    instead: { result: { age: 10, age_str: "10", bool: true, name: 3 } },
    because: "keys may be strings, as functions.json says",
  },
  { expression: "sort(@)", given: [1, "a", "c"], instead: { error: "invalid-type" }, because: otherTypes },
  { expression: "sort(@)", given: [false, [], null], instead: { error: "invalid-type" }, because: otherTypes },
  { expression: "sort(@)", given: [[], {}, false], instead: { error: "invalid-type" }, because: otherTypes },
  { expression: "sort(@)", given: { a: 1, b: 2 }, instead: { error: "invalid-type" }, because: otherTypes },
  { expression: "sort(@)", given: false, instead: { error: "invalid-type" }, because: otherTypes },
];

test("all published cases are here", () => {
  const count = (chosen: string[]): number => chosen.flatMap(published).length;
  expect(count(files.filter((file) => !/legacy|specification/.test(file)))).toBe(892);
  expect([count(["legacy-literal.json"]), count(["specification.json"])]).toEqual([9, 186]);
});

test.each(files.filter((file) => file !== "specification.json"))("the cases of %s", (file) => {
  for (const { given, told } of published(file)) expect({ ...told, ...outcome(told.expression, given) }).toEqual(told);
});

test("the examples of the specification, but for its slips", () => {
  const met = new Set<unknown>();
  for (const { given, told } of published("specification.json")) {
    const { expression } = told;
    const slip = slips.find((one) => one.expression === expression && (one.given === undefined || isDeepStrictEqual(one.given, given)));
    if (slip) met.add(slip);
    expect({ expression, ...outcome(expression, given) }).toEqual(slip ? { expression, ...slip.instead } : told);
  }
  expect(met.size).toBe(slips.length);
});

test.each<[expression: string, result: Json]>([
  ["`app`", "app"],
  ["Set[?Name==`app`].Id", ["i-1"]],
  ["Set[?Created > '2026-01-15'].Id | [0]", "i-2"],
  ["Set[?Created > `1`]", []],
  ["Set[*].[Id, Name][0]", ["i-1", "app"]],
  ["Map.*.Id[0]", ["i-3"]],
  ["Set[0:1][0].Name", []],
  ["sort_by(Set, &Kind)[*].Id", ["i-1", "i-2"]],
  ["'it\\'s'", "it's"],
  ["length('a\u{1f600}')", 2],
  ["sort(['\u{1f600}', '\uffff'])", ["\uffff", "\u{1f600}"]],
  ["[constructor, toString, __proto__, Set.length, Text.length]", [null, null, null, null, null]],
  ["Set\n  [?Id == 'i-1']\n  .Name", ["app"]],
  // The library by itself has other results for these.
  ["sort(`[10, 9, 1]`)", [1, 9, 10]],
  ["[max(['a', 'B']), min(['a', 'B'])]", ["a", "B"]],
  ["[max_by(Set, &Created).Id, min_by(Set, &Created).Id]", ["i-2", "i-1"]],
  ["[contains(`[[1]]`, `[1]`), contains(Text, `1`)]", [true, false]],
  ["[to_number(''), to_number('0x10'), to_number('1e2')]", [null, null, 100]],
  ["[None | [Id], None | {a: Id}]", [null, null]],
  ["[`\"\\`\\`\"`, '\\\\']", ["``", "\\\\"]],
  // Of newer versions of JMESPath.
  ["[upper(Text), Text[1:3], None.length(@)]", ["TEXT", "ex", null]],
])("%s", (expression, result) => {
  const given = {
    Set: [
      { Id: "i-1", Name: "app", Created: "2026-01-02", Kind: "one" },
      { Id: "i-2", Name: "db", Created: "2026-02-01", Kind: "one" },
    ],
    Map: { a: { Id: ["i-3"] } },
    Text: "text",
  };
  expect(compileFilter(expression)(given)).toEqual(result);
});

test.each([
  ["", 'Incomplete expression:\n""\n ^'],
  ["Clusters[0", 'Incomplete expression:\n"Clusters[0"\n           ^'],
  ["Clusters[*]..Id", 'Unexpected token .:\n"Clusters[*]..Id"\n             ^'],
  ["[A B]", 'Unexpected token B:\n"[A B]"\n    ^'],
  ["length(A,)", 'Unexpected token ):\n"length(A,)"\n          ^'],
  ['"a"(b)', 'Unexpected token (:\n""a"(b)"\n    ^'],
  ["A = B", 'Unknown token =:\n"A = B"\n   ^'],
  ["A == 'b", `Unclosed ' delimiter:\n"A == 'b"\n      ^`],
  ['A."\\x"', 'A name in double quotes is written as in JSON:\n"A."\\x""\n   ^'],
  ['A == `"`', 'A literal is JSON, or bare text with the escapes of JSON:\n"A == `"`"\n      ^'],
  ["A[\n\t?B == C]\n| [0]", 'Unknown token ?:\n"A[\n\t?B == C]\n\t^\n| [0]"'],
  ["constructor(A)", /^There is no function constructor\(\), but abs, avg, .* values, zip:\n"constructor\(A\)"\n \^$/],
  ["abs()", 'abs() takes 1 argument, not 0:\n"abs()"\n ^'],
  ["A.not_null()", 'not_null() takes at least 1 argument, not 0:\n"A.not_null()"\n   ^'],
  ["[::0]", 'The step of a slice cannot be 0:\n"[::0]"\n  ^'],
])("%j is refused", (expression, says) => {
  const error = thrown(() => compileFilter(expression));
  expect(error).toBeInstanceOf(FilterError);
  expect(error.message).toMatch(/^Invalid jmespath expression: /);
  const told = error.message.slice("Invalid jmespath expression: ".length);
  if (typeof says === "string") expect(told).toBe(says);
  else expect(told).toMatch(says);
});

test.each([
  ["A.length(B)", 'length() takes string | array | object as argument 1, not null:\n"A.length(B)"\n   ^'],
  ["join(Token, A.C)", 'join() takes Array<string> as argument 2, not array:\n"join(Token, A.C)"\n ^'],
  ["sort_by(A.C, &D)", 'sort_by() takes keys that are all numbers or all strings, not null:\n"sort_by(A.C, &D)"\n ^'],
  ["sort_by(A.C, D)", 'sort_by() takes expression as argument 2, not null:\n"sort_by(A.C, D)"\n ^'],
  ["abs(&Token)", 'abs() takes number as argument 1, not expression:\n"abs(&Token)"\n ^'],
  ["sum([Token])", 'sum() takes Array<number> as argument 1, not array:\n"sum([Token])"\n ^'],
])("%s is refused for its value, which is not told", (expression, says) => {
  const filter = compileFilter(expression);
  const error = thrown(() => filter({ A: { C: ["x", 1] }, Token: "hunter2" }));
  expect(error).toBeInstanceOf(EvaluationError);
  expect(error.message).toBe(`Invalid jmespath expression: ${says}`);
});

function thrown(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}

test.each([
  ["when it is read", "(".repeat(50_000), true],
  ["when it is read", "!".repeat(50_000), true],
  ["when it is used", `a${".a".repeat(50_000)}`, false],
])("an expression of any depth ends in a sentence, %s", (_, expression, early) => {
  const error = thrown(() => compileFilter(expression)({}));
  expect([error.message, error instanceof InputError]).toEqual(["Invalid jmespath expression: it nests too deeply", early]);
});

const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json);

test("any value can be a literal, and any name a field", () => {
  fc.assert(
    fc.property(json, fc.string({ unit: "grapheme" }), (value, name) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(compileFilter(`\`${text.replaceAll("`", "\\`")}\``)(null))).toBe(text);
      expect(compileFilter(JSON.stringify(name))(Object.fromEntries([[name, value]]))).toBe(value);
    }),
  );
});

test("sorting keeps all items, and the order of those that are equal", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ key: fc.integer({ min: 0, max: 3 }).map(String), at: fc.nat() })), (items) => {
      const given = items.map((item, at) => ({ ...item, at }));
      const expected = given.toSorted((one, other) => Number(one.key) - Number(other.key) || one.at - other.at);
      expect(compileFilter("sort_by(@, &key)")(given)).toEqual(expected);
    }),
  );
});

test("no text makes it fail otherwise than with a sentence, nor change what it is given", () => {
  const words = ["a", "[", "]", "[]", "[?", "*", ".", "|", "||", "&&", "!", "(", ")", "{", "}", ":", ",", "@", "&", "==", "<", "0", "-1"];
  const expressions = fc
    .array(fc.oneof(fc.constantFrom(...words, "`1`", "'b'", "sort(", "map(&", '"c"'), fc.string()))
    .map((all) => all.join(""));
  fc.assert(
    fc.property(expressions, json, (expression, given) => {
      const before = JSON.stringify(given);
      try {
        expect(JSON.stringify(compileFilter(expression)(given))).toBeTypeOf("string");
      } catch (error) {
        expect([FilterError, EvaluationError]).toContain(error instanceof Error && error.constructor);
      }
      expect(JSON.stringify(given)).toBe(before);
    }),
    { numRuns: 2000 },
  );
});
