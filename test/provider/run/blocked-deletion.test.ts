import { cidrSubnet } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import { expect, test } from "vitest";
import { markOfProvider } from "../../../provider/src/ownership/tags.ts";
import type { Deployment } from "../../support/deployment.ts";
import { providerId } from "../../support/simulated-state.ts";
import type { Props } from "../../support/structs.ts";
import { makeGrCluster, makeInstance, makePool, makeRegistry, makeSubnet, makeVpc, oneNode, retag } from "../stage/outside.ts";
import { failureOf, runsOf } from "../stage/runs.ts";
import { sharedStage } from "../stage/shared-stage.ts";

/** A deletion that is blocked by a resource that the run has not made, and does not delete. */

const stage = await sharedStage();
const { nextRun, warnings } = runsOf(stage);
const zone = "eu-frankfurt-1";
const vpcId = await makeVpc(stage, "10.8.0.0/16");
const first = await makeSubnet(stage, vpcId, "10.8.0.0/20");
const clusterId = await makeGrCluster(stage, vpcId, first);
const net = { cidrBlock: "10.9.0.0/16" };

/** A resource, and how long its deletion may take: a third of it passes before it looks what blocks it, and another before it gives up. */
const brief = (type: string, name = "example", limit = "1s") => stage.deployment(type, name, { __timeouts: { delete: limit } });

/** What the deletion says in a run that has seen nothing of the program before. */
async function failureToDelete(one: Deployment): Promise<string> {
  await nextRun();
  return failureOf(one.destroy());
}

test("a subnet made by hand in a VPC is named, with the time that is left and what to do, and the failure says the same", async () => {
  const one = brief("Vpc", "example", "8s");
  await one.up(net);
  const subnetId = await makeSubnet(stage, one.id, "10.9.1.0/24");
  const remedy = `Subnet ${subnetId} "before" still uses it, and this stack does not manage it.\n  - Delete it on the platform.\n  - Or put this resource back, import it (option import) and run \`pulumi up\`, then remove both.`;
  const failure = await failureToDelete(one);
  expect(failure).toMatch(/VPC .+ cannot be deleted while it has subnets .+ \(ResourceInUse, request .+\)\. Subnet/);
  expect(failure.slice(-remedy.length)).toBe(remedy);
  expect(failure).not.toMatch(/gave up|continues to wait/);
  expect(warnings()).toEqual([expect.stringMatching(/\nThis deletion fails in [1-7] s if nothing changes$/)]);
  expect(warnings()[0]).toContain(remedy);
  const shown = stage.host.lines.filter(({ ephemeral }) => ephemeral);
  expect(shown.some(({ message }) => message.includes(remedy.split(".\n")[0] ?? "") && /\. Gives up in [1-7] s/.test(message))).toBe(true);
  await stage.undoLast(1);
  await one.destroy();
});

test("a cluster made by hand, whose nodes block a subnet as well, ends the deletion early", async () => {
  const other = await makeVpc(stage, "10.10.0.0/16");
  const one = brief("Subnet", "example", "6s");
  await one.up({ vpcId: other, zone, cidrBlock: "10.10.0.0/20" });
  const blocking = await makeGrCluster(stage, other, one.id);
  await makePool(stage, blocking, one.id);
  expect(await failureToDelete(one)).toContain(`Cluster ${blocking}`);
  // A third of the limit. Otherwise, it would be two thirds.
  expect(warnings()).toEqual([expect.stringMatching(/\nThis deletion fails in [12] s if nothing changes$/)]);
  await stage.undoLast(1);
  await one.destroy();
  await stage.undoLast(1);
});

test("once the subnet is removed that blocks it, the deletion of a VPC goes on", async () => {
  const one = brief("Vpc", "example", "6s");
  await one.up(net);
  const subnetId = await makeSubnet(stage, one.id, "10.9.1.0/24");
  await nextRun();
  const deletion = one.destroy();
  await expect.poll(warnings).toEqual([expect.stringContaining(subnetId)]);
  await stage.undoLast(1);
  await deletion;
});

interface Blocked {
  readonly of: string;
  readonly type: string;
  readonly args: Props;
  /** Makes what blocks the deletion. Returns its id. */
  readonly by: (id: string) => Promise<string>;
  readonly says: (blocking: string) => readonly string[];
}

