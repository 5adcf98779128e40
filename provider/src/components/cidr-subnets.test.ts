import { cidrSubnet, contains, overlaps } from "@container-platform/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { beginningsOf, type Sizes, smallestPrefix } from "./cidr-subnets.ts";

function subnetsIn(range: string, sizes: Sizes, zones: number): Map<string, string> | undefined {
  const beginnings = beginningsOf(range, sizes, zones);
  if (!beginnings) return undefined;
  const numbers = Array.from({ length: zones }, (_, zone) => zone);
  return new Map(
    Object.entries(sizes).flatMap(([role, { prefix }]) =>
      numbers.map((zone) => [`${role} ${zone}`, cidrSubnet(range, prefix, (beginnings.get(role)?.ipv4 ?? NaN) + zone)] as const),
    ),
  );
}

const arbitrary = fc.record({
  prefix: fc.integer({ min: 12, max: 24 }),
  prefixes: fc.array(fc.integer({ min: 14, max: 29 }), { minLength: 1, maxLength: 6 }),
  zones: fc.integer({ min: 1, max: 6 }),
});
const sizesOf = (prefixes: readonly number[]): Sizes => Object.fromEntries(prefixes.map((prefix, index) => [`role-${index}`, { prefix }]));

test("the subnets of one role begin at the start of the CIDR block, as one writes them by hand", () => {
  expect([...(subnetsIn("10.0.0.0/16", sizesOf([20]), 3)?.values() ?? [])]).toEqual(["10.0.0.0/20", "10.0.16.0/20", "10.0.32.0/20"]);
  expect(beginningsOf("10.0.0.0/16", sizesOf([20, 20, 24, 24]), 3)).toEqual(
    new Map([
      ["role-0", { ipv4: 0, ipv6: 0 }],
      ["role-1", { ipv4: 8, ipv6: 128 }],
      ["role-2", { ipv4: 64, ipv6: 64 }],
      ["role-3", { ipv4: 192, ipv6: 192 }],
    ]),
  );
});

test("subnets lie in the range, and do not overlap in either family", () => {
  fc.assert(
    fc.property(arbitrary, ({ prefix, prefixes, zones }) => {
      const range = `10.0.0.0/${prefix}`;
      const sizes = sizesOf(prefixes);
      const all = [...(subnetsIn(range, sizes, zones)?.values() ?? [])];
      fc.pre(all.length > 0);
      expect(all.filter((one) => !contains(range, one))).toEqual([]);
      expect(all.filter((one, index) => all.slice(0, index).some((other) => overlaps(one, other)))).toEqual([]);
      const blocks = [...(beginningsOf(range, sizes, zones)?.values() ?? [])].flatMap(({ ipv6 }) =>
        Array.from({ length: zones }, (_, zone) => ipv6 + zone),
      );
      expect(new Set(blocks).size).toBe(blocks.length);
      expect(blocks.filter((block) => block < 0 || block > 255)).toEqual([]);
    }),
  );
});

test("a role or a zone that is added at the end moves no other subnet", () => {
  fc.assert(
    fc.property(arbitrary, fc.integer({ min: 14, max: 29 }), ({ prefix, prefixes, zones }, another) => {
      const range = `10.0.0.0/${prefix}`;
      const before = subnetsIn(range, sizesOf(prefixes), zones);
      const bigger = [subnetsIn(range, sizesOf([...prefixes, another]), zones), subnetsIn(range, sizesOf(prefixes), zones + 1)];
      for (const after of bigger)
        if (before && after) expect([...before].filter(([subnet, cidrBlock]) => after.get(subnet) !== cidrBlock)).toEqual([]);
    }),
  );
});

test("the smallest range does, and the next smaller one does not", () => {
  fc.assert(
    fc.property(arbitrary, ({ prefixes, zones }) => {
      const sizes = sizesOf(prefixes);
      const smallest = smallestPrefix(sizes, zones);
      const fits = (prefix: number): boolean => beginningsOf(`10.0.0.0/${prefix}`, sizes, zones) !== undefined;
      expect([12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28].filter(fits).every((prefix) => prefix <= (smallest ?? 0))).toBe(true);
      expect(fits(smallest ?? 12)).toBe(smallest !== undefined);
    }),
  );
});
