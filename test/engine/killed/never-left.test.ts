import { rmSync } from "node:fs";
import { join } from "node:path";
import { describeVpcs } from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { Stack } from "../../support/stack.ts";
import { carriedOut, upKilledIn } from "../killed-runs.ts";

/** What the engine has saved once is no leftover of a killed run, although it has left the state since, and stays on the platform. */

const program = (retained: string, last: string, options = "") => `
import { Ipv6Block, RegistryInstance, SecurityGroup, Subnet, Vpc } from "@container-platform/pulumi";
const { vpcId } = new Vpc("net", { cidrBlock: "10.0.0.0/16" }, { ${options} });
const first = new Subnet("zone-1", { vpcId, cidrBlock: "10.0.1.0/24", zone: "eu-frankfurt-1" });
const second = new Subnet("zone-2", { vpcId, cidrBlock: "10.0.2.0/24", zone: "eu-frankfurt-2" });
${retained === "" ? "" : `const kept = ${retained};`}
${last}
`;
const block = 'new Ipv6Block("block", { vpcId }, { retainOnDelete: true, dependsOn: [first, second] })';
const images =
  'new RegistryInstance("images", { registryName: "team-images", deleteBucket: true }, { retainOnDelete: true, dependsOn: [first, second] })';
const last = 'new SecurityGroup("last", { groupDescription: "last" }, { dependsOn: [kept] });';

async function rangeOf(stack: Stack): Promise<string | undefined> {
  return (await stack.cloud().call(describeVpcs, {})).vpcSet[0]?.ipv6CidrBlock;
}

async function upKilledAtTheLast(stack: Stack): Promise<void> {
  await upKilledIn(stack, "CreateSecurityGroup");
  stack.faults.clear();
}

/** Takes out what is retained, then deletes something. */
async function leaves(stack: Stack): Promise<void> {
  stack.write(program("", ""));
  await stack.up();
  const { urn } = await stack.resource("Subnet zone-2");
  await stack.destroy("--target", urn);
  expect([stack.count("subnets"), stack.count("securityGroups")]).toEqual([1, 0]);
}

test("what takes no tags, was saved by a killed run, and leaves the program with retainOnDelete, stays", async () => {
  await using stack = await Stack.create({ program: program(block, last), programs: "language-host" });
  await upKilledAtTheLast(stack);
  const range = await rangeOf(stack);
  expect(range).toMatch(/::/);
  await leaves(stack);
  expect(await rangeOf(stack)).toBe(range);
});

test("what takes no tags, was saved by a killed run, and is retained when the stack is destroyed, stays", async () => {
  await using stack = await Stack.create({ program: program(block, last, "retainOnDelete: true"), programs: "language-host" });
  await upKilledAtTheLast(stack);
  const range = await rangeOf(stack);
  await stack.destroy();
  expect(stack.leftovers()).toMatchObject({ vpcs: 1 });
  expect([await rangeOf(stack), stack.count("subnets"), stack.count("securityGroups")]).toEqual([range, 0, 0]);
});

test("what takes tags, was taken over and saved by a second killed run, and leaves with retainOnDelete, stays", async () => {
  await using stack = await Stack.create({ program: program(images, last), programs: "language-host" });
  await upKilledIn(stack, "CreateInstance");
  stack.faults.clear();
  await upKilledAtTheLast(stack);
  expect(carriedOut(stack, "CreateInstance")).toBe(1);
  await leaves(stack);
  expect(stack.count("registries")).toBe(1);
});

test("what the state has begun is taken over on another machine, whose intent log is empty", async () => {
  await using stack = await Stack.create({
    program: 'import { SecurityGroup } from "@container-platform/pulumi";\nnew SecurityGroup("last", { groupDescription: "last" });\n',
    programs: "language-host",
  });
  await upKilledAtTheLast(stack);
  rmSync(join(stack.folder, ".local", "state", "container-platform"), { recursive: true });
  expect((await stack.up()).output).toMatch(/takes over sg-[0-9a-f]{8}, which was made by a run that was ended/);
  expect([carriedOut(stack, "CreateSecurityGroup"), stack.count("securityGroups")]).toEqual([1, 1]);
});
