import { afterAll, beforeAll, expect, test } from "vitest";
import { operationsOf } from "../../support/pulumi.ts";
import { Stack } from "../../support/stack.ts";

/** What is in the way of a resource is refused in preview, with the line to write; and with that line, `up` does it. */

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.create({ program: program() });
  await stack.up();
});
afterAll(() => stack[Symbol.asyncDispose]());

interface Wishes {
  /** The names of the VPC and of its subnet in the program. */
  readonly names?: readonly [string, string];
  readonly vpcName?: string;
  /** The options of the VPC, and those of the subnet. */
  readonly options?: readonly [string, string];
  readonly more?: string;
}

function program({ names = ["net", "nodes"], vpcName = "one", options = ["", ""], more = "" }: Wishes = {}): string {
  return `
import { ComponentResource } from "@pulumi/pulumi";
import { Namespace, RegistryInstance, Subnet, Vpc } from "@container-platform/pulumi";
const zone = "eu-frankfurt-1";
const vpc = new Vpc("${names[0]}", { vpcName: "${vpcName}", cidrBlock: "10.0.0.0/16" }, { ${options[0]} });
new Subnet("${names[1]}", { vpcId: vpc.vpcId, zone, cidrBlock: "10.0.1.0/24", subnetName: "nodes" }, { ${options[1]} });
${more}
`;
}

async function refused(wishes: Wishes, ...args: readonly string[]): Promise<string> {
  stack.write(program(wishes));
  const before = stack.calls().length;
  const { output } = await stack.fails("preview", ...args);
  expect(stack.writesSince(before)).toEqual([]);
  return output;
}

test("a new name, and a new parent, need the alias that the preview tells", async () => {
  const { urn: vpcUrn } = await stack.resource("Vpc net");
  const { urn: subnetUrn } = await stack.resource("Subnet nodes");
  expect(await refused({ names: ["renamed", "nodes"] })).toContain(`write aliases: ["${vpcUrn}"] into the options`);
  expect(await refused({ options: ["", 'parent: new ComponentResource("acme:index:Group", "group")'] })).toContain(
    `write aliases: ["${subnetUrn}"] into the options`,
  );
  stack.write(program({ names: ["renamed", "again"], options: [`aliases: ["${vpcUrn}"]`, `aliases: ["${subnetUrn}"]`] }));
  expect(operationsOf(await stack.up())).toEqual({});
  stack.write(program({ options: ['aliases: [{ name: "renamed" }]', 'aliases: [{ name: "again" }]'] }));
  expect(operationsOf(await stack.up())).toEqual({});
});

test("a replacement by force needs deleteBeforeReplace, and replaceOnChanges does not", async () => {
  const { urn, id: before } = await stack.resource("Vpc net");
  const says = `${before}. That is this very resource, which is replaced by force, and the new one cannot stand beside the old one. Add deleteBeforeReplace: true`;
  expect(await refused({}, "--target-replace", urn)).toContain(says);
  stack.write(program({ options: ["deleteBeforeReplace: true", ""] }));
  await stack.preview("--target-replace", urn, "--target-dependents");
  await stack.up("--target-replace", urn, "--target-dependents");
  const { id: forced } = await stack.resource("Vpc net");
  expect(forced).not.toBe(before);
  stack.write(program({ vpcName: "two", options: ['replaceOnChanges: ["vpcName"]', ""] }));
  await stack.up();
  expect((await stack.resource("Vpc net")).id).not.toBe(forced);
  stack.write(program({ vpcName: "two" }));
  await stack.up("--refresh", "--expect-no-changes");
});

test("of one new VPC and one new registry, what cannot stand beside each other is refused although no id is known", async () => {
  const cidr = "10.1.1.0/24";
  const other = 'const other = new Vpc("other", { cidrBlock: "10.1.0.0/16" });';
  const part = (name: string, cidrBlock: string) => `new Subnet("${name}", { vpcId: other.vpcId, zone, cidrBlock: "${cidrBlock}" });`;
  expect(await refused({ vpcName: "two", more: [other, part("a", cidr), part("b", "10.1.0.0/23")].join("\n") })).toContain(
    '"a" and "b" of this program cannot both exist with the same vpcId',
  );
  expect(await refused({ vpcName: "two", more: [other, part("a", "10.2.0.0/24")].join("\n") })).toContain(
    'cidrBlock: 10.2.0.0/24 is not inside 10.1.0.0/16, the range of "other"',
  );
  const images = 'const { registryId } = new RegistryInstance("images", { registryName: "new-images" });';
  const team = (name: string) => `new Namespace("${name}", { registryId, namespaceName: "team", isPublic: false });`;
  expect(await refused({ vpcName: "two", more: [images, team("a"), team("b")].join("\n") })).toContain(
    '"a" and "b" of this program would be one and the same Namespace',
  );
  const text = 'new Subnet("text", { vpcId: "" + vpc.vpcId, zone, cidrBlock: "10.0.2.0/24" });';
  expect(await refused({ vpcName: "two", more: text })).toContain("vpcId: holds the text of an Output");
});

test("part of what another one leaves is for what comes after it", async () => {
  const split = (dependsOn: string) => `
const first = new Subnet("first", { vpcId: vpc.vpcId, zone, cidrBlock: "10.0.8.0/24" });
new Subnet("second", { vpcId: vpc.vpcId, zone, cidrBlock: "10.0.9.0/24" }, { ${dependsOn} });`;
  const whole = 'new Subnet("first", { vpcId: vpc.vpcId, zone, cidrBlock: "10.0.8.0/23" });';
  stack.write(program({ vpcName: "two", more: whole }));
  await stack.up();
  expect(await refused({ vpcName: "two", more: split("") })).toContain('"first" of this same stack has it');
  stack.write(program({ vpcName: "two", more: split("dependsOn: [first]") }));
  await stack.up();
  await stack.up("--refresh", "--expect-no-changes");
  await stack.destroy();
  expect(stack.leftovers()).toEqual({});
});
