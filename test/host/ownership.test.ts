import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as tag from "@container-platform/sdk/tag";
import * as vpc from "@container-platform/sdk/vpc";
import { afterAll, afterEach, expect, test } from "vitest";
import { severities } from "../support/host.ts";
import type { Props } from "../support/structs.ts";
import { makeCluster, makeGroup, makeNetwork, makePool, makeRegistry, makeVpc } from "./outside.ts";
import { Stage } from "./stage.ts";

/** Whoever is killed in the middle of a creation, there is one thing in the end. A thing that the engine has saved is left alone. */

const stage = await Stage.open();
afterAll(() => stage[Symbol.asyncDispose]());
afterEach(() => stage.world.setPace("instant"));

const { vpcId, subnetIds } = await makeNetwork(stage);
const [subnetId] = subnetIds;
const groupId = await makeGroup(stage);
const clusterId = await makeCluster(stage, vpcId, subnetIds);
await makePool(stage, clusterId, subnetId);
const registryId = await makeRegistry(stage, "laws-before");
const bare = await makeVpc(stage, "10.7.0.0/16");
const targetUin = "100000000002";

interface Case {
  readonly type: string;
  readonly args: Props;
  readonly operation: { readonly action: string };
  /** How many there are. */
  readonly count: () => Promise<number>;
}

const rows = (table: string) => async () => (await stage.contents())[table] ?? 0;
const disk = { diskType: "CLOUD_PREMIUM", diskSize: 50 };

/** What is made with a tag; `beside`: a second one can stand beside the first, or else what the platform says to it. */
const tagged: readonly (Case & { readonly beside: true | string; readonly marks: (id: string) => Promise<Props> })[] = [
  {
    type: "Vpc",
    args: { cidrBlock: "10.1.0.0/16" },
    operation: vpc.createVpc,
    count: rows("vpcs"),
    beside: "InvalidParameter.VpcCidrConflict",
    marks: async (id) => tagsIn((await stage.cloud.call(vpc.describeVpcs, { vpcIds: [id] })).vpcSet[0]?.tagSet),
  },
  {
    type: "Subnet",
    args: { vpcId, cidrBlock: "10.0.9.0/24", zone: "eu-frankfurt-1" },
    operation: vpc.createSubnet,
    count: rows("subnets"),
    beside: "InvalidParameter.SubnetConflict",
    marks: async (id) => tagsIn((await stage.cloud.call(vpc.describeSubnets, { subnetIds: [id] })).subnetSet[0]?.tagSet),
  },
  {
    type: "SecurityGroup",
    args: { groupName: "one" },
    operation: vpc.createSecurityGroup,
    count: rows("securityGroups"),
    beside: true,
    marks: async (id) =>
      tagsIn((await stage.cloud.call(vpc.describeSecurityGroups, { securityGroupIds: [id] })).securityGroupSet[0]?.tagSet),
  },
  {
    type: "Cluster",
    args: { vpcId, subnetId, eniSubnetIds: [...subnetIds] },
    operation: cluster.createCluster,
    count: rows("clusters"),
    beside: true,
    marks: async (id) =>
      tagsIn((await stage.cloud.call(cluster.describeClusters, { clusterIds: [id] })).clusters[0]?.tagSpecification.flatMap((one) => one.tags)),
  },
  {
    type: "NodePool",
    args: { clusterId, native: { subnetIds: [subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: disk, replicas: 1 } },
    operation: cluster.createNodePool,
    count: rows("nodePools"),
    beside: true,
    marks: async (id) => {
      const { nodePools } = await stage.cloud.call(cluster.describeNodePools, { clusterId });
      return tagsIn(nodePools.find(({ nodePoolId }) => id.endsWith(nodePoolId))?.tags.flatMap((one) => one.tags));
    },
  },
  {
    type: "RegistryInstance",
    args: { registryName: "laws-images", deleteBucket: true },
    operation: registry.createInstance,
    count: rows("registries"),
    beside: "InvalidParameter.ErrorNameExists",
    marks: async (id) =>
      tagsIn((await stage.cloud.call(registry.describeInstances, { registryIds: [id] })).registries[0]?.tagSpecification.tags),
  },
  {
    type: "Namespace",
    args: { registryId, namespaceName: "team", isPublic: false },
    operation: registry.createNamespace,
    count: rows("namespaces"),
    beside: `add { import: <registryId>/<namespaceName> } to this resource's options`,
    marks: async () => {
      const { namespaceList } = await stage.cloud.call(registry.describeNamespaces, { registryId, all: true });
      return tagsIn(namespaceList.find(({ name }) => name === "team")?.tagSpecification.tags);
    },
  },
];

/** What takes no tags, and can be there once only. */
const keyed: readonly (Case & { readonly byHand: () => Promise<unknown>; readonly undo: () => Promise<unknown> })[] = [
  {
    type: "Ipv6Block",
    args: { vpcId: bare },
    operation: vpc.assignIpv6CidrBlock,
    count: async () => ((await stage.cloud.call(vpc.describeVpcs, { vpcIds: [bare] })).vpcSet[0]?.ipv6CidrBlock === undefined ? 0 : 1),
    byHand: () => stage.cloud.call(vpc.assignIpv6CidrBlock, { vpcId: bare }),
    undo: () => stage.cloud.call(vpc.unassignIpv6CidrBlock, { vpcId: bare }),
  },
  {
    type: "ClusterEndpoint",
    args: { clusterId, isExtranet: true, securityGroup: groupId },
    operation: cluster.createClusterEndpoint,
    count: rows("clusterEndpoints"),
    byHand: () => stage.cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup: groupId }),
    undo: () => stage.cloud.call(cluster.deleteClusterEndpoint, { clusterId, isExtranet: true }),
  },
  {
    type: "UserPermission",
    args: { targetUin, clusterId, roleName: "svc:ns:dev", roleType: "namespace", namespace: "team" },
    operation: cluster.grantUserPermissions,
    count: async () => (await stage.cloud.call(cluster.describeUserPermissions, { targetUin })).permissions.length,
    byHand: () => stage.cloud.call(cluster.grantUserPermissions, { targetUin, permissions: [grant] }),
    undo: () => stage.cloud.call(cluster.grantUserPermissions, { targetUin, permissions: [] }),
  },
];
const grant = { clusterId, roleName: "svc:ns:dev", roleType: "namespace" as const, namespace: "team", isCustom: false };

