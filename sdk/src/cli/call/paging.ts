import type { Cloud } from "../../client/client.ts";
import { type PagedOperation, pagesOf } from "../../client/paging.ts";
import { fieldsOf, type Operation } from "../../operation/operation.ts";
import type { Reply } from "../../transport/transport.ts";
import { isList, type Json, type JsonObject, wireName } from "../../operation/codec.ts";
import { UsageError } from "../run/failures.ts";

/** A list that is answered page by page. */
export interface Listing {
  /** Asks for all pages. Returns the last answer, with the items of all pages. */
  readonly all: (cloud: Cloud, signal: AbortSignal) => Promise<Reply>;
}

/** @throws UsageError for an operation that does not answer page by page. */
export function pagingOf(operation: Operation, body: JsonObject): Listing {
  if (!isPaged(operation)) throw new UsageError(`${operation.action} does not answer page by page: leave --all out`);
  return { all: (cloud, signal) => allOf(operation, body, { cloud, signal }) };
}

async function allOf(
  operation: PagedOperation,
  body: JsonObject,
  { cloud, signal }: { readonly cloud: Cloud; readonly signal: AbortSignal },
): Promise<Reply> {
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
