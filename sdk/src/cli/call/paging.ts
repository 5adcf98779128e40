import type { Cloud } from "../../client/client.ts";
import { ownFieldsOf } from "../../operation/fields.ts";
import { fieldsOf, type Operation, type Paging } from "../../operation/operation.ts";
import { pageSize } from "../../client/paginate.ts";
import type { Reply } from "../../transport/transport.ts";
import { isList, type Json, type JsonObject, wireName } from "../../operation/codec.ts";
import { UsageError } from "../run/failures.ts";

/** The pages of a list, asked for one after the other. */
export interface Listing {
  /** All of them as one answer: that of the last call, with the items of all. */
  readonly all: (cloud: Cloud, signal: AbortSignal) => Promise<Reply>;
}

/** @throws UsageError for an operation that does not answer page by page. */
export function pagingOf(operation: Operation, body: JsonObject): Listing {
  const { pages, output } = operation;
  if (!pages) throw new UsageError(`${operation.action} does not answer page by page: leave --all out`);
  const items = spellingIn(output, pages.items);
  const { first, next } = pages.by === "token" ? byToken(operation, pages, body) : byCount(operation, pages, body);
  return {
    all: async (cloud, signal) => {
      const all: Json[] = [];
      for (let asked = first; ;) {
        const reply = await cloud.exchange(operation, asked, { signal });
        const page = reply.body[items] ?? [];
        const found = isList(page) ? page : [];
        all.push(...found);
        const further = found.length === 0 ? undefined : next(asked, reply.body, found.length);
        if (!further) return { ...reply, body: { ...reply.body, [items]: all } };
        asked = further;
      }
    },
  };
}

interface Pages {
  readonly first: JsonObject;
  /** What is asked for after so many items; `undefined` after the last page. */
  readonly next: (asked: JsonObject, answered: JsonObject, found: number) => JsonObject | undefined;
}

function byToken({ input }: Operation, { token }: Extract<Paging, { by: "token" }>, body: JsonObject): Pages {
  const name = spellingIn(input, token);
  return { first: body, next: (asked, { [name]: given }) => (given ? { ...asked, [name]: given } : undefined) };
}

function byCount({ input }: Operation, pages: Extract<Paging, { by: "offset" | "number" }>, body: JsonObject): Pages {
  const [at, size] = pages.by === "offset" ? ["Offset", "Limit"] : [spellingIn(input, pages.number), spellingIn(input, pages.size)];
  const isText = ownFieldsOf(input).find(({ name }) => name === at)?.kind === "string";
  const counted = (count: number) => (isText ? String(count) : count);
  const next: Pages["next"] = (asked, { TotalCount: total }, found) => {
    const place = Number(asked[at]);
    const limit = Number(asked[size]);
    const seen = pages.by === "offset" ? place + found : Math.max(place, 1) * limit;
    const isLast = typeof total === "number" ? seen >= total : found < limit;
    return isLast ? undefined : { ...asked, [at]: counted(pages.by === "offset" ? seen : Math.max(place, 1) + 1) };
  };
  return { first: { ...body, [at]: body[at] ?? counted(pages.by === "offset" ? 0 : 1), [size]: body[size] ?? counted(pageSize) }, next };
}

function spellingIn(schema: Operation["input"], field: string): string {
  const found = fieldsOf(schema)[field];
  return found ? wireName(field, found) : field;
}
