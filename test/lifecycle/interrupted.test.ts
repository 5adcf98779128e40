import * as vpc from "@container-platform/sdk/vpc";
import { afterEach, beforeEach, expect, test } from "vitest";
import { net, network } from "./networks.ts";
import { type Declaration, type Program, Reference } from "./program.ts";
import { SimulatedStack } from "./simulated-stack.ts";

/** Orphans: resources that an interrupted update has created, and the engine has not saved. And what it has saved, which is no orphan. */

let stack: SimulatedStack;
beforeEach(async () => {
  stack = await SimulatedStack.open("in process", "3s");
});
afterEach(() => stack[Symbol.asyncDispose]());

const vpcId = new Reference("Vpc net", "vpcId");
const dependsOn = ["Subnet zone-1", "Subnet zone-2"];
const registry = (settings: object = {}, options: Partial<Declaration> = {}): Declaration => ({
  type: "RegistryInstance",
  name: "images",
  args: { registryName: "team-images", registryType: "basic", deleteBucket: true, ...settings },
  dependsOn,
  ...options,
});
const block: Declaration = { type: "Ipv6Block", name: "block", args: { vpcId }, retain: true, dependsOn };
const last = (after: string): Declaration => ({
  type: "SecurityGroup",
  name: "last",
  args: { groupDescription: "last" },
  dependsOn: [after],
});
const another: Declaration = { type: "Vpc", name: "another", args: { cidrBlock: "10.1.0.0/16" } };

async function killedAt(action: string, program: Program): Promise<void> {
  await stack.up(program, { kill: { victim: "engine", action, nth: 1 } });
  expect(await stack.exported()).toContain('"pending_operations":[{"type":"creating"');
}

const ended = "which was made by a run that was ended before it could save it";

test("the first deletion removes what interrupted updates have not saved, in order, and keeps what they have saved", async () => {
  await killedAt("CreateInstance", [...network, registry()]);
  const subnetId = new Reference("Subnet zone-1", "subnetId");
  const cluster = { type: "Cluster", name: "platform", args: { vpcId, subnetId, clusterCidr: "172.16.0.0/16" }, dependsOn };
  await killedAt("CreateCluster", [...network, cluster]);
  const notes = await stack.lines("info", async () => {
    expect(await stack.up(network.slice(0, 2))).toMatchObject({ failure: undefined });
  });
  expect(notes.toSorted()).toEqual([
    expect.stringMatching(new RegExp(`^removed cls-[0-9a-f]{8} \\(Cluster\\), ${ended}`)),
    expect.stringMatching(new RegExp(`^removed tcr-[0-9a-f]{8} \\(RegistryInstance\\), ${ended}`)),
  ]);
  expect(await stack.contents()).toMatchObject({ vpcs: 1, subnets: 1 });
  expect(Object.keys(await stack.contents())).not.toEqual(expect.arrayContaining(["clusters", "registries"]));
  await stack.destroy();
  expect(await stack.contents()).toEqual({});
});

test("where only the provider died, the engine has saved no pending creation: destroy names the orphan and deletes nothing", async () => {
  await stack.up([...network, registry()], { kill: { victim: "provider", action: "CreateInstance", nth: 1 } });
  expect(await stack.exported()).toContain('"pending_operations":[]');
  expect((await stack.destroy()).failure).toMatch(
    /^tcr-(\w{8}) \(RegistryInstance\) bears the tags of this stack, and its state does not know it: .* `npx container-platform-import --orphans --delete --id tcr-\1` removes it$/,
  );
  expect(await stack.contents()).toMatchObject({ registries: 1, subnets: 2 });
  await stack.restartProvider();
  expect(await stack.up([...network, registry()])).toMatchObject({ failure: undefined });
});

test("a preview names the orphan that the program no longer has, with one listing and no write", async () => {
  await killedAt("CreateInstance", [...network, registry()]);
  const previewed = async (program: Program) => {
    let outcome: Awaited<ReturnType<SimulatedStack["up"]>> | undefined;
    const warnings = await stack.lines("warning", async () => {
      outcome = await stack.up(program, { isPreview: true });
    });
    const listings = outcome?.calls.filter(({ action }) => action === "GetResources").length;
    const writes = outcome?.calls.filter(({ effect }) => effect === "write").length;
    return { warnings, listings, writes };
  };
  expect(await previewed([...network, registry()])).toEqual({ warnings: [], listings: 1, writes: 0 });
  const named = expect.stringMatching(
    /^tcr-\w{8} \(RegistryInstance "images"\): made by a run that was ended before it could save it\. `pulumi up` goes on with what the program still has\. The rest is removed by the next run that deletes something, or by `npx container-platform-import --orphans --delete`$/,
  );
  expect(await previewed([...network, another])).toMatchObject({ warnings: [named], writes: 0 });
  expect(await previewed(network)).toEqual({ warnings: [], listings: 0, writes: 0 });
  expect(await stack.lines("warning", () => stack.up([...network, another]))).toEqual([named]);
  expect(await stack.contents()).toMatchObject({ registries: 1 });
});

