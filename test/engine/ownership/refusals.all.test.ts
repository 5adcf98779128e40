/** Only the real engine shows that what the refusals tell, written into the program or the command, is what it takes. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.create({ program: program() });
  await stack.up();
});
afterAll(() => stack[Symbol.asyncDispose]());

interface Written {
  readonly vpcName?: string;
  /** The options of the VPC, and those of the subnet. */
  readonly options?: readonly [string, string];
}

function program({ vpcName = "one", options = ["", ""] }: Written = {}): string {
  return `
import { ComponentResource } from "@pulumi/pulumi";
import { Subnet, Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("net", { vpcName: "${vpcName}", cidrBlock: "10.0.0.0/16" }, { ${options[0]} });
new Subnet("nodes", { vpcId, zone: "eu-frankfurt-1", cidrBlock: "10.0.1.0/24" }, { ${options[1]} });
`;
}

test("a replacement by force needs deleteBeforeReplace and those that depend on it, and replaceOnChanges neither", async () => {
  const { urn, id: before } = await stack.resource("Vpc net");
  const says = `${before}. It is the same resource: a forced replacement would create the new one while the old one still exists. Add deleteBeforeReplace: true`;
  expect((await stack.fails("preview", "--target-replace", urn)).output).toContain(says);
  stack.write(program({ options: ["deleteBeforeReplace: true", ""] }));
  expect((await stack.failingUp("--target-replace", urn)).output).toContain("Run `pulumi up` (or add --target-dependents)");
  await stack.up("--replace", urn);
  const { id: forced } = await stack.resource("Vpc net");
  expect(forced).not.toBe(before);
  stack.write(program({ vpcName: "two", options: ['replaceOnChanges: ["vpcName"]', ""] }));
  await stack.up();
  expect((await stack.resource("Vpc net")).id).not.toBe(forced);
  expect(stack.leftovers()).toMatchObject({ vpcs: 1, subnets: 1 });
});

test("a new parent needs the alias that the preview tells", async () => {
  const { urn } = await stack.resource("Subnet nodes");
  const parent = 'parent: new ComponentResource("acme:index:Group", "group")';
  stack.write(program({ vpcName: "two", options: ["", parent] }));
  expect((await stack.fails("preview")).output).toContain(`add aliases: ["${urn}"] to the options`);
  stack.write(program({ vpcName: "two", options: ["", `${parent}, aliases: ["${urn}"]`] }));
  expect(operationsOf(await stack.up())).toEqual({});
});
