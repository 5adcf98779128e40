/** Only the real engine deploys two stacks to one platform: the ownership tags name the stack of a resource. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";
import { command } from "../killed-runs.ts";

let stack: Stack;
let other: Stack;
let vpcId: string;
beforeAll(async () => {
  stack = await Stack.create({ program: program(net) });
  await stack.up();
  vpcId = (await stack.resource("Vpc net")).id ?? "";
  const config = { "container-platform:endpoint": `local:${stack.worldFile}` };
  other = await Stack.create({ program: program(part("one", 1), part("two", 2)), project: "neighbors", config });
  await other.up();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});

const net = 'new Vpc("net", { cidrBlock: "10.0.0.0/16" });';
const called = "stack test of project neighbors";

const program = (...lines: readonly string[]): string => ['import { Subnet, Vpc } from "@container-platform/pulumi";', ...lines].join("\n");

function part(name: string, third: number, options = ""): string {
  return `new Subnet("${name}", { vpcId: "${vpcId}", subnetName: "${name}", cidrBlock: "10.0.${third}.0/24", zone: "eu-frankfurt-1" }, { ${options} });`;
}

test("the importer, and the preview of an import, name the stack of the tags; after the import, that one names the new owner", async () => {
  const { id: one = "" } = await other.resource("Subnet one");
  const { stderr } = await command(stack);
  expect(stderr).toMatch(
    new RegExp(
      `2 of these have the ownership tags of ${called}: subnet-\\w+, subnet-\\w+\\. After the import, that stack no longer deletes`,
    ),
  );
  stack.write(program(net, part("one", 1, `import: "${one}"`)));
  expect((await stack.preview()).output).toContain(`the ownership tags of ${one} name ${called}. After this import, that stack no longer`);
  await stack.up();
  other.write(program(part("two", 2)));
  const { output } = await other.up();
  expect(output).toContain(
    `${one} was removed from the state but not deleted on the platform: its tag container-platform/owner names a resource of stack test of project throw-away`,
  );
  expect((await command(stack)).stderr).toContain(`1 of these has the ownership tags of ${called}: subnet-`);
  await other.destroy();
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
