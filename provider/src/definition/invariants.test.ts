import { describe, expect, test } from "vitest";
import { kinds } from "../resources/kinds.ts";
import { type Props, unknown } from "../schema/values.ts";
import { canCoexist, conflictWith, idFromInputs, reversed, textsIn } from "./invariants.ts";

/** Which values of two resources exclude each other. */

const [{ kind: subnets }, { kind: blocks }, { kind: registries }] = await Promise.all([
  kinds.Subnet(),
  kinds.Ipv6Block(),
  kinds.RegistryInstance(),
]);
const subnet = { vpcId: "vpc-1", zone: "eu-frankfurt-1", cidrBlock: "10.0.0.0/20" };

describe("a conflict", () => {
  const constraints = [
    { by: "cidrBlock", as: "range", in: "vpcId" },
    { by: "pods", as: "range", meets: "cidrBlock" },
    { by: "names", as: "name" },
  ] as const;
  const between = (inputs: Props, existing: Props) =>
    conflictWith(constraints, inputs, existing, (parent) => inputs[parent] === existing[parent]);

  test("is of overlapping ranges in one parent, with both values", () => {
    const found = between({ vpcId: "a", cidrBlock: "10.0.0.0/17" }, { vpcId: "a", cidrBlock: "10.0.0.0/16" });
    const [value, otherValue] = ["10.0.0.0/17", "10.0.0.0/16"];
    expect(found).toEqual({ as: "range", in: "vpcId", by: "cidrBlock", value, otherBy: "cidrBlock", otherValue });
    expect(between({ vpcId: "a", cidrBlock: value }, { vpcId: "b", cidrBlock: otherValue })).toBeUndefined();
    expect(between({ vpcId: "a", cidrBlock: value }, { vpcId: "a", cidrBlock: "10.0.128.0/17" })).toBeUndefined();
  });

  test("of another input of the existing resource is described from either side", () => {
    const found = between({ pods: "10.0.0.0/17" }, { cidrBlock: "10.0.0.0/16" });
    expect(found).toMatchObject({ by: "pods", otherBy: "cidrBlock", value: "10.0.0.0/17", otherValue: "10.0.0.0/16" });
    expect(reversed(found)).toEqual({
      ...{ as: "range", in: undefined, by: "cidrBlock", otherBy: "pods" },
      ...{ value: "10.0.0.0/16", otherValue: "10.0.0.0/17" },
    });
    expect(reversed(undefined)).toBeUndefined();
  });

  test("is of a common name in two lists, and of no unknown or empty one", () => {
    expect(between({ names: ["b", "a"] }, { names: ["c", "a"] })).toMatchObject({ as: "name", value: "a", otherValue: "a" });
    expect(between({ names: [unknown, "", "b"] }, { names: [unknown, "", "c"] })).toBeUndefined();
    expect(textsIn({ names: [unknown, "", "b", 7] }, "names")).toEqual(["b"]);
  });
});

describe("a replacement coexists with the old resource", () => {
  const can = (change: Props, reasons: readonly string[] = ["zone"]) =>
    canCoexist(subnets, "subnet-1", { ...subnet, ...change }, subnet, reasons);

  test("with another range, or in another parent", () => {
    expect([can({}), can({ cidrBlock: "10.0.16.0/20" }), can({ vpcId: "vpc-2" })]).toEqual([false, true, true]);
  });

  test("not with an unknown range in the same parent, if the old one has a range", () => {
    expect([can({ cidrBlock: unknown }), can({ cidrBlock: unknown, vpcId: "vpc-2" })]).toEqual([false, true]);
    const ipv6 = { ...subnet, cidrBlock: "10.0.16.0/20", ipv6SubnetCidrBlock: unknown };
    expect(canCoexist(subnets, "subnet-1", ipv6, subnet, ["zone"])).toBe(true);
  });

  test("with an unknown name only if the name alone replaces it", () => {
    const [news, olds] = [{ registryName: unknown }, { registryName: "images" }];
    const ofRegistry = (...reasons: readonly string[]) => canCoexist(registries, "tcr-1", news, olds, reasons);
    expect([ofRegistry("registryName"), ofRegistry("registryName", "registryType"), ofRegistry("registryType")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("not with an ID of inputs that stays", () => {
    expect(canCoexist(blocks, "vpc-1", { vpcId: "vpc-1" }, { vpcId: "vpc-1" })).toBe(false);
    expect(canCoexist(blocks, "vpc-1", { vpcId: "vpc-2" }, { vpcId: "vpc-1" })).toBe(true);
    expect([idFromInputs(blocks, { vpcId: unknown }), idFromInputs(subnets, subnet)]).toEqual([undefined, undefined]);
  });
});
