import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { root } from "../support/compiler.ts";
import { breaks, type Shape, shapeOf } from "../support/schema-shape.ts";

const file = join(root, "plugin", "schema.json");
const shape = shapeOf(readFileSync(file, "utf8"));
const golden = join(root, "test", "golden");
const versions = readdirSync(golden).filter((name) => /^\d/.test(name));

test("Pulumi's tools take the schema", () => {
  const { status, stdout, stderr } = spawnSync("pulumi", ["schema", "check", file], { encoding: "utf8" });
  expect([status, stdout + stderr]).toEqual([0, ""]);
});

test.each(versions)("programs that were written for version %s need no change", (version) => {
  const before = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(join(golden, version, "schema.json"), "utf8")));
  expect(breaks(before, shape)).toEqual([]);
});

const vpc = "container-platform:index:Vpc";
const protocol = "container-platform:index:SecurityGroupRuleProtocol";

test.each<[change: string, after: Shape, says: string]>([
  ["an input that is removed", without(`${vpc} input.dnsServers`), `${vpc} input.dnsServers is removed`],
  ["an output that is removed", without(`${vpc} output.vpcId`), `${vpc} output.vpcId is removed`],
  ["another type", { ...shape, [`${vpc} input.dnsServers`]: "string" }, `${vpc} input.dnsServers was string[], and is string`],
  ["an input that became required", { ...shape, [`${vpc} input.vpcName`]: "string!" }, `${vpc} input.vpcName became required`],
  ["a new input that is required", { ...shape, [`${vpc} input.owner`]: "string!" }, `${vpc} input.owner is new, and required`],
  ["a value that is removed", { ...shape, [`${protocol} value`]: "TCP|UDP|ICMP|ICMPV6|ALL" }, `${protocol} value GRE is removed`],
])("%s is named", (_, after, says) => {
  expect(breaks(shape, after)).toContain(says);
});

function without(path: string): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([key]) => key !== path));
}

test("what is new, and what is no longer required, breaks nothing", () => {
  expect(breaks(shape, { ...shape, [`${vpc} input.cidrBlock`]: "string", [`${vpc} input.owner`]: "string" })).toEqual([]);
});