const blocked: readonly Blocked[] = [
  {
    of: "a VPC, by a subnet with the tag of another stack",
    type: "Vpc",
    args: net,
    by: async (id) => {
      const subnetId = await makeSubnet(stage, id, "10.9.1.0/24");
      await retag(stage, "subnet", subnetId, { "container-platform/stack": "shop/prod.01234567" });
      return subnetId;
    },
    says: (subnetId) => [
      `Subnet ${subnetId} "before" still uses it, and its ownership tags name stack prod of project shop.\n  - Remove it from the program of that stack and run \`pulumi up\` there, or \`pulumi destroy\` if that stack is not needed any more.\n  - If no stack manages it, delete it on the platform.`,
    ],
  },
  {
    of: "a subnet, by a registry that has addresses of it",
    type: "Subnet",
    args: { vpcId, cidrBlock: "10.8.16.0/24", zone },
    by: async (subnetId) => {
      const registryId = await makeRegistry(stage, "linked");
      const link = { registryId, vpcId, subnetId };
      const manage = (operation: "Create" | "Delete") => stage.cloud.call(registry.manageInternalEndpoint, { ...link, operation });
      await stage.before(
        () => manage("Create"),
        () => manage("Delete"),
      );
      return registryId;
    },
    says: (registryId) => [`RegistryInstance ${registryId} "linked" still uses it`],
  },
  {
    of: "a subnet, by a machine that may be a node of this very stack: the advice is not to delete it",
    type: "Subnet",
    args: { vpcId, cidrBlock: "10.8.16.0/24", zone },
    by: (subnetId) => makeInstance(stage, vpcId, subnetId),
    says: (machine) => [
      `${machine} still uses it. Delete it on the platform. It is not enough to remove a node from its node pool: use DeleteClusterInstances`,
    ],
  },
  {
    of: "a security group, by a pool that gives it to its nodes",
    type: "SecurityGroup",
    args: {},
    by: async (id) => {
      const none = { replicas: 0, scaling: { minReplicas: 0, maxReplicas: 0 }, instanceChargeType: "POSTPAID_BY_HOUR" as const };
      const native = { ...oneNode(first), ...none, securityGroupIds: [id] };
      const { nodePoolId } = await stage.before(
        () => stage.cloud.call(cluster.createNodePool, { clusterId, name: "user", type: "Native", native }),
        (made) => stage.cloud.call(cluster.deleteNodePool, { clusterId, nodePoolId: made.nodePoolId }),
      );
      return nodePoolId;
    },
    says: (nodePoolId) => [nodePoolId],
  },
  {
    of: "an IPv6 block, by a subnet that has a part of it",
    type: "Ipv6Block",
    args: { vpcId },
    by: async () => {
      const block = (await stage.cloud.call(vpc.describeVpcs, { vpcIds: [vpcId] })).vpcSet[0]?.ipv6CidrBlock ?? "";
      const part = { vpcId, ipv6SubnetCidrBlocks: [{ subnetId: first, ipv6SubnetCidrBlock: cidrSubnet(block, 64, 0) }] };
      await stage.before(
        () => stage.cloud.call(vpc.assignIpv6SubnetCidrBlock, part),
        () => stage.cloud.call(vpc.unassignIpv6SubnetCidrBlock, part),
      );
      return first;
    },
    says: (subnetId) => [`${subnetId} (ResourceInUse, request`],
  },
];

test.each(blocked)("the deletion of $of", async ({ type, args, by, says }) => {
  const one = brief(type);
  await one.up(args);
  const { made } = stage;
  const blocking = await by(one.id);
  const failure = await failureToDelete(one);
  expect(failure).toMatch(new RegExp(`^deleting ${type} ${one.id}: .*ResourceInUse, request .+ still uses it[^]+ on the platform`));
  for (const part of says(blocking)) expect(failure).toContain(part);
  await stage.undoLast(stage.made - made);
  await one.destroy();
});

test.each([
  ["an unmanaged resource", { team: "a" }, ", and this stack does not manage it"],
  [
    "a resource of a stack of this name in another backend",
    { "container-platform/stack": "laws/test.01234567" },
    ", and its ownership tags name another state of this stack's name, such as that of another backend.\n  - Remove it from the program of that stack",
  ],
  [
    "an orphan of this stack",
    { "container-platform/stack": `laws/test.${markOfProvider(providerId)}`, "container-platform/state": "pending" },
    ". An interrupted update of this stack created it.\n  - Delete it with `npx container-platform-import --orphans --delete`.",
  ],
])("%s that blocks the deletion of a resource that is recreated is named", async (_, tags, why) => {
  const one = brief("Vpc");
  await one.up(net);
  const made = await makeSubnet(stage, one.id, "10.9.0.0/24");
  await retag(stage, "subnet", made, tags);
  await nextRun();
  expect(await one.preview({ cidrBlock: "10.9.0.0/17" })).toBe("delete-replace");
  expect(await failureOf(one.destroy())).toContain(`Subnet ${made} "before" still uses it${why}`);
  await stage.undoLast(1);
  await one.destroy();
});

