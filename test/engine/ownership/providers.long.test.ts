import { expect, test } from "vitest";
import { isLong } from "../../../sdk/src/long.fixture.ts";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

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

if (isLong) {
  test("what a resource with another Provider has is not imported, and so not deleted in the name of a second one", async () => {
    const first = `
import { Provider, Vpc } from "@container-platform/pulumi";
const provider = new Provider("other", { region: "eu-frankfurt" });
new Vpc("first", { cidrBlock: "10.0.0.0/16" });
`;
    await using stack = await Stack.create({ program: first });
    await stack.up();
    const { id = "", urn } = await stack.resource("Vpc first");
    stack.write(`${first}new Vpc("second", { cidrBlock: "10.0.0.0/16" }, { import: "${id}", provider });\n`);
    const { output } = await stack.fails("preview");
    expect(output).toContain(`${id} is "first" of this same stack, with another Provider (${urn})`);
    await stack.fails("up", "--yes", "--skip-preview");
    stack.write(first);
    await stack.up();
    expect(stack.count("vpcs")).toBe(1);
  });

  test("two with a Provider each cannot have one name: the second is told of the first, and of no alias for it", async () => {
    const both = (second: string) => `
import { Provider, RegistryInstance } from "@container-platform/pulumi";
const [a, b] = ["a", "b"].map((name) => new Provider(name, { region: "eu-frankfurt" }));
const one = new RegistryInstance("one", { registryName: "acme-images" }, { provider: a });
new RegistryInstance("two", { registryName: "${second}" }, { provider: b, dependsOn: one });
`;
    await using stack = await Stack.create({ program: both("acme-images") });
    await stack.failingUp();
    const { output } = await stack.fails("preview");
    expect(output).toMatch(
      /registryName: acme-images is taken by tcr-[0-9a-f]{8}\. "one" of this same stack, with another Provider, has it\. If both are to exist, change registryName of one of the two\. If this one is to come in its place, take that one out and run `pulumi up` first, without this one/,
    );
    expect(output).not.toContain("aliases");
    stack.write(both("more-images"));
    await stack.up();
    expect(stack.count("registries")).toBe(2);
  });

  test("what retainOnDelete keeps is not replaced by what cannot stand beside it", async () => {
    const program = (more: string) => `
import { Namespace, RegistryInstance } from "@container-platform/pulumi";
const { registryId } = new RegistryInstance("images", { registryName: "acme-images", ${more} }, { retainOnDelete: true });
new Namespace("team", { registryId, namespaceName: "team", isPublic: false });
`;
    await using stack = await Stack.create({ program: program("") });
    await stack.up();
    stack.write(program("enableCosMaz: true"));
    const before = stack.calls().length;
    const { output } = await stack.fails("preview");
    expect(output).toMatch(/the new one cannot stand beside tcr-\w+, which retainOnDelete keeps: take that option out/);
    await stack.fails("up", "--yes", "--skip-preview");
    expect(stack.writesSince(before)).toEqual([]);
    stack.write(program(""));
    await stack.up("--expect-no-changes");
  });
}
