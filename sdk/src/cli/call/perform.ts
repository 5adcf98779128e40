import { config } from "zod";
import type { Cloud } from "../../client/client.ts";
import { type PagedOperation, pagesOf } from "../../client/paging.ts";
import { isList, isObject, type Json, type JsonObject, wireName } from "../../operation/codec.ts";
import { type Field, type Kind, ownFieldsOf } from "../../operation/fields.ts";
import { fieldsOf, type Operation } from "../../operation/operation.ts";
import { redactedFields } from "../../operation/redact.ts";
import type { Reply } from "../../transport/transport.ts";
import { inputFrom } from "./parameters.ts";
import { callOptions } from "./products.ts";
import { type CommandLine, valuesOf } from "../command.ts";
import { connected } from "../connection.ts";
import { showing } from "../output/output.ts";
import { type Session, UsageError } from "../run.ts";
import type { Answer, Waiter } from "./waiter.ts";

/** Calls an operation, and prints its answer, or prints a template of its input. The command line is checked before anything is sent. */
export async function perform(operation: Operation, line: CommandLine, session: Session): Promise<void> {
  // One call checks each value once: to compile the checks would take longer.
  config({ jitless: true });
  const given = valuesOf(callOptions, line);
  const show = await showing(given);
  if (given["generate-cli-skeleton"]) {
    show(skeletonOf(ownFieldsOf(operation.input)), operation.action);
    return;
  }
  const waiter = given.waiter === undefined ? undefined : await waiterOf(given.waiter, operation);
  const ways = { unfolding: given["cli-unfold-argument"] ?? false, file: given["cli-input-json"] };
  const body = await inputFrom(operation, line, ways, session);
  if (given.all && !isPaged(operation)) throw new UsageError(`${operation.action} does not answer page by page: leave --all out`);
  await using connection = await connected(given, session, { regional: operation.product !== "identity" });
  session.whenInterrupted(() => stateOf(operation));
  const { cloud } = connection;
  const { signal } = session;
  const exchange = () =>
    given.all && isPaged(operation) ? allPages(operation, body, cloud, signal) : cloud.exchange(operation, body, { signal });
  const ask = async (): Promise<Answer> => answerFrom(operation, await exchange());
  const answer = waiter ? await waiter(ask, session) : (await ask()).whole;
  try {
    show(answer, operation.action);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const { RequestId: id } = answer;
    throw new Error(`${reason}\n${operation.action} was carried out: request ${typeof id === "string" ? id : ""}`, { cause: error });
  }
}

/** @throws UsageError if each of the repeated calls would have an effect. */
function waiterOf(text: string, { action, effect, repeatable }: Operation): Promise<Waiter> {
  if (effect === "write" && !repeatable)
    throw new UsageError(
      `--waiter makes a call again and again, and ${action} has its effect each time`,
      "Wait with an action that reads, or with `cpcli wait`.",
    );
  return import("./waiter.ts").then(({ waiterFrom }) => waiterFrom(text));
}

function answerFrom(operation: Operation, reply: Reply): Answer {
  const redacted = (): JsonObject => answerOf(operation, { ...reply, body: redactedFields(operation.output, reply.body) });
  return { whole: answerOf(operation, reply), redacted };
}

function stateOf({ action, effect }: Operation): string {
  return effect === "read"
    ? `${action} changes nothing`
    : `${action} was asked for, and whether it took effect is not known; look before you try again`;
}

/**
 * An answer as it is printed: what came, and nothing else. First the fields of the catalogue, in its order, then unknown fields, and the
 * id of the call. A field that is absent stays so: for some, being absent has a meaning, as for an empty `OIDCConfig`.
 */
function answerOf({ output }: Operation, { body, requestId }: Reply): JsonObject {
  return { ...inOrder(ownFieldsOf(output), body), RequestId: requestId };
}

function inOrder(fields: readonly Field[], value: JsonObject): JsonObject {
  const known = fields.flatMap((field): [string, Json][] => {
    const inner = value[field.name];
    return inner === undefined ? [] : [[field.name, shaped(field, inner)]];
  });
  const names = new Set(known.map(([name]) => name));
  return Object.fromEntries([...known, ...Object.entries(value).filter(([name]) => !names.has(name))]);
}

function shaped({ item, fields }: Field, value: Json): Json {
  if (item && isList(value)) return value.map((each) => shaped(item, each));
  return fields.length > 0 && isObject(value) ? inOrder(fields, value) : value;
}

/** Asks for all pages of a list. Returns the last answer, with the items of all pages. */
async function allPages(operation: PagedOperation, body: JsonObject, cloud: Cloud, signal: AbortSignal): Promise<Reply> {
  const ask = (place: JsonObject) => cloud.exchange(operation, { ...body, ...place }, { signal });
  const items = spellingIn(operation.output, operation.pages.items);
  const all: Json[] = [];
  let last: Reply = { requestId: "", body: {}, time: 0 };
  for await (const { answer } of pagesOf(operation, body, { ask, bodyOf: (reply) => reply.body, spelling: spellingIn })) {
    last = answer;
    const page = answer.body[items] ?? [];
    if (isList(page)) all.push(...page);
  }
  return { ...last, body: { ...last.body, [items]: all } };
}

function isPaged(operation: Operation): operation is PagedOperation {
  return operation.pages !== undefined;
}

function spellingIn(schema: Operation["input"], field: string): string {
  const found = fieldsOf(schema)[field];
  return found ? wireName(field, found) : field;
}

const typeNames: Readonly<Record<Exclude<Kind, "object" | "list">, string>> = {
  string: "String",
  integer: "Integer",
  number: "Float",
  boolean: "Boolean",
};

/** The input that `--cli-input-json` takes, with the names of types as values. */
function skeletonOf(fields: readonly Field[]): Json {
  return Object.fromEntries(fields.filter(({ exposed }) => exposed).map((field) => [field.name, sampleOf(field)]));
}

function sampleOf({ kind, fields, item }: Field): Json {
  if (kind === "list") return item ? [sampleOf(item)] : [];
  return kind === "object" ? skeletonOf(fields) : typeNames[kind];
}
