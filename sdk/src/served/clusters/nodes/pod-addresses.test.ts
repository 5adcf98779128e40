import { expect, test } from "vitest";
import { freePart, PodAddresses } from "./pod-addresses.ts";

const dual = { key: "subnet-1", cidrBlock: "10.0.16.0/28", ipv6CidrBlock: "2001:db8::/64" };
const single = { key: "cls-1/a", cidrBlock: "172.16.0.0/30", ipv6CidrBlock: undefined };

test("a pod has an address of each family with the same number, from the end of the range", () => {
  const addresses = new PodAddresses();
  expect(addresses.take("a", [dual])).toEqual(["10.0.16.14", "2001:db8::e"]);
  expect(addresses.take("b", [dual])).toEqual(["10.0.16.13", "2001:db8::d"]);
  expect(addresses.take("a", [dual])).toEqual(["10.0.16.14", "2001:db8::e"]);
  addresses.release("a");
  expect(addresses.take("c", [dual])).toEqual(["10.0.16.14", "2001:db8::e"]);
});

test("a range without free addresses is followed by the next one, or there is none", () => {
  const addresses = new PodAddresses();
  expect(addresses.take("a", [single, dual])).toEqual(["172.16.0.2"]);
  expect(addresses.take("b", [single, dual])).toEqual(["10.0.16.14", "2001:db8::e"]);
  expect(addresses.take("c", [single])).toBeUndefined();
  expect(addresses.take("d", [])).toBeUndefined();
});

test("addresses that pods have already are not given again, and the same range elsewhere is another one", () => {
  const addresses = new PodAddresses();
  addresses.keep("old", ["10.0.16.14", "2001:db8::e"], [dual]);
  expect(addresses.take("a", [dual])).toEqual(["10.0.16.13", "2001:db8::d"]);
  expect(addresses.take("b", [{ ...dual, key: "subnet-2" }])).toEqual(["10.0.16.14", "2001:db8::e"]);
});

test("each node has a part of the cluster's range that is large enough for its pods, as long as there is one", () => {
  expect(freePart("172.16.0.0/16", 256, [])).toBe("172.16.0.0/24");
  expect(freePart("172.16.0.0/16", 200, ["172.16.0.0/24", "172.16.2.0/24"])).toBe("172.16.1.0/24");
  expect(freePart("172.16.0.0/16", 64, ["172.16.0.0/24"])).toBe("172.16.1.0/26");
  expect(freePart("172.16.0.0/23", 256, ["172.16.0.0/24", "172.16.1.0/24"])).toBeUndefined();
  expect(freePart("172.16.0.0/25", 256, [])).toBeUndefined();
  expect(freePart("", 256, [])).toBeUndefined();
});
