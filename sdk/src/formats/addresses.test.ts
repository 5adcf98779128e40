import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addressAt,
  addressCount,
  addressFamily,
  canonicalCidr,
  cidrSubnet,
  contains,
  hasHostBits,
  overlaps,
  parseCidr,
} from "./addresses.ts";
import { InputError } from "../operation/errors.ts";

test.each([
  ["10.0.0.0/16", "10.0.0.0/16"],
  ["10.0.3.7/16", "10.0.0.0/16"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["2001:DB8:0:0::/56", "2001:db8::/56"],
  ["2001:0db8:0000:ff07::1/64", "2001:db8:0:ff07::/64"],
  ["::/0", "::/0"],
])("%s is read as %s", (text, canonical) => {
  expect(canonicalCidr(text)).toBe(canonical);
});

test.each([
  "",
  "10.0.0.0",
  "10.0.0.0/33",
  "10.0.0.0/08",
  "010.0.0.0/8",
  "10.0.0/8",
  " 10.0.0.0/8",
  "10.0.0.0/8/8",
  "2001:db8::/129",
  "fe80::%eth0/64",
])("%j is no range", (text) => {
  expect(parseCidr(text)).toBeUndefined();
  expect(() => overlaps(text, "10.0.0.0/8")).toThrow(InputError);
});

test("a range is canonical in one spelling and family only", () => {
  expect(canonicalCidr("10.0.0.0/16")).toBe("10.0.0.0/16");
  expect(canonicalCidr("10.0.0.1/16")).toBe("10.0.0.0/16");
  expect(canonicalCidr("2001:DB8::/56")).toBe("2001:db8::/56");
  expect([hasHostBits("10.0.0.1/16"), hasHostBits("2001:DB8::/56")]).toEqual([true, false]);
});

test("addresses have a family, ranges are none", () => {
  expect(["192.0.2.53", "2001:db8::1", "192.0.2.0/24", "dns.example", ""].map(addressFamily)).toEqual([
    4,
    6,
    undefined,
    undefined,
    undefined,
  ]);
});

test("ranges that share one address overlap", () => {
  expect(overlaps("10.0.0.1/32", "10.0.0.0/31")).toBe(true);
});

test("ranges of different families share nothing", () => {
  expect(overlaps("0.0.0.0/0", "::/0")).toBe(false);
  expect(contains("::/0", "10.0.0.0/8")).toBe(false);
});

test("what cannot be cut says what can", () => {
  expect(() => cidrSubnet("2001:db8::/56", 64, 256)).toThrow("take 0 to 255");
  expect(() => cidrSubnet("2001:db8::/56", 48, 0)).toThrow("take /56 to /128");
  expect(() => cidrSubnet("2001:db8::/56", 64, 0.5)).toThrow("take 0 to 255");
  for (const index of [-1, 4]) expect(() => addressAt("10.0.0.0/30", index)).toThrow("take 0 to 3");
});

const block = fc.nat({ max: 2 ** 24 - 1 }).map((index) => cidrSubnet("2001:db8::/32", 56, index));
const range4 = fc
  .tuple(fc.nat({ max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 32 }))
  .map(([address, prefix]) => canonicalCidr(`${addressAt("0.0.0.0/0", address)}/${prefix}`) ?? "");

test("the parts of a block lie in it, side by side, in order", () => {
  fc.assert(
    fc.property(block, fc.nat({ max: 255 }), fc.nat({ max: 255 }), (cidr, one, other) => {
      const [a, b] = [cidrSubnet(cidr, 64, one), cidrSubnet(cidr, 64, other)];
      expect(contains(cidr, a)).toBe(true);
      expect(canonicalCidr(a)).toBe(a);
      expect(overlaps(a, b)).toBe(one === other);
      expect((parseCidr(a)?.first ?? 0n) < (parseCidr(b)?.first ?? 0n)).toBe(one < other);
    }),
  );
});

test("parts fill their range exactly", () => {
  fc.assert(
    fc.property(range4, fc.integer({ min: 0, max: 6 }), (cidr, more) => {
      const prefix = Math.min(32, (parseCidr(cidr)?.prefix ?? 0) + more);
      const count = Number(addressCount(cidr) / addressCount(`0.0.0.0/${prefix}`));
      const parts = Array.from({ length: count }, (_, index) => cidrSubnet(cidr, prefix, index));
      expect(new Set(parts).size).toBe(count);
      expect(parts.reduce((sum, part) => sum + addressCount(part), 0n)).toBe(addressCount(cidr));
      expect(parts.every((part) => contains(cidr, part))).toBe(true);
    }),
  );
});

test("ranges overlap exactly when one contains the other", () => {
  fc.assert(
    fc.property(range4, range4, (one, other) => {
      expect(overlaps(one, other)).toBe(contains(one, other) || contains(other, one));
      expect(overlaps(one, other)).toBe(overlaps(other, one));
      expect(contains(one, one)).toBe(true);
    }),
  );
});

test("a canonical range reads as itself", () => {
  fc.assert(
    fc.property(fc.oneof(range4, block), (cidr) => {
      expect(canonicalCidr(cidr)).toBe(cidr);
      expect(hasHostBits(cidr)).toBe(false);
    }),
  );
});
