import { expect, test } from "vitest";
import { describeVpcs } from "../catalogue/vpc.ts";
import { Cloud } from "./client.ts";
import { Finder } from "./finder.ts";
import { Readings } from "./read-cache.ts";
import { PlatformError } from "../operation/errors.ts";
import { LocalPlatform } from "../local/platform.ts";
import { World } from "../local/store/world.ts";

const gone = () => new PlatformError("ResourceNotFound", "gone", { product: "vpc", action: "DescribeVpcs", requestId: "" });

function cloudOf(tolerance = 0): Cloud {
  return new Cloud({ transport: new LocalPlatform(World.open(":memory:")), region: "eu-frankfurt" }).tolerating(tolerance);
}

/** A finder of items that have an id and nothing else, and the ids that it asked for. */
function finderOf(present: Set<string>) {
  const asked: string[][] = [];
  const finder = new Finder<{ id: string }>({
    asking: describeVpcs,
    some: (_cloud, ids) => {
      asked.push([...ids]);
      if (ids.some((id) => !present.has(id))) return Promise.reject(gone());
      return Promise.resolve(ids.map((id) => ({ id })));
    },
    idOf: ({ id }) => id,
  });
  return { asked, finder };
}

test("a reading that failed is not given to those who ask later", async () => {
  const readings = new Readings();
  await expect(readings.share([describeVpcs], "a", 60_000, () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect(await readings.share([describeVpcs], "a", 60_000, () => Promise.resolve("read"))).toBe("read");
});

test("what was asked for at once is asked with one call, and what is gone is not asked for along with others", async () => {
  const present = new Set(["a", "b"]);
  const { asked, finder } = finderOf(present);
  const cloud = cloudOf();
  const both = () => Promise.all([finder.find(cloud, "a"), finder.find(cloud, "b"), finder.find(cloud, "a")]);
  expect(await both()).toEqual([{ id: "a" }, { id: "b" }, { id: "a" }]);
  await both();
  expect(asked).toEqual([
    ["a", "b"],
    ["a", "b"],
  ]);
  present.delete("a");
  expect(await finder.find(cloud, "a")).toBeUndefined();
  asked.length = 0;
  expect(await finder.find(cloud, "b")).toEqual({ id: "b" });
  expect(asked).toEqual([["b"]]);
});

test("what slipped between two pages of a list is not taken for gone", async () => {
  const ids = Array.from({ length: 150 }, (_, index) => `id-${index}`);
  const finder = new Finder<{ id: string }>({
    asking: describeVpcs,
    some: (_cloud, wanted) => Promise.resolve(wanted.map((id) => ({ id }))),
    // The first item is deleted after the first page, so that all others move up by one.
    async *pages() {
      await Promise.resolve();
      yield { total: 150, items: ids.slice(0, 100).map((id) => ({ id })), requestId: "" };
      yield { total: 149, items: ids.slice(101).map((id) => ({ id })), requestId: "" };
    },
    idOf: ({ id }) => id,
  });
  const cloud = cloudOf(1000);
  const found = await Promise.all(ids.map((id) => finder.find(cloud, id)));
  expect(found[100]).toEqual({ id: "id-100" });
  expect(found.every((item) => item !== undefined)).toBe(true);
});
