import { expect, test } from "vitest";
import { catalogue } from "./every-operation.ts";
import { commonCodes } from "../operation/errors.ts";
import { fieldsIn } from "../operation/fields.ts";
import type { Operation } from "../operation/operation.ts";

/** The mistakes in all operations, a line each. */
function complaints(about: (operation: Operation) => readonly string[]): string[] {
  return catalogue.flatMap((operation) => about(operation).map((complaint) => `${operation.action} ${operation.version}: ${complaint}`));
}

function twice(words: readonly string[]): string[] {
  return words.filter((word, index) => words.indexOf(word) !== index);
}

test("an operation is told from all others by product, action and version", () => {
  expect(twice(catalogue.map(({ product, action, version }) => `${product} ${action} ${version}`))).toEqual([]);
});

test("every operation, and every field of it, is described in sentences", () => {
  const isSentence = (text: string): boolean => /^\S.*\.$/s.test(text);
  expect(complaints(({ summary }) => (isSentence(summary) ? [] : [summary]))).toEqual([]);
  const mute = complaints(({ input, output }) =>
    [...fieldsIn(input), ...fieldsIn(output)]
      .filter(({ description }) => !isSentence(description))
      .map(({ path, description }) => `${path}: ${description}`),
  );
  expect(mute).toEqual([]);
});

test("no two fields are spelt alike", () => {
  const paths = (schema: Operation["input"]): string[] => fieldsIn(schema).map(({ path }) => path);
  expect(complaints(({ input, output }) => [...twice(paths(input)), ...twice(paths(output))])).toEqual([]);
});

test("the codes of an operation are listed once, and are not those of all", () => {
  expect(complaints(({ errors }) => twice([...commonCodes, ...errors]))).toEqual([]);
});