test("what this run knows, and has not seen to stay, is waited for without a warning", async () => {
  const one = brief("Vpc");
  await one.up(net);
  const inside = await stage.deployed("Subnet", { vpcId: one.id, cidrBlock: "10.9.1.0/24", zone }, "inside");
  await nextRun();
  await inside.refresh();
  expect(await failureOf(one.destroy())).toMatch(
    /The next `pulumi destroy`, or `up` without it, continues to wait; `customTimeouts` sets a longer limit \[Provider\.TimedOut\]$/,
  );
  expect(warnings()).toEqual([]);
  await inside.destroy();
  await one.destroy();
});

test("what the program has, and keeps, is named at once: it names what is deleted by its id", async () => {
  const one = brief("Vpc", "net", "6s");
  await one.up(net);
  const args = { vpcId: one.id, cidrBlock: "10.9.1.0/24", zone };
  const inside = await stage.deployed("Subnet", args, "inside");
  await nextRun();
  expect(await inside.preview(args)).toBe("nothing");
  const failure = await failureOf(one.destroy());
  expect(failure).not.toContain("gave up");
  expect(failure).toMatch(new RegExp(`VPC ${one.id} cannot be deleted while it has subnets .+ \\(ResourceInUse, request .+\\)`));
  expect(failure).toContain(
    `Subnet "inside" still uses it (vpcId: ${one.id}).\n  - Keep Vpc "net" in the program.\n  - Or change vpcId of Subnet "inside".\n  - Or remove Subnet "inside" as well.`,
  );
  await inside.destroy();
  await one.destroy();
});

test("of a kept cluster, the endpoint in a subnet blocks its deletion, unless the update may still delete that", async () => {
  const old = brief("Subnet", "old");
  await old.up({ vpcId, cidrBlock: "10.8.32.0/24", zone });
  const ofCluster = { vpcId, subnetId: first, clusterCidr: "172.20.0.0/16" };
  const platform = await stage.deployed("Cluster", ofCluster, "platform");
  const pool = await stage.deployed("NodePool", { clusterId: platform.id, native: oneNode(first) }, "pool");
  const args = { clusterId: platform.id, isExtranet: false, subnetId: old.id };
  const inside = await stage.deployed("ClusterEndpoint", args, "inside");
  await nextRun();
  expect(await platform.preview(ofCluster)).toBe("nothing");
  expect(await failureOf(old.destroy())).toMatch(/continues to wait; `customTimeouts` sets a longer limit \[Provider\.TimedOut\]$/);
  expect(await inside.preview(args)).toBe("nothing");
  expect(await failureOf(old.destroy())).toContain(`ClusterEndpoint "inside" still uses it (subnetId: ${old.id}).\n  - Keep Subnet "old"`);
  for (const one of [inside, pool, platform, old]) await one.destroy();
});

test("nodes that stay in a subnet which their pool has left are named with the pool", async () => {
  const old = brief("Subnet", "old", "6s");
  await old.up({ vpcId, cidrBlock: "10.8.16.0/24", zone });
  const pool = await stage.deployed("NodePool", { clusterId, native: oneNode(old.id) }, "workers");
  await nextRun();
  await pool.up({ clusterId, native: oneNode(first) });
  stage.host.lines.splice(0);
  const failure = await failureOf(old.destroy());
  expect(warnings()).toEqual([]);
  expect(failure).not.toContain("gave up");
  expect(failure).toMatch(
    /ins-\w+ of NodePool "workers" still uses it\. A node stays in its subnet when its pool changes subnets\. Keep Subnet "old" unchanged until these nodes are deleted: create a new pool, remove this one in a later update, and Subnet "old" after it\. Or delete the nodes first: set replicas of the pool to 0$/,
  );
  await pool.destroy();
  await old.destroy();
});

test("a NAT gateway made by hand blocks the release of its elastic IP, and a subnet the deletion of its route table", async () => {
  const [address, table] = [brief("ElasticIp", "address"), brief("RouteTable", "table")];
  await address.up({});
  await table.up({ vpcId });
  const asked = { natGatewayName: "by-hand", vpcId, publicIpAddresses: [String(address.state?.outputs["addressIp"])] };
  const [gateway] = (await stage.cloud.call(vpc.createNatGateway, asked)).natGatewaySet;
  const natGatewayId = gateway?.natGatewayId ?? "";
  const main = (await stage.cloud.call(vpc.describeSubnets, { subnetIds: [first] })).subnetSet[0]?.routeTableId ?? "";
  await stage.cloud.call(vpc.replaceRouteTableAssociation, { subnetId: first, routeTableId: table.id });
  expect(await failureToDelete(address)).toMatch(new RegExp(`is BIND \\(${natGatewayId}\\).+AddressStatusNotPermit`));
  expect(await failureToDelete(table)).toMatch(new RegExp(`while subnets use it: ${first}.+DelRouteWithSubnet`));
  await stage.cloud.call(vpc.replaceRouteTableAssociation, { subnetId: first, routeTableId: main });
  await stage.cloud.call(vpc.deleteNatGateway, { natGatewayId });
  await table.destroy();
  await address.destroy();
});
