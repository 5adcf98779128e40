import type { z } from "zod";
import type { ErrorCode } from "../operation/errors.ts";
import { fieldsOf, type Operation, type Paging, unwrapped } from "../operation/operation.ts";
import { valueAt } from "../operation/codec.ts";

/** An operation that answers page by page. */
export type PagedOperation<
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodObject = z.ZodObject,
  Pages extends Paging = Paging,
> = Operation<In, Out, ErrorCode, Pages>;

/** Items on a page: as many as most operations answer at once. */
export const pageSize = 100;

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** How many items there are on all pages, where the operation tells that. */
  readonly total: number | undefined;
  /** The platform's id of the call that answered this page. */
  readonly requestId: string;
}

/** The items of all pages, each with the id of the call that told of it. */
export async function withRequestId<Item>(pages: AsyncIterable<Page<Item>>) {
  const all: (Item & Pick<Page<Item>, "requestId">)[] = [];
  for await (const { items, requestId } of pages) all.push(...items.map((item) => ({ ...item, requestId })));
  return all;
}

/** The fields of an input that say which page is asked for. */
export type Place = Readonly<Record<string, string | number>>;

/** How a field is spelt where it is sent and answered: as in the catalogue, or as on the wire. */
export type Spelling = (schema: z.ZodObject, field: string) => string;

/** An answer, the items on its page, and how many there are on all pages, where the operation tells that. */
export interface AnsweredPage<Answer> {
  readonly answer: Answer;
  readonly items: readonly unknown[];
  readonly total: number | undefined;
}

/**
 * Asks for the pages of a list, one after the other, until there are no more. An input that says where to begin, or how many items
 * to answer at once, decides that.
 *
 * @param ask calls the operation with the input and, in addition, the place
 * @param bodyOf the answer's fields
 */
export async function* pagesOf<Answer>(
  operation: PagedOperation,
  input: object,
  { ask, bodyOf, spelling }: { ask: (place: Place) => Promise<Answer>; bodyOf: (answer: Answer) => object; spelling: Spelling },
): AsyncGenerator<AnsweredPage<Answer>, undefined> {
  const { pages, output } = operation;
  const { first, next } = pages.by === "token" ? byToken(operation, pages, spelling) : byCount(operation, pages, { input, spelling });
  for (let place: Place | undefined = first; place;) {
    const answer = await ask(place);
    const body = bodyOf(answer);
    const found = valueAt(body, [spelling(output, pages.items)]);
    const items: readonly unknown[] = Array.isArray(found) ? found : [];
    const total = pages.by === "token" ? undefined : valueAt(body, [spelling(output, pages.total ?? "totalCount")]);
    const page = { answer, items, total: typeof total === "number" ? total : undefined };
    yield page;
    place = items.length === 0 ? undefined : next({ ...page, body, place });
  }
  return undefined;
}

interface Walk {
  readonly first: Place;
  /** Where the page after this one is; `undefined` if this was the last one. */
  readonly next: (page: AnsweredPage<unknown> & { readonly body: object; readonly place: Place }) => Place | undefined;
}

type By<Way extends Paging["by"]> = Extract<Paging, { readonly by: Way }>;

function byToken({ input, output }: PagedOperation, { token }: By<"token">, spelling: Spelling): Walk {
  return {
    first: {},
    next: ({ body }) => {
      const given = valueAt(body, [spelling(output, token)]);
      return typeof given === "string" && given !== "" ? { [spelling(input, token)]: given } : undefined;
    },
  };
}

function byCount(
  { input: schema }: PagedOperation,
  pages: By<"offset"> | By<"number">,
  { input, spelling }: { readonly input: object; readonly spelling: Spelling },
): Walk {
  const [placeField, sizeField] = pages.by === "offset" ? ["offset", "limit"] : [pages.number, pages.size];
  const [at, size] = [spelling(schema, placeField), spelling(schema, sizeField)];
  const sent = (count: number) => (takesText(schema, placeField) ? String(count) : count);
  const [givenPlace, givenSize] = [valueAt(input, [at]), valueAt(input, [size])];
  const limit = Number(givenSize ?? pageSize);
  const sized: Place = givenSize === undefined ? { [size]: sent(limit) } : {};
  const next: Walk["next"] = ({ items, total, place }) => {
    const from = Number(place[at] ?? givenPlace ?? 0);
    // Page 0 is page 1.
    const number = Math.max(from, 1);
    const passed = pages.by === "offset" ? from + items.length : number * limit;
    const isLast = total === undefined ? items.length < limit : passed >= total;
    return isLast ? undefined : { ...sized, [at]: sent(pages.by === "offset" ? passed : number + 1) };
  };
  return { first: sized, next };
}

/** Some operations take numbers as text. */
function takesText(schema: z.ZodObject, field: string): boolean {
  const inside = fieldsOf(schema)[field];
  return inside !== undefined && unwrapped(inside)._zod.def.type === "string";
}
