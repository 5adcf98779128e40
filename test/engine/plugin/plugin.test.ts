import { appendFileSync } from "node:fs";
import { join } from "node:path";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { warningsIn } from "../../support/pulumi.ts";
import { native, pluginStack, unchanged } from "./plugin-stack.ts";

/** Only the engine shows that it takes what the plugin answers: ids, unknowns, differences, an import, a function's answer. */

const program = (existing: string, more = "", cidr = "10.0.0.0/20") => `
import * as pulumi from "@pulumi/pulumi";
import { Subnet, Vpc } from "${native}";
const { zones } = pulumi.runtime.invokeOutput("container-platform:index:getZones", {});
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16", tags: { team: "a"${more} } });
export const { subnetId } = new Subnet("nodes", { vpcId, zone: zones.apply(([first]) => first.zone), cidrBlock: "${cidr}" });
new Vpc("old", { vpcName: "old", cidrBlock: "10.4.0.0/16" }, { import: "${existing}" });
`;

test("resources of the plugin are made, imported, refreshed, changed, found unchanged and destroyed", async () => {
  await using stack = await pluginStack("");
  const { vpcId: existing } = (await stack.cloud().call(vpc.createVpc, { vpcName: "old", cidrBlock: "10.4.0.0/16" })).vpc;
  stack.write(program(existing));
  appendFileSync(join(stack.folder, "Pulumi.test.yaml"), "config:\n  pulumi:autonaming:\n    mode: verbatim\n");
  expect(warningsIn(await stack.up())).toEqual([expect.stringContaining("pulumi:autonaming has no effect on resources")]);
  // What is imported as it is gets no call that writes.
  expect(stack.calls().filter(({ effect, names }) => effect === "write" && names.includes(existing))).toHaveLength(1);
  expect(await stack.resource("Subnet nodes")).toMatchObject({ inputs: { zone: "eu-frankfurt-1" } });

  const { id: vpcId = "" } = await stack.resource("Vpc net");
  await stack.cloud().call(vpc.modifyVpcAttribute, { vpcId, vpcName: "by-hand" });
  expect((await stack.refresh("--diff")).stdout).toContain('=> "by-hand"');

  stack.write(program(existing, ', "cost centre": "7"', "10.0.16.0/20"));
  const { stdout } = await stack.preview("--diff");
  expect(stdout).toContain('+ cost centre: "7"');
  expect(stdout).toContain('"by-hand" => "net-');
  expect(stdout).toMatch(/cidrBlock: "10\.0\.0\.0\/20" => "10\.0\.16\.0\/20"/);
  expect(stdout).toMatch(/1 to update\n\s+\+-1 to replace/);
  await stack.up();
  await stack.preview("--refresh", unchanged);
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
