import * as z from "@container-platform/sdk/zod";
import { expect, test } from "vitest";
import { differs } from "../schema/compare.ts";
import { marksOf } from "../schema/marks.ts";
import { isSecret } from "../schema/secrets.ts";
import { cleared, kept, named, refusedOnceSet, secret, spelt, tagPairs, unordered } from "./inputs.ts";

const plain = z.string();
const lists = z.array(z.string());

test("a mark stays whatever method follows", () => {
  for (const schema of [
    secret(plain).describe("a"),
    secret(plain).min(3),
    secret(plain).refine(() => true),
    secret(plain).optional(),
    secret(kept(plain)),
  ])
    expect(isSecret(schema)).toBe(true);
  for (const schema of [kept(plain).describe("a"), kept(plain).refine(() => true), kept(plain).meta({ title: "a" })])
    expect(marksOf(schema).removed).toBe("keep");
  expect(marksOf(named(plain).describe("a")).named).toBe(true);
  expect(marksOf(cleared(tagPairs.refine(() => true)))).toEqual({ rules: [expect.anything()], tags: true, removed: "clear" });
  const lowerCase = spelt(plain, (value) => String(value).toLowerCase());
  for (const schema of [lowerCase, lowerCase.min(1), kept(lowerCase).describe("a")]) expect(differs(schema, "A", "a")).toBe(false);
  for (const schema of [unordered(lists).min(1), unordered(lists).max(9).optional()])
    expect(differs(schema, ["a", "b"], ["b", "a"])).toBe(false);
});

test("an empty list means the same as one that is left out only where that clears it", () => {
  expect([cleared(lists), kept(lists)].map((schema) => differs(schema, [], undefined))).toEqual([false, true]);
});

test("a mark changes no schema that others share", () => {
  const optional = plain.optional();
  for (const mark of [secret, cleared, kept, refusedOnceSet]) mark(optional);
  secret(plain);
  spelt(plain, () => "");
  named(plain);
  unordered(lists);
  for (const schema of [plain, optional, lists]) expect(marksOf(schema)).toEqual({});
  expect(differs(lists, ["a", "b"], ["b", "a"])).toBe(true);
});
