import type { listingErrors } from "../../catalogue/shared.ts";
import type { Call } from "../behaviour.ts";
import type { Rows, Table } from "../store/table.ts";
import type { Tag } from "./names-and-tags.ts";

/**
 * How every `Describe…` operation selects its rows: by ids, filters and page.
 *
 * Several values of one filter are alternatives; several filters must all match (specification, "Shared structures"). A page
 * without filters, or with the only filter that rows belong to one parent, is cut by the database: no other rows are loaded.
 * The operation's `errors` include `listingErrors` of catalogue/shared.ts, and its `offset` and `limit` are `offsetPaging`.
 *
 * @example
 * const vpcListing: Listing<VpcRow> = {
 *   table: vpcs, noun: "VPC", ids: "VpcIds",
 *   filters: { "vpc-id": byId, "vpc-name": partly(({ name }) => [name]), ...tagFilters },
 * };
 * on(describeVpcs, (call, { vpcIds, ...asked }) => {
 *   const { totalCount, rows } = listed(call, vpcListing, { ids: vpcIds, ...asked });
 *   return { totalCount, vpcSet: rows.map(recordOf) };
 * });
 */
export interface Listing<Row extends { id: string }> {
  readonly table: Table<Row>;
  /** What a row is called in messages, such as `VPC`. */
  readonly noun: string;
  /** The parameter that takes ids, as it is spelt on the wire, such as `VpcIds`; none if the operation takes no ids. */
  readonly ids?: string;
  readonly filters: Filters<Row>;
  /** Whether ids and filters may be given together; refused with `InvalidParameter.Coexist` unless true. */
  readonly together?: boolean;
  /** What happens to an id that does not exist: `refused` with `ResourceNotFound` unless given, or `left out` of the answer. */
  readonly missing?: "refused" | "left out";
}

export interface Filter<Row> {
  /** The values of a row; the filter matches if any of them does. `key` is what the call gave for `<key>` in the filter's name. */
  readonly of: (row: Row, call: Call, key: string) => readonly string[];
  readonly match: "whole" | "part";
  /** The form that a value takes; any unless given. A value without it would match nothing, as if there were nothing to match. */
  readonly form?: { readonly is: RegExp; readonly reads: string };
  /** Set if the values are ids of rows, or of their parents: then only those rows are read. */
  readonly index?: "id" | "parent";
}

/** Filters by name. The name `tag:<key>` matches every name that begins with `tag:`. */
export type Filters<Row> = Readonly<Record<string, Filter<Row>>>;

/** Filters as calls give them. */
export type GivenFilters = readonly { readonly name: string; readonly values: readonly string[] }[];

/** What a call asks for. `offset` and `limit` are numbers; the private-network service takes them as text. */
export interface Asked<Row> {
  readonly ids?: readonly string[] | undefined;
  readonly filters?: GivenFilters | undefined;
  readonly offset?: string | number | undefined;
  readonly limit?: string | number | undefined;
  /** Lists only the rows that belong to this parent. Rows asked for by id are not checked for it: `where` has to. */
  readonly parent?: string | undefined;
  /** Lists only the rows for which this is true. It counts before the page is cut. */
  readonly where?: ((row: Row) => boolean) | undefined;
  readonly order?: ((one: Row, other: Row) => number) | undefined;
}

/** The codes that a listing can be refused with, besides `InvalidParameter` for a wrong filter. */
export type ListingCode = (typeof listingErrors)[number];

/** The most ids in one call, and the most rows on one page (public API). */
const most = 100;
const usualLimit = 20;

/** The most rows on one page. The vendor's clients ask registries, whose pages name no limit, for 200. */
function mostOnPage({ form, operation }: Call): number {
  return form === "public" && operation.product === "registry" ? 200 : most;
}

/** A filter whose value is equal to one of the row's. */
export function exactly<Row>(of: Filter<Row>["of"]): Filter<Row> {
  return { of, match: "whole" };
}

/** A filter whose value is contained in one of the row's. */
export function partly<Row>(of: Filter<Row>["of"]): Filter<Row> {
  return { of, match: "part" };
}

/** A filter that takes some values only. */
export function among<Row>(values: readonly string[], of: Filter<Row>["of"]): Filter<Row> {
  return { of, match: "whole", form: { is: new RegExp(`^(?:${values.join("|")})$`), reads: values.join(", ") } };
}

