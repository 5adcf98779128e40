import type { Field, Kind } from "../../operation/fields.ts";
import type { Json } from "../../operation/codec.ts";
import { UsageError } from "../run/failures.ts";

/**
 * The value that the words after an option mean. A text, number or boolean is given as it is, a list or an object as JSON. With
 * `unfolding`, the items of a list can also be given as a word each.
 *
 * @throws UsageError for words that are no such value. The message shows them only if they cannot contain a secret.
 */
export function valueFrom(option: string, field: Field, words: readonly string[], unfolding: boolean): Json {
  const [word, ...others] = words;
  if (word === undefined) throw new UsageError(`argument ${option}: expected one argument`, `It is a ${field.type}.`);
  const { item } = field;
  if (item && unfolding && item.kind !== "object" && item.kind !== "list" && (others.length > 0 || !/^\s*\[/.test(word)))
    return words.map((each) => scalarFrom(option, item.kind, each));
  if (others.length > 0)
    throw new UsageError(
      `argument ${option}: expected one argument, not ${words.length}`,
      item ? "A list is JSON; with --cli-unfold-argument, its items one by one." : "A value with spaces is put in quotes.",
    );
  return field.kind === "object" || field.kind === "list" ? jsonFrom(option, field, word) : scalarFrom(option, field.kind, word);
}

function scalarFrom(option: string, kind: Kind, word: string): Json {
  if (kind === "boolean") return booleanFrom(option, word);
  if (kind === "integer" || kind === "number") return numberFrom(option, kind, word);
  return word;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["t", true],
  ["1", true],
  ["false", false],
  ["f", false],
  ["0", false],
]);

function booleanFrom(option: string, word: string): boolean {
  const value = booleans.get(word.toLowerCase());
  if (value === undefined) throw new UsageError(`argument ${option}: Value of Boolean must be true/false, t/f, 1/0`);
  return value;
}

function numberFrom(option: string, kind: "integer" | "number", word: string): number {
  const value = /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : NaN;
  const fits = kind === "integer" ? Number.isSafeInteger(value) && !word.includes(".") : Number.isFinite(value);
  if (!fits) throw new UsageError(`argument ${option}: Value of ${kind === "integer" ? "Integer" : "Float"} must be a number: ${word}`);
  return value;
}

/** How many characters of a value a message shows. */
const shown = 60;

function jsonFrom(option: string, field: Field, word: string): Json {
  try {
    // Its content is checked together with the rest of the input.
    return JSON.parse(word) as Json;
  } catch {
    const received = hidesSecrets(field) ? "" : ` JSON received: ${word.length > shown ? `${word.slice(0, shown)}…` : word}`;
    throw new UsageError(`argument ${option}: Invalid JSON.${received}`, `It is a ${field.type}; shells take quotes away: '["a", "b"]'.`);
  }
}

function hidesSecrets({ sensitive, fields, item }: Field): boolean {
  return sensitive || (item !== undefined && hidesSecrets(item)) || fields.some(hidesSecrets);
}
