import { config } from "zod";
import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";
import { type Field, ownFieldsOf } from "../../operation/fields.ts";
import type { Operation } from "../../operation/operation.ts";
import { redactedFields } from "../../operation/redact.ts";
import type { Reply } from "../../transport/transport.ts";
import { type CommandLine, valuesOf } from "../command/arguments.ts";
import { connected } from "../connection/connection.ts";
import { showing } from "../output/output.ts";
import { UsageError } from "../run/failures.ts";
import type { Session } from "../run/session.ts";
import type { Answer, Waiter } from "../wait/waiter.ts";
import { inputFrom } from "./input.ts";
import { callOptions } from "./options.ts";
import type { Listing } from "./paging.ts";

/** Calls an operation, and prints its answer. The command line is checked before anything is sent. */
export async function perform(operation: Operation, line: CommandLine, session: Session): Promise<void> {
  // One call checks each value once: to compile the checks would take longer.
  config({ jitless: true });
  const given = valuesOf(callOptions, line);
  const show = await showing(given);
  const waiter = given.waiter === undefined ? undefined : await waiterOf(given.waiter, operation);
  const ways = { unfolding: given["cli-unfold-argument"] ?? false, file: given["cli-input-json"] };
  const body = await inputFrom(operation, line, ways, session);
  const listing = given.all ? await listingOf(operation, body) : undefined;
  await using connection = await connected(given, session, { regional: operation.product !== "identity" });
  session.whenInterrupted(() => stateOf(operation));
  const { cloud } = connection;
  const { signal } = session;
  const ask = async (): Promise<Answer> =>
    answerFrom(operation, listing ? await listing.all(cloud, signal) : await cloud.exchange(operation, body, { signal }));
  const answer = waiter ? await waiter(ask, session) : (await ask()).whole;
  try {
    show(answer, operation.action);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const { RequestId: id } = answer;
    throw new Error(`${reason}\n${operation.action} was carried out: request ${typeof id === "string" ? id : ""}`, { cause: error });
  }
}

function listingOf(operation: Operation, body: JsonObject): Promise<Listing> {
  return import("./paging.ts").then(({ pagingOf }) => pagingOf(operation, body));
}

/** @throws UsageError if each of the repeated calls would have an effect. */
function waiterOf(text: string, { action, effect, repeatable }: Operation): Promise<Waiter> {
  if (effect === "write" && !repeatable)
    throw new UsageError(
      `--waiter makes a call again and again, and ${action} has its effect each time`,
      "Wait with an action that reads, or with `cpcli wait`.",
    );
  return import("../wait/waiter.ts").then(({ waiterFrom }) => waiterFrom(text));
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