/** A filter by whether something is so. */
export function whether<Row>(is: (row: Row) => boolean): Filter<Row> {
  return among(["true", "false", "TRUE", "FALSE"], (row) => [String(is(row)), String(is(row)).toUpperCase()]);
}

/** A filter by a CIDR block, or by its first address without the prefix. */
export const byRange = exactly<{ cidrBlock: string }>(({ cidrBlock }) => [cidrBlock, cidrBlock.slice(0, cidrBlock.indexOf("/"))]);

/** A filter by the row's own id. */
export const byId: Filter<{ id: string }> = { of: ({ id }) => [id], match: "whole", index: "id" };

/** A filter by the parent that the row was inserted with. */
export function byParent<Row>(of: (row: Row) => string): Filter<Row> {
  return { of: (row) => [of(row)], match: "whole", index: "parent" };
}

interface Tagged {
  readonly tags: readonly Tag[];
}

/** The filters `tag-key` and `tag:<key>`. */
export const tagFilters = {
  "tag-key": exactly<Tagged>(({ tags }) => tags.map(({ key }) => key)),
  "tag:<key>": exactly<Tagged>(({ tags }, _call, wanted) => tags.flatMap(({ key, value }) => (key === wanted ? [value] : []))),
};

/** The filter `Tags`: a tag with its value. */
export const byTag: Filter<Tagged> = {
  ...exactly(({ tags }) => tags.map(({ key, value }) => `${key}:${value}`)),
  form: { is: /^[^:]+:/, reads: "<key>:<value>" },
};

/** The rows that a call asks for, oldest first, or in the order of the ids, and how many match on all pages. */
export function listed<Row extends { id: string }>(call: Call<ListingCode>, listing: Listing<Row>, asked: Asked<Row>) {
  const offset = numberOf(call, "Offset", asked.offset, { usual: 0, least: 0, most: Number.MAX_SAFE_INTEGER });
  const limit = numberOf(call, "Limit", asked.limit, { usual: usualLimit, least: 1, most: mostOnPage(call) });
  const ids = asked.ids?.length ? [...new Set(asked.ids)] : undefined;
  const filters = (asked.filters ?? []).map((filter) => known(call, listing.filters, filter));
  const idsName = listing.ids ?? "Ids";
  if (ids && filters.length > 0 && !listing.together)
    throw call.error("InvalidParameter.Coexist", `${idsName} and Filters cannot be given together`);
  refuseTooMany(call, idsName, ids ?? []);

  const rows = call.rows(listing.table);
  const whole = ids || asked.where || asked.order ? undefined : wholeParent(filters, asked.parent);
  if (whole) return { totalCount: rows.count(whole.parent), rows: rows.list(whole.parent, { offset, limit }) };

  const matching = candidates(call, listing, rows, { ids, filters, parent: asked.parent }).filter(
    (row) => (asked.where?.(row) ?? true) && filters.every((filter) => holds(filter, row, call)),
  );
  if (asked.order) matching.sort(asked.order);
  return { totalCount: matching.length, rows: matching.slice(offset, offset + limit) };
}

/** Refuses more ids, or names, than a call takes. */
export function refuseTooMany(
  call: Call<"InvalidParameterValue.LimitExceeded">,
  parameter: string,
  given: readonly string[],
  { noun, most: atMost } = { noun: "ids", most },
): void {
  if (given.length > atMost)
    throw call.error("InvalidParameterValue.LimitExceeded", `${parameter} has ${given.length} ${noun}; a call takes ${atMost} at most`);
}

/** The items that match the filters, of a list without pages, or of items that are not rows of a table. */
export function filtered<Item>(call: Call, filters: Filters<Item>, given: GivenFilters | undefined, items: readonly Item[]): Item[] {
  const asked = (given ?? []).map((filter) => known(call, filters, filter));
  return items.filter((item) => asked.every((filter) => holds(filter, item, call)));
}

/** A filter that a call gave, with its definition. */
interface Given<Row> extends Filter<Row> {
  readonly key: string;
  readonly values: readonly string[];
}

