import type { Operation } from "../../operation.ts";
import type { JsonObject } from "../../wire.ts";
import { type CommandLine, valuesOf } from "../arguments.ts";
import { connected } from "../connection.ts";
import type { Session } from "../session.ts";
import { showing } from "../showing.ts";
import { answerOf } from "./answer.ts";
import { inputFrom } from "./input.ts";
import { callOptions } from "./options.ts";
import type { Listing } from "./paging.ts";

/** Calls an operation, and prints its answer. What is wrong with the command line is told before anything is sent. */
export async function perform(operation: Operation, line: CommandLine, session: Session): Promise<void> {
  const given = valuesOf(callOptions, line);
  const show = await showing(given);
  const ways = { unfolding: given["cli-unfold-argument"] ?? false, file: given["cli-input-json"] };
  const body = await inputFrom(operation, line, ways, session);
  const listing = given.all ? await listingOf(operation, body) : undefined;
  await using connection = await connected(given, session, operation.product !== "identity");
  session.whenInterrupted(() => stateOf(operation));
  const { cloud } = connection;
  const { signal } = session;
  const reply = listing ? await listing.all(cloud, signal) : await cloud.exchange(operation, body, { signal });
  try {
    show(answerOf(operation, reply), operation.action);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}\n${operation.action} was carried out: request ${reply.requestId}`, { cause: error });
  }
}

function listingOf(operation: Operation, body: JsonObject): Promise<Listing> {
  return import("./paging.ts").then(({ pagingOf }) => pagingOf(operation, body));
}

function stateOf({ action, effect }: Operation): string {
  return effect === "read"
    ? `${action} changes nothing`
    : `${action} was asked for, and whether it took effect is not known; look before you try again`;
}
