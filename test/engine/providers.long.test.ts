import { expect, test } from "vitest";
import { operationsOf } from "../support/pulumi.ts";
import { Stack } from "../support/stack.ts";

/** Resources with a `Provider` of their own are in another process, which does not see what the first one is creating. */

const program = (bits: number, more = "") => `
import { Provider, RegistryInstance, Subnet, Vpc } from "@container-platform/pulumi";
import { output } from "@pulumi/pulumi";
import { setTimeout as sleep } from "node:timers/promises";

const provider = new Provider("other", { region: "eu-frankfurt" });
${more}
const cidrBlock = output(sleep(${more === "" ? 0 : 4000}, "10.0.0.0/${bits}"));
const { vpcId } = new Vpc("net", { cidrBlock });
new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/24", zone: "eu-frankfurt-1" }, { provider });
`;

test("what one process is creating is no leftover to another one, which deletes before it has checked anything", async () => {
  await using stack = await Stack.create({ program: program(16) });
  await stack.up();
  stack.write(program(17, 'new RegistryInstance("images", { registryName: "acme-images", deleteBucket: true });'));
  // It exists, and its creation has not been answered, while the subnet goes along with its VPC.
  stack.faults.add({ operation: { action: "CreateInstance" }, delay: 15_000 });
  const outcome = await stack.up("--skip-preview");
  expect(operationsOf(outcome)).toMatchObject({
    "RegistryInstance images": ["create"],
    "Subnet nodes": expect.arrayContaining(["replace"]),
  });
  expect(outcome.output).not.toContain("removed tcr-");
  expect(stack.writesSince(0)).not.toContain("DeleteInstance");
  stack.faults.clear();
  await stack.up("--refresh", "--expect-no-changes");
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