function tagsIn(tags: readonly { readonly key: string; readonly value: string }[] = []): Props {
  return Object.fromEntries(tags.map(({ key, value }) => [key, value]));
}

/** What the provider has said of a thing since a moment. */
function said(since: number, severity: number): readonly string[] {
  return stage.host.lines
    .slice(since)
    .flatMap((line) => (line.severity === severity && !line.ephemeral ? [line.message] : []));
}

/** Begins to make a thing, and kills the provider once the platform has made it, and before the answer comes. */
async function killedInCreation({ type, args, operation, count }: Case): Promise<void> {
  const before = await count();
  stage.faults.add({ operation: { action: operation.action }, delay: 120_000 });
  const outcome = stage.deployment(type).up(args).catch((error: unknown) => error);
  await expect.poll(count, { timeout: 20_000 }).toBe(before + 1);
  await stage.host.restart("SIGKILL");
  expect(await outcome).toBeInstanceOf(Error);
}

const takenOver = /^takes over \S+, which was made by a run that was ended before it could save it$/;

test.each([...tagged, ...keyed])("$type: killed between the deed and the answer, it is taken over by the next up, which says so", async (one) => {
  const before = await one.count();
  await killedInCreation(one);
  const seen = stage.host.lines.length;
  await using again = stage.deployment(one.type);
  const writes = await stage.writes(() => again.up(one.args));
  expect(writes).not.toContain(one.operation.action);
  expect(await one.count()).toBe(before + 1);
  await expect.poll(() => said(seen, severities.info)).toEqual([expect.stringMatching(takenOver)]);
  expect(await again.preview(one.args)).toBe("nothing");
  await again.refresh();
  expect(await again.preview(one.args)).toBe("nothing");
  await stage.host.restart("SIGINT");
  await again.destroy();
  expect(await one.count()).toBe(before);
});

