import type { z } from "zod";
import { valueAt, wirePath } from "../operation/codec.ts";
import { fieldsOf, itemsOf, metaOf, type Operation, type Paging } from "../operation/operation.ts";

/** The longest value that is told as a whole. */
const longest = 300;

/**
 * Why a list contradicts itself; `undefined` if it does not. A resource that is missing in such a list may exist. Input and answer are in
 * TypeScript's spelling.
 */
export function contradictionIn(operation: Operation, input: object, answer: unknown): string | undefined {
  const found = repetition(operation, answer) ?? shortage(operation, input, answer);
  return found && `${found}. This answer is not used: try again, and tell those who run the platform if it stays so`;
}

/**
 * Says that an item is on a page twice, or has an empty id or key: the one in whose place it stands need not be gone. Items of which neither
 * is known have to differ in something.
 */
function repetition({ input, output, pages }: Operation, answer: unknown): string | undefined {
  const items = pages ? itemsIn(pages, answer) : [];
  const list = pages && fieldsOf(output)[pages.items];
  if (!list || items.length === 0) return undefined;
  const known = fieldsOf(itemsOf(list) ?? list);
  const ids = Object.keys(fieldsOf(input)).flatMap((name) => (name.endsWith("Ids") ? [name.replace(/Ids$/, "Id")] : []));
  const id = pages.key ?? ids.find((field) => field in known);
  const seen = new Set<unknown>();
  for (const item of items) {
    const key = id === undefined ? JSON.stringify(item) : valueAt(item, [id]);
    if (id !== undefined && key === "")
      return `${wirePath(output, [pages.items])} has an item whose ${wirePath(itemsOf(list) ?? list, [id])} is empty`;
    if (key !== undefined && seen.has(key))
      return `${wirePath(output, [pages.items])} has ${id === undefined ? "an item" : written(key)} twice`;
    seen.add(key);
  }
  return undefined;
}

/** Says that there are fewer items on a page than its own total leaves for it. Each page has a total: others may write in between. */
function shortage({ input: schema, output, pages }: Operation, input: object, answer: unknown): string | undefined {
  if (!pages || pages.by === "token") return undefined;
  const totalField = pages.total ?? "totalCount";
  const [total, count] = [valueAt(answer, [totalField]), itemsIn(pages, answer).length];
  const begin = beginOf(pages, input);
  if (typeof total !== "number" || begin === undefined || count >= Math.min(total - begin, leastOn(pages, input))) return undefined;
  const from = begin === 0 ? "" : ` after the first ${begin}`;
  const asked = written(Object.fromEntries(Object.entries(input).map(([field, value]) => [wirePath(schema, [field]), value as unknown])));
  return `${wirePath(output, [totalField])} is ${total}, but ${wirePath(output, [pages.items])} has ${count}${from}; asked was ${asked}`;
}

type Counted = Exclude<Paging, { readonly by: "token" }>;

/** How many items are before the page; `undefined` if that is not known. */
function beginOf(pages: Counted, input: object): number | undefined {
  if (pages.by === "offset") return Number(valueAt(input, ["offset"]) ?? 0);
  const before = Math.max(Number(valueAt(input, [pages.number]) ?? 1), 1) - 1;
  const size = valueAt(input, [pages.size]);
  return before === 0 ? 0 : typeof size === "number" ? before * size : undefined;
}

/**
 * How many items a page has at least, if there are so many. A platform may make pages smaller than asked for: then the next one begins
 * earlier. Not so where pages have numbers, where all is asked for at once, or what is known by its id.
 */
function leastOn(pages: Counted, input: object): number {
  if (valueAt(input, ["all"]) === true) return Infinity;
  const byIds = Object.entries(input).some(([field, value]) => field.endsWith("Ids") && Array.isArray(value) && value.length > 0);
  const size = Number(valueAt(input, [pages.by === "offset" ? "limit" : pages.size]) ?? 1);
  return byIds || pages.by === "number" ? size : 1;
}

function itemsIn({ items }: Paging, answer: unknown): readonly unknown[] {
  const found = valueAt(answer, [items]);
  return Array.isArray(found) ? found : [];
}

function written(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/**
 * What is left of the answer to a write that does not have the catalogue's form: the write had its effect, and what it made has to be
 * known. `undefined` if what is missing may be an id, a secret, or have one inside of it: then nobody could go on with the rest.
 */
export function partialAnswer(operation: Operation, answer: unknown, issues: readonly z.core.$ZodIssue[]): object | undefined {
  if (operation.effect === "read" || typeof answer !== "object" || answer === null) return undefined;
  if (!issues.every(({ path }) => isDispensable(operation.output, path))) return undefined;
  for (const { path } of issues) {
    const owner = valueAt(answer, path.slice(0, -1));
    const [field] = path.slice(-1);
    if (typeof owner !== "object" || owner === null || field === undefined) return undefined;
    Reflect.deleteProperty(owner, field);
  }
  return answer;
}

function isDispensable(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  let inside: z.core.$ZodType | undefined = schema;
  for (const key of path) inside = inside && (itemsOf(inside) ?? fieldsOf(inside)[String(key)]);
  const field = path.at(-1);
  return inside !== undefined && typeof field === "string" && !isVital(field, inside);
}

/** Whether a field is an id, a secret, or has one inside of it. */
function isVital(field: string, schema: z.core.$ZodType): boolean {
  if (/ids?$|uin$|^name$/i.test(field) || metaOf(schema)["sensitive"] === true) return true;
  return Object.entries(fieldsOf(itemsOf(schema) ?? schema)).some(([name, inner]) => isVital(name, inner));
}
