import { join } from "node:path";
import * as library from "@container-platform/pulumi";
import { expect, test } from "vitest";
import { type Literal, UserProgram, written } from "./user-program.ts";

// What a person reads of the library in an editor and from the compiler. `npm run test:all -- types/editor --update` renews the golden files.

const literals = UserProgram.literals();
const golden = (name: string) => join(import.meta.dirname, "golden", name);

/** What no text shows: types that are computed. */
const computed = /Zod|zod|Args<|Given|Answer|Omit<|Pick<|import\(|\.\.\./;

test("what the editor shows of each resource, its inputs and the nested ones", async () => {
  const program = new UserProgram([...literals].map(([name, literal]) => `new ${name}("it", ${written(literal)});`).join("\n"));
  expect(program.errors()).toEqual([]);
  const shown = [...literals].map(([name, literal]) => {
    const start = program.text.indexOf(`new ${name}("it"`);
    const { shown: head, documentation } = program.hover(start + 4);
    return [`# ${name}`, head, documentation, ...hovers(program, literal, start)].join("\n");
  });
  const text = `${shown.join("\n\n")}\n`;
  expect(text).not.toMatch(computed);
  await expect(text).toMatchFileSnapshot(golden("hovers.txt"));
});

/** What is shown of each property: the places are found one after the other, in the order of the text. */
function hovers(program: UserProgram, literal: Literal, start: number): string[] {
  let at = start;
  const each = (properties: Literal): string[] =>
    properties.flatMap(({ key, inner }) => {
      at = program.text.indexOf(`${key}: `, at);
      const { shown, documentation } = program.hover(at);
      expect(documentation, shown).not.toBe("");
      at += key.length;
      return [shown, ...(inner ? each(inner) : [])];
    });
  return each(literal);
}

test("what the editor shows of each function", async () => {
  const names = Object.entries(library).flatMap(([name, one]) => (typeof one === "function" && /^[a-z]/.test(name) ? [name] : []));
  const program = new UserProgram(names.map((name) => `void ${name};`).join("\n"));
  const shown = names.map((name) => program.hover(program.text.indexOf(`void ${name};`) + 5));
  expect(shown.filter(({ documentation }) => documentation === "")).toEqual([]);
  const text = `${shown.map((one) => `${one.shown}\n${one.documentation}`).join("\n\n")}\n`;
  expect(text).not.toMatch(computed);
  await expect(text).toMatchFileSnapshot(golden("functions.txt"));
});

const mistakes: Readonly<Record<string, (literal: Literal) => string | undefined>> = {
  "a property is missing": (literal) => (literal.some(({ required }) => required) ? "{}" : undefined),
  "a property is misspelt": misspelt,
  "a property has another type": ([first, ...others]) => first && `{ ${first.key}: Symbol(), ${written(others).slice(2)}`,
  "a nested property is misspelt": (literal) => inNested(literal, misspelt),
  "a nested property has another type": (literal) =>
    inNested(literal, ([first, ...others]) => first && `{ ${first.key}: Symbol(), ${written(others).slice(2)}`),
};

/** The object with the last letter but one of its first key left out. */
function misspelt([first, ...others]: Literal): string | undefined {
  return first && `{ ${first.key.slice(0, -2)}${first.key.slice(-1)}: _, ${written(others).slice(2)}`;
}

/** The required properties, with a mistake in the first nested object. */
function inNested(literal: Literal, mistake: (inner: Literal) => string | undefined): string | undefined {
  const nested = literal.find(({ inner }) => inner);
  const wrong = nested?.inner && mistake(nested.inner);
  if (!nested || wrong === undefined) return undefined;
  const others = literal.filter((one) => one !== nested);
  return `{ ${nested.key}: ${nested.isList ? `[${wrong}]` : wrong}, ${written(others).slice(2)}`;
}

test("what the compiler says of mistakes in each resource", async () => {
  const lines = [...literals].flatMap(([name, literal]) =>
    Object.entries(mistakes).flatMap(([what, make]) => {
      const args = make(literal);
      return args === undefined ? [] : [{ title: `${name}: ${what}`, line: `new ${name}("it", ${args});` }];
    }),
  );
  // One program for all, which takes as long as one for each of the first few.
  const errors = new UserProgram(lines.map(({ line }) => line).join("\n")).errorsByLine();
  const said = lines.map(({ title, line }) => {
    const found = errors.get(line);
    expect(found, title).toBeDefined();
    return `# ${title}\n${found?.join("\n")}`;
  });
  const text = `${said.join("\n\n")}\n`;
  expect(text).not.toMatch(computed);
  await expect(text).toMatchFileSnapshot(golden("mistakes.txt"));
});
