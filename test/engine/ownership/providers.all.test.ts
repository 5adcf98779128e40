/** Only the real engine shows what it keeps of a `Provider`, and that resources with one of their own are in another process. */

import { expect, test } from "vitest";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

const program = (bits: number, more = "") => `
import { Provider, RegistryInstance, Subnet, Vpc } from "@container-platform/pulumi";
import { output } from "@pulumi/pulumi";
import { setTimeout as sleep } from "node:timers/promises";

const provider = new Provider("other", { region: "eu-frankfurt" });
${more}
const cidrBlock = output(sleep(${more === "" ? 0 : 3000}, "10.0.0.0/${bits}"));
const { vpcId } = new Vpc("net", { cidrBlock });
new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/24", zone: "eu-frankfurt-1" }, { provider });
`;

test("a resource that one process is creating is no orphan to another one, which deletes before it has checked anything", async () => {
  await using stack = await Stack.create({ program: program(16) });
  await stack.up();
  stack.write(program(17, 'new RegistryInstance("images", { registryName: "acme-images", deleteBucket: true });'));
  // It exists, and its creation has not been answered, while the subnet goes along with its VPC.
  stack.faults.add({ operation: { action: "CreateInstance" }, delay: 10_000 });
  const outcome = await stack.up("--skip-preview");
  expect(operationsOf(outcome)).toMatchObject({
    "RegistryInstance images": ["create"],
    "Subnet nodes": expect.arrayContaining(["replace"]),
  });
  expect(outcome.output).not.toContain("interrupted update");
  expect(stack.writesSince(0)).not.toContain("DeleteInstance");
  stack.faults.clear();
  await stack.up("--refresh", "--expect-no-changes");
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});

test("where the region of a Provider is another one than that of what it has, the Provider is named, and put back it lets all go", async () => {
  const lines = (region: string): string => `
import { Provider, Vpc } from "@container-platform/pulumi";
const provider = new Provider("away", { region: "${region}" });
new Vpc("net", { cidrBlock: "10.0.0.0/16" }, { provider });
`;
  await using stack = await Stack.create({ program: lines("ap-singapore") });
  await stack.up();
  const says =
    'this Vpc was created in region ap-singapore, but its Provider "away" uses na-ashburn: set region: "ap-singapore" on the Provider and run `pulumi up`';
  stack.write(lines("na-ashburn"));
  expect((await stack.failingUp()).output).toContain(says);
  stack.write("export {};");
  expect((await stack.failingUp()).output).toContain(says);
  expect((await stack.fails("destroy", "--yes", "--skip-preview")).output).toContain(says);
  stack.write(lines("ap-singapore"));
  await stack.up();
  stack.write("export {};");
  await stack.up();
  expect(stack.leftovers()).toEqual({});
});