test.each([...tagged, ...keyed])("$type: answered, but the engine was killed before it could save it: taken over as well", async (one) => {
  const lost = stage.deployment(one.type);
  await lost.up(one.args);
  await stage.host.restart("SIGKILL");
  await using again = stage.deployment(one.type);
  expect(await stage.writes(() => again.up(one.args))).toEqual([]);
  expect(again.id).toBe(lost.id);
  await stage.host.restart("SIGINT");
});

test.each(tagged)("$type: the answer was lost, and the same process is asked again", async (one) => {
  const before = await one.count();
  stage.faults.add({ operation: { action: one.operation.action }, when: "after" });
  await expect(stage.deployment(one.type).up(one.args)).rejects.toThrow("ConnectionLost");
  await using again = stage.deployment(one.type);
  expect(await stage.writes(() => again.up(one.args))).toEqual([]);
  expect(await one.count()).toBe(before + 1);
  await stage.host.restart("SIGINT");
});

test.each(tagged)("$type: once the engine has saved it, a creation without a comparison before makes a second one", async (one) => {
  await using saved = stage.deployment(one.type);
  await saved.up(one.args);
  expect(await one.marks(saved.id)).toMatchObject({ "container-platform/state": "pending" });
  await stage.host.restart("SIGINT");
  expect(await one.marks(saved.id)).toMatchObject({ "container-platform/state": "confirmed" });
  await using forced = stage.deployment(one.type);
  if (one.beside === true) {
    await forced.up(one.args);
    expect(forced.id).not.toBe(saved.id);
  } else await expect(forced.up(one.args)).rejects.toThrow(one.beside);
});

test.each(tagged)("$type: the provider's tags stay when others change, and no input shows them", async (one) => {
  await using thing = stage.deployment(one.type);
  const own = { "container-platform/owner": expect.stringMatching(/^[0-9a-f]{12}$/) as string };
  for (const tags of [{ team: "a" }, { stage: "test", team: "b" }, undefined, { team: "c" }]) {
    await thing.up({ ...one.args, tags });
    expect(await one.marks(thing.id)).toEqual({ ...tags, ...own, "container-platform/state": expect.any(String) as string });
    await stage.host.restart("SIGINT");
    await thing.refresh();
    expect(thing.state?.inputs["tags"]).toEqual(tags);
    expect(JSON.stringify(thing.state)).not.toContain("container-platform/owner");
    expect(await thing.preview({ ...one.args, tags })).toBe("nothing");
    expect(await one.marks(thing.id)).toEqual({ ...tags, ...own, "container-platform/state": "confirmed" });
  }
});

test.each(keyed)("$type: one that somebody else has made is left alone, and the error says how to import it", async (one) => {
  await one.byHand();
  const calls = await stage.writes(async () => {
    await expect(stage.deployment(one.type).up(one.args)).rejects.toThrow(
      /^creating \w+: (\S+) is there already, and was not made by this resource: to take it over, add \{ import: "\1" \} to its options$/,
    );
  });
  expect(calls).toEqual([]);
  expect(await one.count()).toBe(1);
  await one.undo();
});

test.each(keyed)("$type: one that the engine has saved is not made again, nor taken over", async (one) => {
  await using saved = stage.deployment(one.type);
  await saved.up(one.args);
  await stage.host.restart("SIGINT");
  await expect(stage.deployment(one.type).up(one.args)).rejects.toThrow("is there already, and was not made by this resource");
});

test.each(keyed)("$type: a creation that was refused leaves nothing to take over", async (one) => {
  stage.faults.add({ operation: { action: one.operation.action }, when: "before", code: "InvalidParameter", reason: "not this one" });
  await expect(stage.deployment(one.type).up(one.args)).rejects.toThrow("not this one");
  await one.byHand();
  await expect(stage.deployment(one.type).up(one.args)).rejects.toThrow("was not made by this resource");
  await one.undo();
});

