import { type Field, ownFieldsOf } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import { redacted } from "../../operation/redact.ts";
import { fromWire, isList, isObject, type Json, type JsonObject, valueAt, wirePath } from "../../operation/codec.ts";
import type { CommandLine } from "../command/arguments.ts";
import { warnOfSecrets } from "../connection/connection.ts";
import { UsageError } from "../run/failures.ts";
import type { Session } from "../run/session.ts";
import { unknownOptions } from "../command/command.ts";
import { callOptions } from "./options.ts";
import { fieldAt, Unfolded, valueFrom } from "./parameters.ts";

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
  const input = new Unfolded();
  const unknown: string[] = [];
  for (const [name, words] of given) {
    const path = name.split(".");
    const field = path.length === 1 || unfolding ? fieldAt(fields, path) : undefined;
    if (field) input.put(path, valueFrom(`--${name}`, field, words, unfolding));
    else unknown.push(name);
  }
  if (unknown.length > 0) throw notTaken(operation, fields, unknown, unfolding);
  return input.body(fields);
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
