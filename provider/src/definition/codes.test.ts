import { PlatformError } from "@container-platform/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Code, codes, messageOf, parse, ProviderError, render } from "./codes.ts";

const names = Object.keys(codes).filter((name): name is Code => Object.hasOwn(codes, name));
const path = fc.string({ minLength: 1, unit: "binary" }).filter((text) => text !== "-");
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const coded = fc.record({
  code: fc.constantFrom(...names),
  message: fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom("zone: ", "\n", "a", " [Provider.InUse]", "- of a/b by c]")).map((parts) => parts.join("")),
  ),
  path: optional(fc.oneof(path, fc.constantFrom("zone", "native.subnetIds[0]", "tags.a b"))),
  of: optional(fc.record({ type: fc.stringMatching(/^[A-Z]\w*$/), id: fc.string({ minLength: 1, unit: "binary" }) })),
  by: optional(fc.oneof(fc.string({ unit: "binary" }), fc.constant('NodePool "a] b"'))),
});

test("a rendered message is parsed back", () => {
  fc.assert(
    fc.property(coded, (one) => {
      expect(parse(render(one))).toEqual(one);
    }),
  );
});

test("any other text has no code", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => parse(text) === undefined));
  expect(parse("zone: is wrong [Provider.Nonsense]")).toBeUndefined();
  expect(parse("first\nsecond [Provider.InUse]")).toBeUndefined();
});

test("the code ends the first line, and repeats nothing that the message begins with", () => {
  expect(render({ code: "NotOffered", path: "zone", message: "zone: is not offered.\n  - Use b." })).toBe(
    "zone: is not offered. [Provider.NotOffered]\n  - Use b.",
  );
  const inUse = { code: "InUse", path: "vpcId", of: { type: "Vpc", id: "vpc-1" }, by: 'Subnet "a"', message: "vpcId: used" } as const;
  expect(render(inUse)).toBe('vpcId: used [Provider.InUse: vpcId of Vpc/vpc-1 by Subnet "a"]');
});

test("an error has the code of its cause, and the platform's errors have none of the provider's", () => {
  const own = new ProviderError("Failed", "it is CreateFailed");
  const error = new Error("creating Vpc: it is CreateFailed", { cause: own });
  error.message = messageOf(error);
  expect([error.message, messageOf(error)]).toEqual(Array(2).fill("creating Vpc: it is CreateFailed [Provider.Failed]"));
  const cause = new PlatformError("ResourceInUse", "used", { action: "DeleteVpc", product: "vpc", requestId: "1" });
  expect(messageOf(new Error("deleting Vpc: used", { cause }))).toBe("deleting Vpc: used");
});
