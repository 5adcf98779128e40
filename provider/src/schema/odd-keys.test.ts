import * as z from "@container-platform/sdk/zod";
import { expect, test } from "vitest";
import { differs, speltLike, differencesIn } from "./compare.ts";

/** Tags and labels may have any key, also one that every object of JavaScript has. */
const keys = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];
const labels = z.record(z.string(), z.string());

test.for(keys)("a value under %s is compared as any other", (key) => {
  const [there, other] = [
    { a: "b", [key]: "there" },
    { a: "b", [key]: "other" },
  ];
  const places = (live: object, desired: object) => differencesIn(labels, live, desired, ["labels"], false);
  expect(places(there, there)).toEqual([]);
  expect(places(there, { a: "b" })).toEqual([{ place: `labels.${key}`, live: '"there"', desired: "nothing" }]);
  expect(places({ a: "b" }, there)).toEqual([{ place: `labels.${key}`, live: "nothing", desired: '"there"' }]);
  expect(places(there, other)).toEqual([{ place: `labels.${key}`, live: '"there"', desired: '"other"' }]);
  expect([differs(labels, there, other), differs(labels, there, { ...there })]).toEqual([true, false]);
  expect(speltLike(labels, there, other)).toEqual(there);
});