test("what has just been taken over is not deleted, and a warning says so", async () => {
  const [one] = tagged;
  if (!one) throw new Error("there is no case");
  await stage.deployment(one.type).up(one.args);
  await stage.host.restart("SIGKILL");
  const again = stage.deployment(one.type);
  await again.up(one.args);
  const { id, state } = again;
  const seen = stage.host.lines.length;
  expect(await stage.calls(() => stage.host.delete(id, state?.outputs ?? {}))).toEqual([]);
  await expect
    .poll(() => said(seen, severities.warning))
    .toEqual([`${id} was taken over in this same run and is therefore not deleted: run \`pulumi up\` again`]);
  await stage.host.restart("SIGINT");
  await again.destroy();
});

test("what was left behind and cannot become what is wished stays, and a warning names it", async () => {
  const lost = stage.deployment("Vpc");
  await lost.up({ cidrBlock: "10.1.0.0/16" });
  await stage.host.restart("SIGKILL");
  const seen = stage.host.lines.length;
  await using other = stage.deployment("Vpc");
  expect(await stage.writes(() => other.up({ cidrBlock: "10.2.0.0/16" }))).toEqual(["CreateVpc"]);
  await expect
    .poll(() => said(seen, severities.warning))
    .toEqual([
      `${lost.id} was made by a run that was ended before it could save it, and cannot be taken over, because cidrBlock cannot be changed on it: delete this Vpc if nobody needs it`,
    ]);
  await lost.destroy();
});

test("a cluster that is still being made is taken over, and waited for", async () => {
  stage.world.setPace("realistic");
  const one = tagged.find(({ type }) => type === "Cluster");
  if (!one) throw new Error("there is no case");
  await killedInCreation(one);
  await using again = stage.deployment("Cluster");
  const seen = stage.host.lines.length;
  const made = again.up(one.args);
  await expect.poll(() => stage.host.lines.slice(seen).map(({ message }) => message)).toContain("Creating");
  stage.world.advance(600_000);
  expect(await stage.writes(() => made)).toEqual([]);
  stage.world.setPace("instant");
  await stage.host.restart("SIGINT");
});

test("a run of many creations looks once for what was left, and confirms fifty things with a call", async () => {
  const subnets = Array.from({ length: 60 }, (_, index) => stage.deployment("Subnet", `many-${index}`));
  const args = (index: number) => ({ vpcId: bare, cidrBlock: `10.7.${index}.0/24`, zone: "eu-frankfurt-1" });
  await stage.host.restart();
  const calls = await stage.calls(async () => {
    await Promise.all(subnets.map((one, index) => one.up(args(index))));
    await stage.host.restart("SIGINT");
  });
  const count = (action: string) => calls.filter((call) => call.action === action).length;
  expect([count("CreateSubnet"), count("GetResources"), count("AttachResourcesTag"), count("ModifyResourceTags")]).toEqual([60, 1, 2, 0]);
  // A run that only looks writes nothing, whatever it sees.
  await subnets[0]?.destroy();
  await subnets[0]?.up(args(0));
  await stage.host.restart("SIGKILL");
  const looking = await stage.writes(async () => {
    await subnets[0]?.refresh();
    expect(await subnets[0]?.preview(args(0))).toBe("nothing");
    await stage.host.restart("SIGINT");
  });
  expect(looking).toEqual([]);
  await Promise.all(subnets.map((one) => one.destroy()));
});

test("who may not look for what was left is warned, and makes what is new", async () => {
  stage.faults.add({ operation: tag.getResources, when: "before", code: "UnauthorizedOperation.AccessMgmtNoAuth", reason: "no permission" });
  await stage.host.restart();
  const seen = stage.host.lines.length;
  await using one = stage.deployment("SecurityGroup");
  await one.up({ groupName: "one" });
  await expect
    .poll(() => said(seen, severities.warning))
    .toEqual([
      "what a killed run left behind cannot be found, and would be made a second time: no permission (GetResources: UnauthorizedOperation.AccessMgmtNoAuth)",
    ]);
});

test("nothing is left of all this", async () => {
  await stage.undoAll();
  expect(await stage.contents()).toEqual({});
  expect(stage.host.printed).toEqual([]);
});
