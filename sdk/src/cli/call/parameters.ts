import { fromWire, isList, isObject, type Json, type JsonObject, valueAt, wirePath } from "../../operation/codec.ts";
import { type Field, type Kind, ownFieldsOf } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import { redacted } from "../../operation/redact.ts";
import { callOptions } from "./products.ts";
import { type CommandLine, unknownOptions } from "../command.ts";
import { warnOfSecrets } from "../connection.ts";
import { type Session, UsageError } from "../run.ts";

/** Other ways of giving parameters than an option for each. */
export interface Ways {
  /** `--cli-unfold-argument`. */
  readonly unfolding: boolean;
  /** `--cli-input-json`. */
  readonly file: string | undefined;
}

/**
 * The input of a call, in wire spelling: from options and from a file. Options win.
 *
 * @throws UsageError for parameters that the operation does not take, and for required ones that are missing, unless there is a file.
 */
export async function inputFrom(operation: Operation, line: CommandLine, ways: Ways, session: Session): Promise<JsonObject> {
  const fields = ownFieldsOf(operation.input);
  const fromOptions = inputFromOptions(operation, fields, line, ways.unfolding);
  if (JSON.stringify(redacted(operation.input, fromOptions)).includes('"[secret]"')) warnOfSecrets(session);
  const fromFile = ways.file === undefined ? {} : await inputFromFile(fields, ways.file, session);
  const body = { ...fromFile, ...fromOptions };
  // What a file holds is sent as it is, as the reference client does: the platform says what is wrong with it.
  if (ways.file === undefined) refuseUnfit(operation, body);
  return body;
}

function inputFromOptions(operation: Operation, fields: readonly Field[], { options }: CommandLine, unfolding: boolean): JsonObject {
  const given = [...options].filter(([name]) => !Object.hasOwn(callOptions, name));
  const input = new Map<string, Part>();
  const unknown: string[] = [];
  for (const [name, words] of given) {
    const path = name.split(".");
    const field = path.length === 1 || unfolding ? fieldAt(fields, path) : undefined;
    if (field) put(input, path, valueFrom(`--${name}`, field, words, unfolding));
    else unknown.push(name);
  }
  if (unknown.length > 0) throw notTaken(operation, fields, unknown, unfolding);
  return objectFrom(fields, input);
}

function notTaken(operation: Operation, fields: readonly Field[], unknown: readonly string[], unfolding: boolean): UsageError {
  const { product, action } = operation;
  const offered = fields.filter(({ exposed }) => exposed).map(({ name }) => name);
  return unknownOptions(
    unknown,
    [...offered, ...Object.keys(callOptions)],
    [
      !unfolding && unknown.some((name) => name.includes(".")) && "Dotted names need --cli-unfold-argument.",
      fields.some(({ name, exposed }) => !exposed && unknown.includes(name)) && `The client does not offer that parameter of ${action}.`,
      `\`cpcli ${product} ${action} help --detail\` tells what it takes.`,
    ],
  );
}

async function inputFromFile(fields: readonly Field[], file: string, session: Session): Promise<JsonObject> {
  const given = await import("../files.ts").then(({ objectIn }) => objectIn(file));
  const dropped: string[] = [];
  const kept = offeredOf(fields, given, "", dropped);
  if (dropped.length > 0) session.say(`--cli-input-json: left out what the client does not offer: ${dropped.join(", ")}`);
  return kept;
}

/** Keeps the fields that the client offers, at any depth (specification, Client options). A field that is `null` counts as absent. */
function offeredOf(fields: readonly Field[], value: JsonObject, prefix: string, dropped: string[]): JsonObject {
  const kept = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    const field = fields.find((known) => known.name === name && known.exposed);
    if (!field) dropped.push(`${prefix}${name}`);
    return field && inner !== null ? [[name, offeredIn(field, inner, `${prefix}${name}.`, dropped)]] : [];
  });
  return Object.fromEntries(kept);
}

function offeredIn(field: Field, value: Json, prefix: string, dropped: string[]): Json {
  const { item } = field;
  if (item && isList(value)) return value.map((each, index) => offeredIn(item, each, `${prefix}${index}.`, dropped));
  return field.kind === "object" && isObject(value) ? offeredOf(field.fields, value, prefix, dropped) : value;
}

/** Refuses what is missing or has the wrong type before anything is sent. The platform checks the rest. */
function refuseUnfit({ input: schema, product, action }: Operation, body: JsonObject): void {
  const input = fromWire(schema, body);
  const issues = schema.safeParse(input).error?.issues ?? [];
  if (issues.length === 0) return;
  const advice = `\`cpcli ${product} ${action} help --detail\` tells what it takes.`;
  const named = issues.map(({ path, message }) => ({ option: `--${wirePath(schema, path)}`, path, message }));
  const missing = named.filter(({ path }) => valueAt(input, path) === undefined);
  if (missing.length > 0)
    throw new UsageError(`the following arguments are required: ${missing.map(({ option }) => option).join(", ")}`, advice);
  throw new UsageError(named.map(({ option, message }) => `argument ${option}: ${message}`).join("; "), advice);
}

/**
 * The value that the words after an option mean. A text, number or boolean is given as it is, a list or an object as JSON. With
 * `unfolding`, the items of a list can also be given as a word each.
 *
 * @throws UsageError for words that are no such value. The message shows them only if they cannot contain a secret.
 */
function valueFrom(option: string, field: Field, words: readonly string[], unfolding: boolean): Json {
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
  if (kind === "boolean") {
    if (/^(true|t|1)$/i.test(word)) return true;
    if (/^(false|f|0)$/i.test(word)) return false;
    throw new UsageError(`argument ${option}: Value of Boolean must be true/false, t/f, 1/0`);
  }
  if (kind !== "integer" && kind !== "number") return word;
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

/**
 * Puts a parameter, or a part of one such as `Labels.0.Name`, where it belongs.
 *
 * @throws UsageError for a parameter that is given both as a whole and in parts (specification, Client options and parameter passing).
 */
function put(input: Map<string, Part>, path: readonly string[], value: Json): void {
  const option = `--${path.join(".")}`;
  let level = input;
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

function bothWays(whole: string, part: string): UsageError {
  return new UsageError(`${whole} and ${part} give the same parameter`, "Give it as a whole, as JSON, or in parts: never both.");
}

/** @throws UsageError for a list with a missing item. */
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
function fieldAt(fields: readonly Field[], path: readonly string[]): Field | undefined {
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
