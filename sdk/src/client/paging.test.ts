import { expect, test } from "vitest";
import { z } from "zod";
import { describeZones } from "../catalogue/compute.ts";
import { offsetPaging } from "../catalogue/shared.ts";
import type { JsonObject } from "../operation/codec.ts";
import { operations } from "../operation/operation.ts";
import { Cloud } from "./client.ts";
import { Finder } from "./finder.ts";
import type { Reply } from "../transport/transport.ts";
import { pagesOf, withRequestId } from "./paging.ts";

const { operation } = operations("vpc", "2017-03-12");
const told = { summary: "Lists." };
const items = z.array(z.object({ id: z.string() }));

const byOffset = operation("DescribeByOffset", () => ({
  ...told,
  input: { ids: z.array(z.string()).optional(), ...offsetPaging(z.int()) },
  output: { items, totalCount: z.int() },
  pages: { by: "offset", items: "items" },
}));

const byOffsetAsText = operation("DescribeByOffsetAsText", () => ({
  ...told,
  input: offsetPaging(z.string()),
  output: { items, total: z.int() },
  pages: { by: "offset", items: "items", total: "total" },
}));

const byNumber = operation("DescribeByNumber", () => ({
  ...told,
  input: { page: z.int().optional(), pageSize: z.int().optional() },
  output: { items, totalCount: z.int() },
  pages: { by: "number", items: "items", number: "page", size: "pageSize" },
}));

const byToken = operation("DescribeByToken", () => ({
  ...told,
  input: { nextToken: z.string().optional() },
  output: { items, nextToken: z.string().optional() },
  pages: { by: "token", items: "items", token: "nextToken" },
}));

/** A platform with a list of so many items, and the calls that it got. Unless given, the total that it tells is true. */
function listing(length: number, total: number | null = length, greatestPage = 100) {
  const calls: JsonObject[] = [];
  const all = Array.from({ length }, (_, index) => ({ Id: `id-${index}` }));
  const send = ({ action, body }: { readonly action: string; readonly body: JsonObject }) => {
    calls.push(body);
    const limit = Math.min(Number(body["Limit"] ?? body["PageSize"] ?? 100), greatestPage);
    const from = Number(body["NextToken"] ?? body["Offset"] ?? (Math.max(Number(body["Page"] ?? 1), 1) - 1) * limit);
    const { Ids: wanted } = body;
    const page = Array.isArray(wanted) ? all.filter(({ Id: id }) => wanted.includes(id)) : all.slice(from, from + limit);
    const further = action === "DescribeByToken" && from + limit < length ? { NextToken: `${from + limit}` } : {};
    const answer: JsonObject = { Items: page, TotalCount: Array.isArray(wanted) ? page.length : total, Total: total, ...further };
    return Promise.resolve({ requestId: `request-${calls.length}`, time: 0, body: answer });
  };
  const whoAmI = () => Promise.resolve({ account: "", time: 0, requestId: "" });
  const transport = { send, whoAmI, close: () => Promise.resolve() };
  return { calls, cloud: new Cloud({ transport, region: "eu-frankfurt" }), ids: all.map(({ Id: id }) => ({ id })) };
}

const lengths = [0, 1, 99, 100, 101, 200, 250];

for (const [name, listed] of Object.entries({
  "an offset": (cloud: Cloud) => cloud.all(byOffset, {}),
  "an offset that is text": (cloud: Cloud) => cloud.all(byOffsetAsText, {}),
  "a page's number": (cloud: Cloud) => cloud.all(byNumber, {}),
  "a token": (cloud: Cloud) => cloud.all(byToken, {}),
}))
  test.each(lengths)(`all of %i items by ${name}, with as few calls as there are pages`, async (length) => {
    const { calls, cloud, ids } = listing(length);
    expect(await listed(cloud)).toEqual(ids);
    expect(calls).toHaveLength(Math.max(1, Math.ceil(length / 100)));
  });

test("a platform whose pages are smaller than asked for is asked for all of them", async () => {
  const { calls, cloud, ids } = listing(101, 101, 40);
  expect(await cloud.all(byOffset, {})).toEqual(ids);
  expect(await cloud.all(byOffsetAsText, {})).toEqual(ids);
  expect(calls.map(({ Offset: offset }) => offset)).toEqual([undefined, 40, 80, undefined, "40", "80"]);
});

