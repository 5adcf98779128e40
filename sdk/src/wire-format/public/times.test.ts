import { expect, test } from "vitest";
import { z } from "zod";
import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";
import { publicApi } from "../wire-format.ts";
import { publishedExamples } from "./examples.fixture.ts";

const isTime = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/;
const moment = "2026-01-31T12:00:00Z";

/** The catalogue does not have these. */
const unknown = /AssistantCidrSet|RouteSet\[\]/;

const form = z.record(z.string(), z.json());
const noonFor = (_name: string, value: unknown) => (typeof value === "string" && isTime.test(value) ? moment : value);
const atNoon = (body: JsonObject) => form.parse(JSON.parse(JSON.stringify(body), noonFor));

/** How the times in a value are written, by path. Fractions of a second, and which zone it is, do not count. */
function formsIn(value: Json, path: string): (readonly [path: string, form: string])[] {
  if (isList(value)) return value.flatMap((item) => formsIn(item, `${path}[]`));
  if (isObject(value)) return Object.entries(value).flatMap(([name, inner]) => formsIn(inner ?? null, `${path}.${name}`));
  return typeof value === "string" && isTime.test(value) ? [[path, formOf(value)]] : [];
}

function formOf(time: string): string {
  return time
    .replace(/\.\d+/, "")
    .replace(/(Z|[+-]\d\d:\d\d)$/, " ISO")
    .replace(/ [+-]\d{4} \w+$/, " zone")
    .replace(/\d/g, "0");
}

test("times are written as in the answers that the vendor publishes", async () => {
  const { translator } = publicApi;
  const written = await Promise.all(
    publishedExamples()
      .filter(({ part }) => part === "answer")
      .map(async ({ product, action, version, body }) => {
        const ours = await translator?.answer({ product, action, version, region: "" }, atNoon(body), "there");
        const spoken = new Map(formsIn(ours ?? {}, action));
        return formsIn(body, action).map(([path, form]) => ({ path, published: form, written: spoken.get(path) }));
      }),
  );
  const compared = written.flat().filter(({ path }) => !unknown.test(path));
  expect(compared.filter((one) => one.published !== one.written)).toEqual([]);
  expect(compared.length).toBeGreaterThan(30);
});

test("a time with a zone is read, and one whose zone no page says stays as it is", async () => {
  const pools = { product: "cluster", action: "DescribeNodePools", version: "2022-05-01", region: "" } as const;
  const read = async (createdAt: string) => publicApi.translator?.answer(pools, { NodePools: [{ CreatedAt: createdAt }] }, "here");
  expect(await read("2023-11-16 20:56:55 +0000 UTC")).toMatchObject({ NodePools: [{ CreatedAt: "2023-11-16T20:56:55Z" }] });
  expect(await read("2023-08-17 20:47:35.12 +0800 CST")).toMatchObject({ NodePools: [{ CreatedAt: "2023-08-17T12:47:35Z" }] });
  const vpcs = { product: "vpc", action: "DescribeVpcs", version: "2017-03-12", region: "" } as const;
  const zoneless = { VpcSet: [{ CreatedTime: "2021-01-03 22:25:45" }] };
  expect(await publicApi.translator?.answer(vpcs, zoneless, "here")).toMatchObject(zoneless);
});
