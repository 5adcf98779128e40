import { carve, type Cloud } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { putInstance, type World } from "@container-platform/sdk/local";
import * as registry from "@container-platform/sdk/registry";
import * as vpc from "@container-platform/sdk/vpc";

/** How many resources a site has. */
export const sizeOfSite = 23;

interface Place {
  readonly cloud: Cloud;
  readonly world: World;
}

/** Makes a site with calls alone, as people without a program do: a network, a cluster and a registry, each with all that belongs to it. */
export async function makeSite(place: Place, index: number): Promise<void> {
  const network = await makeNetwork(place, index);
  await makeCluster(place, index, network);
  await makeRegistry(place, index, network);
}

interface Network {
  readonly vpcId: string;
  readonly subnetIds: readonly [string, string, string];
  readonly nodes: string;
  readonly access: string;
}

/** A VPC, its block, three subnets, two groups of which the second lets in the first. */
async function makeNetwork({ cloud }: Place, index: number): Promise<Network> {
  const tags = [
    { key: "site", value: `${index}` },
    { key: "acme.example/team", value: "platform" },
  ];
  const dns = index % 2 === 0 ? {} : { dnsServers: ["10.0.0.2", "10.0.0.3"] };
  const { vpcId } = (await cloud.call(vpc.createVpc, { vpcName: `site ${index}`, cidrBlock: `10.${index}.0.0/16`, tags, ...dns })).vpc;
  const { ipv6CidrBlock } = await cloud.call(vpc.assignIpv6CidrBlock, { vpcId });
  const subnet = async (number: 1 | 2 | 3) => {
    const asked = { vpcId, subnetName: `zone-${number}`, cidrBlock: `10.${index}.${number}.0/24`, zone: `eu-frankfurt-${number}`, tags };
    const { subnetId } = (await cloud.call(vpc.createSubnet, asked)).subnet;
    const ipv6SubnetCidrBlocks = [{ subnetId, ipv6SubnetCidrBlock: carve(ipv6CidrBlock, 64, number) }];
    await cloud.call(vpc.assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks });
    return subnetId;
  };
  const subnetIds = [await subnet(1), await subnet(2), await subnet(3)] as const;
  const group = async (groupName: string, groupDescription: string) =>
    (await cloud.call(vpc.createSecurityGroup, { groupName, groupDescription })).securityGroup.securityGroupId;
  const nodes = await group(`nodes-${index}`, "Managed by Pulumi");
  const access = await group("access", 'Called "the door", 7.5" wide');
  const rules = (securityGroupId: string, direction: "ingress" | "egress", policies: readonly Record<string, unknown>[]) =>
    cloud.call(vpc.createSecurityGroupPolicies, { securityGroupId, securityGroupPolicySet: { [direction]: policies } });
  await rules(nodes, "ingress", [
    { protocol: "ALL", securityGroupId: nodes, action: "ACCEPT" },
    { protocol: "TCP", port: "443,8443", securityGroupId: access, action: "ACCEPT", policyDescription: "It's the door" },
  ]);
  await rules(nodes, "egress", [{ protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT" }]);
  await rules(access, "ingress", [{ protocol: "TCP", port: "ALL", securityGroupId: nodes, action: "ACCEPT" }]);
  return { vpcId, subnetIds, nodes, access };
}

/** A cluster, a pool, both endpoints, two permissions; every other cluster is dual-stack, and has a machine of its own besides. */
async function makeCluster({ cloud, world }: Place, index: number, { vpcId, subnetIds, nodes, access }: Network): Promise<void> {
  const isDualStack = index % 2 === 1;
  const [subnetId, ...others] = subnetIds;
  const { clusterId } = await cloud.call(cluster.createCluster, {
    clusterBasicSettings: { clusterName: `site-${index}`, vpcId, subnetId, clusterVersion: index % 3 === 0 ? undefined : "1.30.0" },
    clusterCidrSettings: isDualStack ? { eniSubnetIds: others } : { clusterCidr: "172.16.0.0/16" },
    clusterAdvancedSettings: isDualStack ? { networkType: "VPC-CNI", isDualStack } : { deletionProtection: true },
  });
  const scaling = isDualStack ? { minReplicas: 1, maxReplicas: 4 } : { minReplicas: 1, maxReplicas: 1 };
  await cloud.call(cluster.createNodePool, {
    clusterId,
    name: "workers",
    type: "Native",
    labels: [{ name: "pool", value: "workers" }],
    taints: [{ key: "dedicated", value: "site", effect: "PreferNoSchedule" }],
    native: {
      subnetIds: [...subnetIds],
      instanceTypes: ["SA5.MEDIUM4"],
      instanceChargeType: "POSTPAID_BY_HOUR",
      systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
      dataDisks: [{ diskType: "CLOUD_PREMIUM", diskSize: 100, fileSystem: "ext4", autoFormatAndMount: true }],
      securityGroupIds: [nodes],
      enableAutoscaling: isDualStack,
      scaling,
    },
  });
  if (isDualStack) {
    const machine = await putInstance(world, { region: cloud.region, vpcId, subnetId, ipv6: true });
    await cloud.call(cluster.addExistedInstances, { clusterId, instanceIds: [machine] });
  }
  await cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup: access });
  await cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: false, subnetId });
  const permission = (roleName: string, namespace?: string) => ({
    clusterId,
    roleName,
    roleType: namespace ? ("namespace" as const) : ("cluster" as const),
    namespace,
  });
  for (const [targetUin, grant] of [
    ["100000000002", permission("svc:ns:dev", "team")],
    ["100000000003", permission("svc:ro")],
  ] as const) {
    const { permissions } = await cloud.call(cluster.describeUserPermissions, { targetUin });
    await cloud.call(cluster.grantUserPermissions, {
      targetUin,
      permissions: [
        ...permissions.map(({ clusterId: of, roleName, roleType, namespace }) => ({
          clusterId: of,
          roleName,
          roleType,
          namespace: namespace || undefined,
        })),
        grant,
      ],
    });
  }
}

