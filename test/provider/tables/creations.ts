import * as cluster from "@container-platform/sdk/cluster";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";
import type { Props } from "../../support/structs.ts";
import { makeCluster, makeGroup, makeNamespace, makeNetwork, makePool, makeRegistry, makeVpc } from "../stage/outside.ts";
import type { Stage } from "../stage/stage.ts";

/** The creation of one resource, and how a test finds the resource without the provider. */
export interface Creation {
  readonly type: string;
  readonly args: Props;
  readonly operation: { readonly action: string };
  /** How many of the kind exist. */
  readonly count: () => Promise<number>;
}

/** One that takes tags. */
export interface TaggedCreation extends Creation {
  /** True if a second one can exist beside it; otherwise what the platform answers to that. */
  readonly beside: true | string;
  /** Its tags. */
  readonly tags: (id: string) => Promise<Props>;
}

/** One that takes no tags, and can exist only once. */
export interface KeyedCreation extends Creation {
  readonly id: string;
  /** How the sentence begins that says that it is there already. */
  readonly has: string;
  readonly byHand: () => Promise<unknown>;
  readonly undo: () => Promise<unknown>;
}

/** The kinds that take tags. */
export async function taggedCreations(stage: Stage): Promise<readonly TaggedCreation[]> {
  const { cloud } = stage;
  const rows = (table: string) => async () => (await stage.contents())[table] ?? 0;
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const [subnetId] = subnetIds;
  const clusterId = await makeCluster(stage, vpcId, subnetIds);
  const registryId = await makeRegistry(stage, "laws-before");
  const native = {
    subnetIds: [subnetId],
    instanceTypes: ["SA5.MEDIUM4"],
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    replicas: 1,
  };
  return [
    {
      type: "Vpc",
      args: { cidrBlock: "10.1.0.0/16" },
      operation: vpc.createVpc,
      count: rows("vpcs"),
      beside: "InvalidParameter.VpcCidrConflict",
      tags: async (id) => tagsIn((await cloud.call(vpc.describeVpcs, { vpcIds: [id] })).vpcSet[0]?.tagSet),
    },
    {
      type: "Subnet",
      args: { vpcId, cidrBlock: "10.0.9.0/24", zone: "eu-frankfurt-1" },
      operation: vpc.createSubnet,
      count: rows("subnets"),
      beside: "InvalidParameter.SubnetConflict",
      tags: async (id) => tagsIn((await cloud.call(vpc.describeSubnets, { subnetIds: [id] })).subnetSet[0]?.tagSet),
    },
    {
      type: "SecurityGroup",
      args: { groupName: "one" },
      operation: vpc.createSecurityGroup,
      count: rows("securityGroups"),
      beside: true,
      tags: async (id) => tagsIn((await cloud.call(vpc.describeSecurityGroups, { securityGroupIds: [id] })).securityGroupSet[0]?.tagSet),
    },
    {
      type: "Cluster",
      args: { vpcId, subnetId, eniSubnetIds: [...subnetIds] },
      operation: cluster.createCluster,
      count: rows("clusters"),
      beside: true,
      tags: async (id) =>
        tagsIn((await cloud.call(cluster.describeClusters, { clusterIds: [id] })).clusters[0]?.tagSpecification.flatMap((one) => one.tags)),
    },
    {
      type: "NodePool",
      args: { clusterId, native },
      operation: cluster.createNodePool,
      count: rows("nodePools"),
      beside: true,
      tags: async (id) => {
        const { nodePools } = await cloud.call(cluster.describeNodePools, { clusterId });
        return tagsIn(nodePools.find(({ nodePoolId }) => id.endsWith(nodePoolId))?.tags.flatMap((one) => one.tags));
      },
    },
    {
      type: "RegistryInstance",
      args: { registryName: "laws-images", deleteBucket: true },
      operation: registry.createInstance,
      count: rows("registries"),
      beside: "InvalidParameter.ErrorNameExists",
      tags: async (id) =>
        tagsIn((await cloud.call(registry.describeInstances, { registryIds: [id] })).registries[0]?.tagSpecification.tags),
    },
    {
      type: "Namespace",
      args: { registryId, namespaceName: "team", isPublic: false },
      operation: registry.createNamespace,
      count: rows("namespaces"),
      beside: `add { import: <registryId>/<namespaceName> } to this resource's options`,
      tags: async () => {
        const { namespaceList } = await cloud.call(registry.describeNamespaces, { registryId, all: true });
        return tagsIn(namespaceList.find(({ name }) => name === "team")?.tagSpecification.tags);
      },
    },
  ];
}

