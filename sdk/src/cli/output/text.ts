import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";

export type Scalar = string | number | boolean | null;

export function isScalar(value: Json): value is Scalar {
  return !isList(value) && !isObject(value);
}

/** A scalar as the reference client prints it, in Python's spelling. */
export function printed(value: Scalar): string {
  if (value === null) return "None";
  return typeof value === "boolean" ? (value ? "True" : "False") : String(value);
}

/** The fields of an object, sorted by name: scalars, and others. */
export function parted(object: JsonObject): { scalars: [string, Scalar][]; others: [string, Json][] } {
  const scalars: [string, Scalar][] = [];
  const others: [string, Json][] = [];
  for (const [name, value] of Object.entries(object).sort(([one], [other]) => byCodePoint(one, other))) {
    if (isScalar(value)) scalars.push([name, value]);
    else others.push([name, value]);
  }
  return { scalars, others };
}

/** Sorted, without duplicates. */
export function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort(byCodePoint);
}

/** Orders texts by their code points, as JMESPath and the output formats do; `<` orders UTF-16 units. */
export function byCodePoint(one: string, other: string): number {
  // The order of UTF-8 bytes is that of code points.
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/**
 * A value as text: a line for each row, with tabs between its cells. An object is a row of its scalars, sorted by name; objects of
 * one list have the same columns. The other fields follow, in rows that begin with the field's name in capitals.
 * Source: the formatter of the reference client and of aws-cli (awscli/text.py).
 */
export function text(value: Json): string {
  return lines(value)
    .map((line) => `${line}\n`)
    .join("");
}

/** @param name the field that holds the value */
function lines(value: Json, name?: string): string[] {
  if (isList(value)) return linesOfList(value, name);
  if (!isObject(value)) return [printed(value)];
  const { scalars, others } = parted(value);
  const cells = scalars.map(([, scalar]) => printed(scalar));
  return [...row(cells, name), ...linesInside(others)];
}

function linesOfList(list: readonly Json[], name?: string): string[] {
  const columns = distinct(list.flatMap((item) => (isObject(item) ? parted(item).scalars.map(([column]) => column) : [])));
  if (list.some(isObject)) return list.flatMap((item) => (isObject(item) ? linesInTable(item, columns, name) : lines([item], name)));
  const scalars = list.filter(isScalar);
  return [...linesOfScalars(scalars, name), ...list.filter((item) => !isScalar(item)).flatMap((item) => lines(item, name))];
}

/** The lines of an object in a list. A column can contain an object or a list, if it is a scalar in another object of the list. */
function linesInTable(object: JsonObject, columns: readonly string[], name?: string): string[] {
  const cells = columns.map((column) => (Object.hasOwn(object, column) ? cell(object[column] ?? null) : ""));
  const others = parted(object).others.filter(([other]) => !columns.includes(other));
  return [...row(cells, name), ...linesInside(others)];
}

function linesInside(fields: readonly [string, Json][]): string[] {
  return fields.flatMap(([name, value]) => lines(value, name));
}

function linesOfScalars(scalars: readonly Scalar[], name?: string): string[] {
  if (name === undefined) return scalars.length > 0 ? [scalars.map(printed).join("\t")] : [];
  return scalars.flatMap((scalar) => row([printed(scalar)], name));
}

function row(cells: readonly string[], name?: string): string[] {
  if (cells.length === 0) return [];
  return [[...(name === undefined ? [] : [name.toUpperCase()]), ...cells].join("\t")];
}

function cell(value: Json): string {
  return isScalar(value) ? printed(value) : literal(value);
}

/** A value in Python's spelling, for an object or a list in a column. */
function literal(value: Json): string {
  if (isList(value)) return `[${value.map(literal).join(", ")}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([name, inner]) => `${quoted(name)}: ${literal(inner)}`)
      .join(", ")}}`;
  return typeof value === "string" ? quoted(value) : printed(value);
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function quoted(string: string): string {
  const quote = string.includes("'") && !string.includes('"') ? '"' : "'";
  return `${quote}${string.replace(/[\\'\p{C}\p{Z}]/gu, (letter) => escaped(letter, quote))}${quote}`;
}

function escaped(letter: string, quote: string): string {
  if (letter === " " || letter === "'") return letter === quote ? `\\${letter}` : letter;
  const code = letter.codePointAt(0) ?? 0;
  const [mark, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return escapes[letter] ?? `\\${mark}${code.toString(16).padStart(digits, "0")}`;
}
