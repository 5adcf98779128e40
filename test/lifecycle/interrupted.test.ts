import * as vpc from "@container-platform/sdk/vpc";
import { afterEach, beforeEach, expect, test } from "vitest";
import { net, network } from "./networks.ts";
import { type Declaration, type Program, Reference } from "./program.ts";
import { deleteOrphans, destroyFollowing, orphanIdsOf, upFollowing } from "./remedies.ts";
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

test("up keeps the orphans of interrupted updates, destroy fails, and the command deletes them in order", async () => {
  await killedAt("CreateInstance", [...network, registry()]);
  const subnetId = new Reference("Subnet zone-1", "subnetId");
  const cluster = { type: "Cluster", name: "platform", args: { vpcId, subnetId, clusterCidr: "172.16.0.0/16" }, dependsOn };
  await killedAt("CreateCluster", [...network, cluster]);
  expect(await stack.up(network.slice(0, 2))).toMatchObject({ failure: undefined });
  await stack.restartProvider();
  const { failure } = await stack.destroy();
  expect(failure).toMatch(
    /^nothing was deleted: an interrupted update .+\n {2}- cls-\w{8} \(Cluster "platform"\): delete it with `[^`]+`\.\n {2}- tcr-\w{8} \(RegistryInstance "images"\): delete it with `[^`]+`\.\nThen run this again$/,
  );
  expect(await stack.contents()).toMatchObject({ vpcs: 1, subnets: 1, clusters: 1, registries: 1 });
  const [ofCluster, ofRegistry] = [expect.stringMatching(/^cls-/), expect.stringMatching(/^tcr-/)];
  // A type may be contained in the types before it.
  expect(await orphanIdsOf(stack)).toEqual([ofRegistry, ofCluster]);
  await stack.restartProvider();
  const { remedies } = await destroyFollowing(stack);
  expect(remedies).toEqual([ofCluster, ofRegistry]);
  expect(await stack.contents()).toEqual({});
});

test("a preview and an up name the orphan that the program no longer has, with one listing", async () => {
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
    /^an interrupted update created resources that are neither .+\n {2}- tcr-\w{8} \(RegistryInstance "images"\): delete it with `[^`]+`\.$/,
  );
  expect(await previewed([...network, another])).toEqual({ warnings: [named], listings: 1, writes: 0 });
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

test("a resource that was renamed after its interrupted creation is created, once the orphan that has its range is deleted", async () => {
  await killedAt("CreateVpc", [net]);
  const renamed = [{ ...net, name: "renamed" }];
  expect((await stack.up(renamed)).failure).toMatch(
    /of (vpc-\w{8}), which an interrupted update created\. \[Provider\.Orphan\]\n {2}- To delete it, run `[^`]+`\.\n {2}- To keep it as this resource, add \{ import: "\1" \}/,
  );
  expect(await deleteOrphans(stack)).toHaveLength(1);
  await stack.restartProvider();
  expect(await stack.up(renamed)).toMatchObject({ failure: undefined });
  expect(await stack.contents()).toMatchObject({ vpcs: 1 });
});

test("a protected orphan is not deleted, and the next up without the protection recovers it", async () => {
  await killedAt("CreateInstance", [...network, registry({ deletionProtection: true })]);
  await expect(deleteOrphans(stack)).rejects.toThrow(
    "deletionProtection is on.\n  - If the program declares it, set deletionProtection to false and run `pulumi up`.",
  );
  expect(await stack.contents()).toMatchObject({ vpcs: 1, subnets: 2, registries: 1 });
  expect(await stack.up([...network, registry({ deletionProtection: false })])).toMatchObject({ failure: undefined });
  await stack.restartProvider();
  await stack.destroy();
  expect(await stack.contents()).toEqual({});
});

test("an interrupted creation with retainOnDelete is deleted only by its ID", async () => {
  await killedAt("CreateInstance", [...network, registry({}, { retain: true })]);
  const { failure = "" } = await stack.destroy();
  expect(failure).toMatch(/- (tcr-\w{8}) \(RegistryInstance "images"\): delete it with `[^`]+ --id \1`; to keep it/);
  await stack.restartProvider();
  expect(await deleteOrphans(stack)).toEqual([]);
  expect(await destroyFollowing(stack)).toMatchObject({ failure: undefined, remedies: [expect.stringMatching(/^tcr-/)] });
});

/** Removes the retained resource from the program, and deletes the other orphan. */
async function leaves(): Promise<void> {
  expect(await stack.up(network)).toMatchObject({ failure: undefined });
  await stack.restartProvider();
  expect(await deleteOrphans(stack)).toEqual([expect.stringMatching(/^sg-/)]);
}

test("a resource without tags that an interrupted update has saved, and that leaves with retainOnDelete, stays", async () => {
  await killedAt("CreateSecurityGroup", [...network, block, last("Ipv6Block block")]);
  const range = async () => (await stack.cloud.call(vpc.describeVpcs, {})).vpcSet[0]?.ipv6CidrBlock;
  const before = await range();
  expect(before).toMatch(/::/);
  await leaves();
  expect(await range()).toBe(before);
});

test("so does one with tags that a second update has recovered and saved before it was interrupted", async () => {
  const program = [...network, registry({}, { retain: true }), last("RegistryInstance images")];
  await killedAt("CreateInstance", program);
  await stack.up(program, { kill: { victim: "engine", action: "CreateSecurityGroup", nth: 1 } });
  await leaves();
  expect(await stack.contents()).toMatchObject({ registries: 1 });
});

test("where only the provider died in the replacement of a rule that keeps its ID, the printed line lets the next up succeed", async () => {
  const registryNamed = (name: string): Declaration => ({
    type: "RegistryInstance",
    name,
    args: { registryName: `acme-${name}`, registryType: "premium", deleteBucket: true },
  });
  const idOf = (name: string) => new Reference(`RegistryInstance ${name}`, "registryId");
  const team = (name: string): Declaration => ({
    type: "Namespace",
    name,
    args: { registryId: idOf(name), namespaceName: "team", isPublic: false },
  });
  const to = (name: string): Declaration => ({
    type: "ReplicationRule",
    name: "copy",
    args: {
      sourceRegistryId: idOf("from"),
      ruleName: "copy",
      destinationRegistryId: idOf(name),
      destNamespace: "team",
      filters: [{ type: "tag" }],
    },
    dependsOn: [`Namespace ${name}`],
  });
  const registries = [...["from", "near", "far"].map(registryNamed), team("near"), team("far")];
  await stack.up([...registries, to("near")]);
  await stack.restartProvider();
  await stack.up([...registries, to("far")], { kill: { victim: "provider", action: "ManageReplication", nth: 1 } });
  const { failure, remedies } = await upFollowing(stack, [...registries, to("far")]);
  expect([failure, remedies.length]).toEqual([undefined, 1]);
});