/** The kinds that take no tags, and whose id follows from the inputs. */
export async function keyedCreations(stage: Stage): Promise<readonly KeyedCreation[]> {
  const { cloud } = stage;
  const { vpcId, subnetIds } = await makeNetwork(stage);
  const clusterId = await makeCluster(stage, vpcId, subnetIds);
  await makePool(stage, clusterId, subnetIds[0]);
  const securityGroup = await makeGroup(stage);
  const bare = await makeVpc(stage, "10.7.0.0/16");
  const targetUin = "100000000002";
  const registryId = await makeRegistry(stage, "laws-before");
  await makeNamespace(stage, registryId, "team");
  const sourceRegistryId = await makeRegistry(stage, "laws-source");
  const filters = [{ type: "name" as const, value: "**" }];
  const web = { registryId, namespaceName: "team", repositoryName: "web" };
  const grant = { clusterId, roleName: "svc:ns:dev", roleType: "namespace" as const, namespace: "team" };
  return [
    {
      type: "Ipv6Block",
      args: { vpcId: bare },
      id: bare,
      has: `VPC ${bare} has`,
      operation: vpc.assignIpv6CidrBlock,
      count: async () => ((await cloud.call(vpc.describeVpcs, { vpcIds: [bare] })).vpcSet[0]?.ipv6CidrBlock === undefined ? 0 : 1),
      byHand: () => cloud.call(vpc.assignIpv6CidrBlock, { vpcId: bare }),
      undo: () => cloud.call(vpc.unassignIpv6CidrBlock, { vpcId: bare }),
    },
    {
      type: "ClusterEndpoint",
      args: { clusterId, isExtranet: true, securityGroup },
      id: `${clusterId}/public`,
      has: `cluster ${clusterId} has`,
      operation: cluster.createClusterEndpoint,
      count: async () => (await stage.contents())["clusterEndpoints"] ?? 0,
      byHand: () => cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup }),
      undo: () => cloud.call(cluster.deleteClusterEndpoint, { clusterId, isExtranet: true }),
    },
    {
      type: "UserPermission",
      args: { targetUin, ...grant },
      id: `${targetUin}/${clusterId}/namespace/team/svc:ns:dev`,
      has: `${targetUin} has`,
      operation: cluster.grantUserPermissions,
      count: async () => (await cloud.call(cluster.describeUserPermissions, { targetUin })).permissions.length,
      byHand: () => cloud.call(cluster.grantUserPermissions, { targetUin, permissions: [{ ...grant, isCustom: false }] }),
      undo: () => cloud.call(cluster.grantUserPermissions, { targetUin, permissions: [] }),
    },
    {
      type: "Repository",
      args: web,
      id: `${registryId}/team/web`,
      has: "namespace team has",
      operation: registry.createRepository,
      count: async () => (await stage.contents())["repositories"] ?? 0,
      // As a push does.
      byHand: () => cloud.call(registry.createRepository, web),
      undo: () => cloud.call(registry.deleteRepository, web),
    },
    {
      type: "ReplicationRule",
      args: { sourceRegistryId, ruleName: "copy", destinationRegistryId: registryId, destNamespace: "team", filters },
      id: `${sourceRegistryId}/copy`,
      has: `registry ${sourceRegistryId} has`,
      operation: registry.manageReplication,
      count: async () => (await stage.contents())["replicationRules"] ?? 0,
      byHand: () =>
        cloud.call(registry.manageReplication, {
          sourceRegistryId,
          destinationRegistryId: registryId,
          rule: { name: "copy", destNamespace: "team", filters, override: true },
        }),
      undo: () => cloud.call(registry.deleteReplicationRule, { sourceRegistryId, ruleName: "copy" }),
    },
  ];
}

function tagsIn(tags: readonly { readonly key: string; readonly value: string }[] = []): Props {
  return Object.fromEntries(tags.map(({ key, value }) => [key, value]));
}
