import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import * as tag from "@container-platform/sdk/tag";
import { cidrSubnet, resourceKinds, resourceName } from "@container-platform/sdk";
import { putInstance, putKeyPair, putRole } from "@container-platform/sdk/local";
import type * as z from "@container-platform/sdk/zod";
import { nativeIn } from "../../../sdk/src/local/cluster/native.fixture.ts";
import { region, type Stage } from "./stage.ts";

/** Resources that a test needs besides its own, made with calls instead of Pulumi. The stage deletes them at the end: `stage.before`. */

export function makeVpc(stage: Stage, cidrBlock: string): Promise<string> {
  return stage.before(
    async () => (await stage.cloud.call(vpc.createVpc, { vpcName: "before", cidrBlock })).vpc.vpcId,
    (vpcId) => stage.cloud.call(vpc.deleteVpc, { vpcId }),
  );
}

/** The IPv6 block of a VPC. Returns its range. */
export function makeBlock(stage: Stage, vpcId: string): Promise<string> {
  return stage.before(
    async () => (await stage.cloud.call(vpc.assignIpv6CidrBlock, { vpcId })).ipv6CidrBlock,
    () => stage.cloud.call(vpc.unassignIpv6CidrBlock, { vpcId }),
  );
}

export function makeSubnet(stage: Stage, vpcId: string, cidrBlock: string, zone: 1 | 2 | 3 = 1): Promise<string> {
  const asked = { vpcId, subnetName: "before", cidrBlock, zone: `${region}-${zone}` };
  return stage.before(
    async () => (await stage.cloud.call(vpc.createSubnet, asked)).subnet.subnetId,
    (subnetId) => stage.cloud.call(vpc.deleteSubnet, { subnetId }),
  );
}

/** A VPC with the range 10.0.0.0/16, and three subnets in three zones, each with a /64. `subnetId`: the first. */
export async function makeNetwork(stage: Stage): Promise<{ vpcId: string; subnetId: string; subnetIds: [string, string, string] }> {
  const vpcId = await makeVpc(stage, "10.0.0.0/16");
  const block = await makeBlock(stage, vpcId);
  const subnetIds: [string, string, string] = [
    await makeSubnet(stage, vpcId, "10.0.1.0/24", 1),
    await makeSubnet(stage, vpcId, "10.0.2.0/24", 2),
    await makeSubnet(stage, vpcId, "10.0.3.0/24", 3),
  ];
  const ipv6SubnetCidrBlocks = subnetIds.map((subnetId, index) => ({ subnetId, ipv6SubnetCidrBlock: cidrSubnet(block, 64, index) }));
  await stage.cloud.call(vpc.assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks });
  return { vpcId, subnetId: subnetIds[0], subnetIds };
}

export function makeGroup(stage: Stage): Promise<string> {
  return stage.before(
    async () =>
      (await stage.cloud.call(vpc.createSecurityGroup, { groupName: "before", groupDescription: "" })).securityGroup.securityGroupId,
    (securityGroupId) => stage.cloud.call(vpc.deleteSecurityGroup, { securityGroupId }),
  );
}

/** A route table that is not the VPC's own. */
export function makeRouteTable(stage: Stage, vpcId: string): Promise<string> {
  return stage.before(
    async () => (await stage.cloud.call(vpc.createRouteTable, { vpcId, routeTableName: "before" })).routeTable.routeTableId,
    (routeTableId) => stage.cloud.call(vpc.deleteRouteTable, { routeTableId }),
  );
}

/** An elastic IP, as NAT gateways take them. Returns its address. */
export async function makeAddress(stage: Stage, asked: Parameters<typeof allocated>[1] = {}): Promise<string> {
  const addressId = await stage.before(
    () => allocated(stage, asked),
    (id) => stage.cloud.call(vpc.releaseAddresses, { addressIds: [id] }),
  );
  return (await stage.cloud.call(vpc.describeAddresses, { addressIds: [addressId] })).addressSet[0]?.addressIp ?? "";
}

async function allocated({ cloud }: Stage, asked: z.input<(typeof vpc.allocateAddresses)["input"]>): Promise<string> {
  return (await cloud.call(vpc.allocateAddresses, asked)).addressSet[0] ?? "";
}

/** A NAT gateway with an elastic IP of its own. */
export async function makeGateway(stage: Stage, vpcId: string): Promise<string> {
  const asked = { vpcId, natGatewayName: "before", publicIpAddresses: [await makeAddress(stage)] };
  return stage.before(
    async () => (await stage.cloud.call(vpc.createNatGateway, asked)).natGatewaySet[0]?.natGatewayId ?? "",
    (natGatewayId) => stage.cloud.call(vpc.deleteNatGateway, { natGatewayId }),
  );
}

export function makeKeyPair(stage: Stage): Promise<string> {
  return stage.before(
    () => putKeyPair(stage.world, { region, name: "before" }),
    (id) => removeRow(stage, "keyPairs", id),
  );
}

