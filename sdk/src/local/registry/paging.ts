import type { Call } from "../behaviour.ts";
import { mostOnPage } from "../requests/listing.ts";

/** The number of items on a page by default (public API). */
const usual = 20;

/** One page of a list whose `Offset` is the number of the page, counted from 1. */
export function pageOf<Item>(
  call: Call,
  items: readonly Item[],
  { offset = 1, limit = usual }: { readonly offset?: number | undefined; readonly limit?: number | undefined },
  names = { offset: "Offset", limit: "Limit" },
): Item[] {
  if (offset < 0) throw call.error("InvalidParameter", `${names.offset} is ${offset}; it takes the number of a page, counted from 1`);
  const most = mostOnPage(call);
  if (limit < 1 || limit > most) throw call.error("InvalidParameter", `${names.limit} is ${limit}; it takes 1 to ${most}`);
  const begin = (Math.max(offset, 1) - 1) * limit;
  return items.slice(begin, begin + limit);
}