/**
 * A registry with two namespaces, a repository, two tokens and a service account; a second one with a namespace that images are copied
 * to. The VPC reaches both.
 */
async function makeRegistry({ cloud }: Place, index: number, { vpcId, subnetIds: [subnetId] }: Network): Promise<void> {
  const { registryId } = await cloud.call(registry.createInstance, { registryName: `site-${index}-images`, registryType: "standard" });
  await cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Create", vpcId, subnetId });
  await cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
  await cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "203.0.113.0/28", description: "office" });
  await cloud.call(registry.createNamespace, {
    registryId,
    namespaceName: "team",
    isPublic: false,
    isAutoScan: true,
    severity: "high",
    isPreventVul: true,
  });
  await cloud.call(registry.createNamespace, { registryId, namespaceName: "public", isPublic: true });
  await cloud.call(registry.createRepository, { registryId, namespaceName: "team", repositoryName: "tools/web", description: "The shop" });
  await cloud.call(registry.createInstanceToken, { registryId, tokenType: "longterm", desc: "for builds" });
  await cloud.call(registry.createInstanceToken, { registryId, tokenType: "longterm" });
  await cloud.call(registry.createServiceAccount, {
    registryId,
    name: "ci",
    permissions: [{ resource: "team/", actions: ["reg:PushRepository", "reg:PullRepository"] }],
    expiresAt: Date.parse("2099-01-01T00:00:00Z"),
  });
  const archive = { registryName: `site-${index}-archive`, registryType: "basic" as const };
  const { registryId: destinationRegistryId } = await cloud.call(registry.createInstance, archive);
  await cloud.call(registry.manageInternalEndpoint, { registryId: destinationRegistryId, operation: "Create", vpcId, subnetId });
  await cloud.call(registry.createNamespace, { registryId: destinationRegistryId, namespaceName: "copies", isPublic: false });
  const filters = [{ type: "name" as const, value: "team/**" }, { type: "tag" as const }];
  const rule = { name: "to archive", destNamespace: "copies", override: false, filters };
  await cloud.call(registry.manageReplication, { sourceRegistryId: registryId, destinationRegistryId, rule });
}
