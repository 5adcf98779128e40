import { expect, test } from "vitest";
import { z } from "zod";
import { describeSubnets } from "../../catalogue/vpc.ts";
import { Call } from "../behaviour.ts";
import { Faults } from "../faults/faults.ts";
import { type Asked, byId, byParent, exactly, filtered, listed, type Listing, type ListingCode, partly } from "./listing.ts";
import { createTable, table } from "../store/table.ts";
import { World } from "../store/world.ts";

const disks = table("disks", () => ({ owner: z.string(), colours: z.array(z.string()) }));
type Row = z.output<typeof disks.row>;
const listing: Listing<Row> = {
  table: disks,
  noun: "disk",
  ids: "DiskIds",
  filters: {
    "disk-id": byId,
    owner: byParent(({ owner }) => owner),
    colour: exactly(({ colours }) => colours),
    like: partly(({ id }) => [id]),
  },
};

function start() {
  const world = World.open(":memory:", { timeScale: "instant", seed: "listing" });
  for (const statement of createTable(disks)
    .split(";")
    .filter((text) => text.trim() !== ""))
    world.prepare(statement).run();
  const { account } = world;
  const faults = new Faults(world);
  const given = { world, faults, operation: describeSubnets, region: "eu-frankfurt", account, uin: account, requestId: "", now: 0 };
  const call = new Call<ListingCode>(given);
  for (const [id, owner, ...colours] of [
    ["a1", "a", "red"],
    ["b1", "b", "red", "blue"],
    ["a2", "a", "blue"],
    ["a3", "a"],
  ] as const)
    call.rows(disks).insert({ id, owner, colours }, owner);
  const ids = (asked: Asked<Row>, of = listing) => listed(call, of, asked).rows.map(({ id }) => id);
  return { call, ids };
}

test("all rows, and those of one owner, come oldest first; ids come in the order given, each once", () => {
  const { ids } = start();
  expect(ids({})).toEqual(["a1", "b1", "a2", "a3"]);
  expect(ids({ parent: "a" })).toEqual(["a1", "a2", "a3"]);
  expect(ids({ ids: ["a3", "a1", "a3"] })).toEqual(["a3", "a1"]);
});

test("offset and limit are numbers, or numbers as text", () => {
  const { call, ids } = start();
  expect(ids({ offset: 1, limit: 2 })).toEqual(["b1", "a2"]);
  expect(ids({ offset: "1", limit: "2", parent: "a" })).toEqual(["a2", "a3"]);
  expect(listed(call, listing, { offset: 3, where: ({ colours }) => colours.length > 0 })).toEqual({ totalCount: 3, rows: [] });
});

test("a listing of one parent stays within it, whatever the filters say", () => {
  const { ids } = start();
  expect(ids({ parent: "a", filters: [{ name: "colour", values: ["red", "blue"] }] })).toEqual(["a1", "a2"]);
  expect(ids({ parent: "a", filters: [{ name: "disk-id", values: ["b1", "a2"] }] })).toEqual(["a2"]);
  expect(ids({ parent: "a", filters: [{ name: "owner", values: ["b"] }] })).toEqual([]);
});

test("the operation's own condition and order apply before the page is cut", () => {
  const { ids } = start();
  expect(ids({ where: ({ owner }) => owner === "a", limit: 2 })).toEqual(["a1", "a2"]);
  expect(ids({ order: (one, other) => other.id.localeCompare(one.id), limit: 2 })).toEqual(["b1", "a3"]);
});

test("ids and filters may be given together, and unknown ids are left out, if the listing says so", () => {
  const { ids } = start();
  const filters = [{ name: "colour", values: ["red"] }];
  expect(() => ids({ ids: ["a1"], filters })).toThrow("DiskIds and Filters cannot be given together");
  expect(ids({ ids: ["a1", "a2"], filters }, { ...listing, together: true })).toEqual(["a1"]);
  expect(() => ids({ ids: ["zz"] })).toThrow("there is no disk zz in eu-frankfurt");
  expect(ids({ ids: ["zz", "a2"] }, { ...listing, missing: "left out" })).toEqual(["a2"]);
});

test("the same filters work on items that are in no table", () => {
  const { call } = start();
  const items = [
    { id: "x1", owner: "x", colours: ["red"] },
    { id: "x2", owner: "x", colours: [] },
  ];
  expect(filtered(call, listing.filters, [{ name: "like", values: ["2"] }], items)).toEqual([items[1]]);
  expect(filtered(call, listing.filters, undefined, items)).toEqual(items);
  expect(() => filtered(call, listing.filters, [{ name: "size", values: ["1"] }], items)).toThrow("disk-id, owner, colour, like");
});
