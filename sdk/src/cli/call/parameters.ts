import type { Json } from "../../operation/codec.ts";
import type { Field, Kind } from "../../operation/fields.ts";
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

/** A parameter while it is put together: a whole value, or parts by name or index. */
type Part = { readonly whole: Json; readonly option: string } | { readonly parts: Map<string, Part>; readonly option: string };

/** Puts parameters together from options that give whole values or parts, such as `--Labels.0.Name`. */
export class Unfolded {
  readonly #top: Map<string, Part> = new Map<string, Part>();

  /**
   * @throws UsageError for a parameter that is given both as a whole and in parts (specification, Client options and parameter passing).
   */
  put(path: readonly string[], value: Json): void {
    const option = `--${path.join(".")}`;
    let level = this.#top;
    for (const name of path.slice(0, -1)) {
      const part = level.get(name) ?? { parts: new Map<string, Part>(), option };
      if ("whole" in part) throw bothWays(part.option, option);
      level.set(name, part);
      level = part.parts;
    }
    const last = path.at(-1) ?? "";
    const part = level.get(last);
    if (part) throw bothWays(option, part.option);
    level.set(last, { whole: value, option });
  }

  /** @throws UsageError for a list with a missing item. */
  body(fields: readonly Field[]): Record<string, Json> {
    return objectFrom(fields, this.#top);
  }
}

function bothWays(whole: string, part: string): UsageError {
  return new UsageError(`${whole} and ${part} give the same parameter`, "Give it as a whole, as JSON, or in parts: never both.");
}

function objectFrom(fields: readonly Field[], parts: ReadonlyMap<string, Part>, prefix = "--"): Record<string, Json> {
  const values = [...parts].map(([name, part]): [string, Json] => {
    const field = fields.find((known) => known.name === name);
    return [name, field ? valueOf(field, part, `${prefix}${name}`) : null];
  });
  return Object.fromEntries(values);
}

function valueOf(field: Field, part: Part, option: string): Json {
  if ("whole" in part) return part.whole;
  const { item } = field;
  if (!item) return objectFrom(field.fields, part.parts, `${option}.`);
  return Array.from({ length: part.parts.size }, (_, index) => {
    const at = part.parts.get(String(index));
    if (!at) throw new UsageError(`The index of the array parameter: ${option} must start from 0, and the step size is 1`);
    return valueOf(item, at, `${option}.${index}`);
  });
}

/** The field with a dotted name; `undefined` if the client offers none. */
export function fieldAt(fields: readonly Field[], path: readonly string[]): Field | undefined {
  const [name = "", ...inner] = path;
  const field = fields.find((known) => known.name === name && known.exposed);
  return field && insideOf(field, inner);
}

function insideOf(field: Field, path: readonly string[]): Field | undefined {
  const [index = "", ...inner] = path;
  if (path.length === 0) return field;
  if (!field.item) return fieldAt(field.fields, path);
  return /^(0|[1-9]\d*)$/.test(index) ? insideOf(field.item, inner) : undefined;
}