export function makeInstance(stage: Stage, vpcId: string, subnetId: string): Promise<string> {
  return stage.before(
    () => putInstance(stage.world, { region, vpcId, subnetId, imageId: "img-custom01", ipv6: true }),
    async (id) => {
      await removeRow(stage, "instances", id);
      stage.world.prepare("DELETE FROM attachments WHERE data ->> '$.owner' = ?").run(id);
    },
  );
}

/** Deletes a row of the world, where the platform has no operation that does it. */
function removeRow({ world }: Stage, table: "instances" | "keyPairs", id: string): Promise<void> {
  return world.transaction(() => {
    world.prepare(`DELETE FROM "${table}" WHERE id = ?`).run(id);
  });
}

/** Changes tags behind the program's back: sets those with a value, and removes those that are `undefined`. */
export function retag(
  { cloud, world }: Stage,
  kind: keyof typeof resourceKinds,
  id: string,
  tags: Readonly<Record<string, string | undefined>>,
): Promise<unknown> {
  return cloud.call(tag.modifyResourceTags, {
    resource: resourceName({ ...resourceKinds[kind], region, account: world.account, id }),
    replaceTags: Object.entries(tags).flatMap(([tagKey, tagValue]) => (tagValue === undefined ? [] : [{ tagKey, tagValue }])),
    deleteTags: Object.entries(tags).flatMap(([tagKey, tagValue]) => (tagValue === undefined ? [{ tagKey }] : [])),
  });
}

/** Changes a row of the world, where the platform has no operation that does it. `parts`: the new values by their paths in the row. */
export function alter({ world }: Stage, table: string, id: string, parts: Readonly<Record<string, unknown>>): Promise<void> {
  return world.transaction(() => {
    for (const [path, value] of Object.entries(parts))
      world.prepare(`UPDATE "${table}" SET data = json_set(data, ?, json(?)) WHERE id = ?`).run(`$.${path}`, JSON.stringify(value), id);
  });
}

/** A cluster without nodes. */
export function makeClusterWith(stage: Stage, asked: z.input<(typeof cluster.createCluster)["input"]>): Promise<string> {
  return stage.before(
    async () => (await stage.cloud.call(cluster.createCluster, asked)).clusterId,
    (clusterId) => stage.cloud.call(cluster.deleteCluster, { clusterId, instanceDeleteMode: "terminate" }),
  );
}

/** A dual-stack cluster without nodes. Its pods have addresses of the given subnets. */
export function makeCluster(stage: Stage, vpcId: string, subnetIds: readonly [string, ...string[]]): Promise<string> {
  return makeClusterWith(stage, {
    clusterCidrSettings: { eniSubnetIds: [...subnetIds] },
    clusterBasicSettings: { clusterName: "before", vpcId, subnetId: subnetIds[0] },
    clusterAdvancedSettings: { networkType: "VPC-CNI", isDualStack: true },
  });
}

/** A cluster without nodes whose pods have a range of their own. */
export function makeGrCluster(stage: Stage, vpcId: string, subnetId: string, clusterCidr = "172.16.0.0/16"): Promise<string> {
  return makeClusterWith(stage, { vpcId, subnetId, clusterCidrSettings: { clusterCidr } });
}

/** The settings of a pool's nodes, in a program: one small node. */
export function oneNode<SubnetId>(subnetId: SubnetId) {
  return {
    subnetIds: [subnetId],
    instanceTypes: ["SA5.MEDIUM4"],
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    replicas: 1,
  };
}

/** A pool with one running node. It goes with its cluster. */
export async function makePool({ cloud }: Stage, clusterId: string, subnetId: string): Promise<string> {
  const native = { ...nativeIn(subnetId), scaling: { minReplicas: 1, maxReplicas: 1 } };
  return (await cloud.call(cluster.createNodePool, { clusterId, name: "before", type: "Native", native })).nodePoolId;
}

/** A premium registry: rules of others cannot copy to another region. Its bucket is deleted with it. */
export function makeRegistry(stage: Stage, registryName: string, cloud = stage.cloud): Promise<string> {
  return stage.before(
    async () => (await cloud.call(registry.createInstance, { registryName, registryType: "premium" })).registryId,
    (registryId) => cloud.call(registry.deleteInstance, { registryId, deleteBucket: true }),
  );
}

/** A namespace of a registry. A test has to empty it again before the stage deletes it. */
export async function makeNamespace(stage: Stage, registryId: string, namespaceName: string, cloud = stage.cloud): Promise<void> {
  await stage.before(
    () => cloud.call(registry.createNamespace, { registryId, namespaceName, isPublic: false }),
    () => cloud.call(registry.deleteNamespace, { registryId, namespaceName }),
  );
}

/** A ClusterRole, or with a namespace a Role in it. It goes with its cluster. */
export function makeRole({ world }: Stage, clusterId: string, name: string, namespace?: string): Promise<unknown> {
  return putRole(world, { region, clusterId, name, ...(namespace !== undefined && { namespace }) });
}