function known<Row>(call: Call, filters: Filters<Row>, { name, values }: GivenFilters[number]): Given<Row> {
  if (values.length === 0) throw call.error("InvalidParameter", `filter ${name} has no values; give it at least one`);
  for (const [pattern, filter] of Object.entries(filters)) {
    const prefix = pattern.endsWith("<key>") ? pattern.slice(0, -"<key>".length) : undefined;
    if (name !== pattern && (prefix === undefined || !name.startsWith(prefix) || name.length === prefix.length)) continue;
    const { form } = filter;
    const odd = form && values.find((value) => !form.is.test(value));
    if (odd !== undefined) throw call.error("InvalidParameter", `filter ${name} has ${JSON.stringify(odd)}; it takes ${form?.reads ?? ""}`);
    return { ...filter, key: prefix === undefined ? "" : name.slice(prefix.length), values };
  }
  const names = Object.keys(filters);
  const choice = names.length === 0 ? "it takes none" : `it takes ${names.join(", ")}`;
  throw call.error("InvalidParameter", `${call.operation.action} has no filter ${name}; ${choice}`);
}

/** The parent, if a call asks for all rows of one parent, or for all rows: then the database can cut the page. */
function wholeParent<Row>(filters: readonly Given<Row>[], parent: string | undefined): { parent: string | undefined } | undefined {
  const [filter, ...others] = filters;
  if (!filter) return { parent };
  const [value, ...alternatives] = filter.values;
  if (parent !== undefined || others.length > 0 || alternatives.length > 0 || filter.index !== "parent") return undefined;
  return { parent: value };
}

/** The rows that may match, narrowed as far as the database's indexes allow. */
function candidates<Row extends { id: string }>(
  call: Call<ListingCode>,
  { noun, missing }: Listing<Row>,
  rows: Rows<Row>,
  { ids, filters, parent }: { ids: readonly string[] | undefined; filters: readonly Given<Row>[]; parent: string | undefined },
): Row[] {
  if (ids) {
    return ids.flatMap((id) => {
      const row = rows.get(id);
      if (!row && missing !== "left out") throw call.error("ResourceNotFound", `there is no ${noun} ${id} in ${call.region}`);
      return row ? [row] : [];
    });
  }
  if (parent !== undefined) return rows.list(parent);
  const byRow = filters.find(({ index }) => index === "id");
  if (byRow) return [...new Set(byRow.values)].flatMap((id) => rows.get(id) ?? []);
  const byOwner = filters.find(({ index }) => index === "parent");
  if (byOwner) return [...new Set(byOwner.values)].flatMap((owner) => rows.list(owner));
  return rows.list();
}

function holds<Row>({ of, match, key, values }: Given<Row>, row: Row, call: Call): boolean {
  const own = of(row, call, key);
  return values.some((value) => own.some((mine) => (match === "whole" ? mine === value : mine.includes(value))));
}

function numberOf(
  call: Call<ListingCode>,
  name: string,
  given: string | number | undefined,
  { usual, least, most: greatest }: { usual: number; least: number; most: number },
): number {
  if (given === undefined) return usual;
  if (typeof given === "string" && !/^-?\d{1,15}$/.test(given))
    throw call.error("InvalidParameterValue.Malformed", `${name} is ${JSON.stringify(given)}; it takes a whole number as text`);
  const value = Number(given);
  if (value < least || value > greatest) {
    const range = greatest === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${greatest}`;
    throw call.error("InvalidParameterValue.Range", `${name} is ${given}; it takes ${range}`);
  }
  return value;
}

/** The row of an id; refuses with `ResourceNotFound` if the call's region has none. `noun` is for the message, such as `VPC`. */
export function requireRow<Row extends { id: string }>(call: Call<"ResourceNotFound">, of: Table<Row>, noun: string, id: string): Row {
  const row = call.rows(of).get(id);
  if (!row) throw call.error("ResourceNotFound", `there is no ${noun} ${id} in ${call.region}`);
  return row;
}

/** One page of a list whose `Offset` is the number of the page, counted from 1. */
export function pageOf<Item>(
  call: Call,
  items: readonly Item[],
  { offset = 1, limit = usualLimit }: { readonly offset?: number | undefined; readonly limit?: number | undefined },
  names = { offset: "Offset", limit: "Limit" },
): Item[] {
  if (offset < 0) throw call.error("InvalidParameter", `${names.offset} is ${offset}; it takes the number of a page, counted from 1`);
  const most = mostOnPage(call);
  if (limit < 1 || limit > most) throw call.error("InvalidParameter", `${names.limit} is ${limit}; it takes 1 to ${most}`);
  const begin = (Math.max(offset, 1) - 1) * limit;
  return items.slice(begin, begin + limit);
}