test("what the state has, and what another stack is creating, is no orphan", async () => {
  await stack.up([net]);
  const tags = Object.entries({ owner: "0123456789ab", state: "pending", stack: "ba9876543210" });
  await stack.cloud.call(vpc.createVpc, {
    vpcName: "foreign",
    cidrBlock: "10.99.0.0/16",
    tags: tags.map(([key, value]) => ({ key: `container-platform/${key}`, value })),
  });
  expect(await stack.lines("warning", () => stack.up([net, another], { isPreview: true }))).toEqual([]);
  expect(await stack.lines("warning", () => stack.up([net, another]))).toEqual([]);
});

test("a resource that was renamed after its interrupted creation is created, once the orphan that has its range is removed", async () => {
  await killedAt("CreateVpc", [net]);
  const notes = await stack.lines("info", async () => {
    expect(await stack.up([{ ...net, name: "renamed" }])).toMatchObject({ failure: undefined });
  });
  expect(notes).toEqual([expect.stringMatching(new RegExp(`^removed vpc-[0-9a-f]{8} \\(Vpc\\), ${ended}`))]);
  expect(await stack.contents()).toMatchObject({ vpcs: 1 });
});

test("a protected orphan keeps the rest from being deleted, and the message says how its protection is lifted", async () => {
  await killedAt("CreateInstance", [...network, registry({ deletionProtection: true })]);
  const { failure } = await stack.destroy();
  expect(failure).toMatch(
    /removing (tcr-[0-9a-f]{8}) \(RegistryInstance\), .*: its deletionProtection is on\. If the program still has it, set that to false there and run `pulumi up`, which goes on with it\. Otherwise switch it off on the platform, in the console or with cpcli\. After that, `npx container-platform-import --orphans --delete` removes it/,
  );
  expect(await stack.contents()).toMatchObject({ vpcs: 1, subnets: 2, registries: 1 });
  await stack.restartProvider();
  expect(await stack.up([...network, registry({ deletionProtection: false })])).toMatchObject({ failure: undefined });
  await stack.restartProvider();
  await stack.destroy();
  expect(await stack.contents()).toEqual({});
});

test("an interrupted creation with retainOnDelete is not removed with the orphans: the message names it", async () => {
  await killedAt("CreateInstance", [...network, registry({}, { retain: true })]);
  const warnings = await stack.lines("warning", async () => {
    expect(await stack.up(network.slice(0, 2))).toMatchObject({ failure: undefined });
  });
  expect(warnings).toEqual([
    expect.stringMatching(/^tcr-\w{8} \(RegistryInstance\) was begun by a run that was ended, and stays by retainOnDelete/),
  ]);
  expect(await stack.contents()).toMatchObject({ registries: 1 });
});

/** Removes the retained resource from the program, and deletes a subnet: that removes orphans. */
async function leaves(): Promise<void> {
  expect(await stack.up(network.slice(0, 2))).toMatchObject({ failure: undefined });
  await stack.restartProvider();
  expect(await stack.contents()).toMatchObject({ subnets: 1 });
  expect(await stack.contents()).not.toHaveProperty("securityGroups");
}

test("a resource without tags that an interrupted update has saved, and that leaves with retainOnDelete, stays", async () => {
  await killedAt("CreateSecurityGroup", [...network, block, last("Ipv6Block block")]);
  const range = async () => (await stack.cloud.call(vpc.describeVpcs, {})).vpcSet[0]?.ipv6CidrBlock;
  const before = await range();
  expect(before).toMatch(/::/);
  await leaves();
  expect(await range()).toBe(before);
});

test("so does one with tags that a second update has recovered and saved before it was interrupted, too", async () => {
  const program = [...network, registry({}, { retain: true }), last("RegistryInstance images")];
  await killedAt("CreateInstance", program);
  await stack.up(program, { kill: { victim: "engine", action: "CreateSecurityGroup", nth: 1 } });
  await leaves();
  expect(await stack.contents()).toMatchObject({ registries: 1 });
});

test("a forced replacement of a saved resource makes a second one, and deletes the first", async () => {
  const group: Declaration = { type: "SecurityGroup", name: "web", args: {} };
  await stack.up([group]);
  await stack.restartProvider();
  const [before] = await stack.entries();
  const { operations } = await stack.up([group], { forced: ["SecurityGroup web"] });
  expect(operations).toEqual(["create SecurityGroup web", "delete SecurityGroup web"]);
  await stack.restartProvider();
  const [after] = await stack.entries();
  expect(after?.id).not.toBe(before?.id);
  expect(await stack.contents()).toMatchObject({ securityGroups: 1 });
});