test("numbers are sent as the operation takes them, and the first page says no place", async () => {
  const sent = async (listed: (cloud: Cloud) => Promise<unknown>) => {
    const { calls, cloud } = listing(101);
    await listed(cloud);
    return calls;
  };
  expect(await sent((cloud) => cloud.all(byOffset, {}))).toEqual([{ Limit: 100 }, { Limit: 100, Offset: 100 }]);
  expect(await sent((cloud) => cloud.all(byOffsetAsText, {}))).toEqual([{ Limit: "100" }, { Limit: "100", Offset: "100" }]);
  expect(await sent((cloud) => cloud.all(byNumber, {}))).toEqual([{ PageSize: 100 }, { PageSize: 100, Page: 2 }]);
  expect(await sent((cloud) => cloud.all(byToken, {}))).toEqual([{}, { NextToken: "100" }]);
});

test("where to begin and how many to answer at once is the input's", async () => {
  const { calls, cloud, ids } = listing(10);
  expect(await cloud.all(byOffset, { offset: 3, limit: 4 })).toEqual(ids.slice(3));
  expect(await cloud.all(byNumber, { page: 2, pageSize: 4 })).toEqual(ids.slice(4));
  expect(await cloud.all(byNumber, { page: 0, pageSize: 5 })).toEqual(ids);
  expect(calls).toHaveLength(2 + 2 + 2);
});

test.each([
  [99, 1],
  [100, 2],
])("where no total is told, a page of %i items means %i calls", async (length, count) => {
  const { calls, cloud } = listing(length, null);
  const ways = {
    ask: (place: JsonObject) => cloud.exchange(byOffset, place),
    bodyOf: ({ body }: Reply) => body,
    spelling: (_schema: unknown, field: string) => field.charAt(0).toUpperCase() + field.slice(1),
  };
  const pages = [];
  for await (const page of pagesOf(byOffset, {}, ways)) pages.push(page);
  expect(pages.flatMap(({ items: found }) => found)).toHaveLength(length);
  expect(calls).toHaveLength(count);
});

test("pages are asked for as they are needed, and tell their calls", async () => {
  const { calls, cloud } = listing(201);
  for await (const { items: found, total } of cloud.pages(byOffset, {})) {
    expect([found.length, total]).toEqual([100, 201]);
    break;
  }
  expect(calls).toHaveLength(1);
  const all = await withRequestId(cloud.pages(byOffset, {}));
  expect([all[0], all[100], all[200]].map((item) => item?.requestId)).toEqual(["request-2", "request-3", "request-4"]);
});

test("an operation that does not answer page by page is not taken", async () => {
  const { calls, cloud } = listing(0);
  // @ts-expect-error DescribeZones has no pages.
  await expect(cloud.all(describeZones, {})).rejects.toThrow(TypeError);
  expect(calls).toEqual([]);
});

/** What a finder asks when many ask it at once for what they may know already. */
async function asked(length: number): Promise<readonly JsonObject[]> {
  const { calls, cloud, ids } = listing(length);
  const finder = new Finder<{ id: string }>({
    asking: byOffset,
    some: (_cloud, wanted) => cloud.all(byOffset, { ids: [...wanted] }).then(() => wanted.map((id) => ({ id }))),
    pages: () => cloud.pages(byOffset, {}),
    idOf: ({ id }) => id,
  });
  const found = await Promise.all(ids.slice(0, 300).map(({ id }) => finder.find(cloud.tolerating(1000), id)));
  expect(found).toEqual(ids.slice(0, 300));
  return calls;
}

test.each(lengths.filter(Boolean))("a finder that lists %i items asks for no page that there is not", async (length) => {
  expect(await asked(length)).toHaveLength(Math.ceil(length / 100));
});

test("a finder sees from the first page that there are too many to list, and asks by id", async () => {
  const [first, ...others] = await asked(501);
  expect(first).toEqual({ Limit: 100 });
  expect(others.map(({ Ids: wanted }) => wanted)).toEqual([expect.any(Array), expect.any(Array), expect.any(Array)]);
});
