import * as cluster from "../catalogue/cluster.ts";
import * as registry from "../catalogue/registry.ts";
import * as vpc from "../catalogue/vpc.ts";
import { Cloud } from "../client/client.ts";
import { putSubAccount } from "../local/accounts/accounts.ts";
import { nativeIn } from "../local/cluster/native.fixture.ts";
import { putEdgeModule, putNodePool2018 } from "../local/cluster/out-of-band.ts";
import { putInstance, putKeyPair, putRouteTable } from "../local/out-of-band.ts";
import { LocalPlatform } from "../local/platform.ts";
import { putImage } from "../local/registry/out-of-band.ts";
import { World } from "../local/store/world.ts";

/** A world with resources for every operation, and their ids. Its clock stands still. */

export const region = "eu-frankfurt";

const moment = Date.UTC(2026, 0, 31, 12);

/** The ids of what that world contains. */
export type Place = Awaited<ReturnType<typeof makeEverything>>;

/** Makes that world in a file. The file is the same each time. */
export async function makeEverything(file: string) {
  const world = World.open(file, { timeScale: "fast", seed: "everything" });
  world.freeze(moment);
  const cloud = new Cloud({ transport: new LocalPlatform(world), region, retries: { attempts: 1, pause: 0, longest: 0 } });
  const network = await makeNetwork(world, cloud);
  const clusters = await makeClusters(world, cloud, network);
  const registries = await makeRegistries(world, cloud, network);
  const place = { ...network, ...clusters, ...registries, ...(await makeEgress(world, cloud, network)) };
  world.close();
  return place;
}

async function makeNetwork(world: World, cloud: Cloud) {
  const vpcOf = async (cidrBlock: string) => (await cloud.call(vpc.createVpc, { vpcName: "net", cidrBlock })).vpc.vpcId;
  const subnetOf = async (vpcId: string, cidrBlock: string) =>
    (await cloud.call(vpc.createSubnet, { vpcId, subnetName: "part", cidrBlock, zone: `${region}-1` })).subnet.subnetId;
  const group = async (groupName: string) =>
    (await cloud.call(vpc.createSecurityGroup, { groupName, groupDescription: "" })).securityGroup.securityGroupId;
  const vpcId = await vpcOf("10.0.0.0/16");
  const [subnetId, podSubnetId] = [await subnetOf(vpcId, "10.0.0.0/24"), await subnetOf(vpcId, "10.0.1.0/24")];
  const bareSubnetId = await subnetOf(vpcId, "10.0.2.0/24");
  const { ipv6CidrBlock } = await cloud.call(vpc.assignIpv6CidrBlock, { vpcId });
  const ipv6SubnetCidrBlock = ipv6CidrBlock.replace("/56", "/64");
  await cloud.call(vpc.assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks: [{ subnetId: podSubnetId, ipv6SubnetCidrBlock }] });
  const [securityGroupId, spareGroupId] = [await group("guard"), await group("spare")];
  const rule = { protocol: "TCP", port: "443", cidrBlock: "10.0.0.0/8", action: "ACCEPT" } as const;
  await cloud.call(vpc.createSecurityGroupPolicies, { securityGroupId, securityGroupPolicySet: { ingress: [rule] } });
  const emptyVpcId = await vpcOf("10.1.0.0/16");
  const ipv6VpcId = await vpcOf("10.2.0.0/16");
  await cloud.call(vpc.assignIpv6CidrBlock, { vpcId: ipv6VpcId });
  const spare = { region, vpcId, subnetId };
  return {
    ...{ account: world.account, vpcId, subnetId, podSubnetId, bareSubnetId, ipv6CidrBlock, ipv6SubnetCidrBlock },
    ...{ securityGroupId, spareGroupId, emptyVpcId, ipv6VpcId },
    routeTableId: await putRouteTable(world, { region, vpcId, name: "other" }),
    instanceId: await putInstance(world, spare),
    keyId: await putKeyPair(world, { region, name: "key" }),
    moduleId: await putEdgeModule(world, { region, name: "edge" }),
    uin: await putSubAccount(world, { name: "auditor", allow: ["audit:*"] }),
  };
}

type Network = Awaited<ReturnType<typeof makeNetwork>>;

/** A NAT gateway with two elastic IPs, a third one, and a route. */
async function makeEgress(world: World, cloud: Cloud, { vpcId, routeTableId }: Network) {
  const { addressSet: addressIds } = await cloud.call(vpc.allocateAddresses, { addressCount: 3 });
  world.advance(1000);
  const found = (await cloud.call(vpc.describeAddresses, { addressIds })).addressSet;
  const [first = "", second = "", addressIp = ""] = found.map((one) => one.addressIp);
  const asked = { natGatewayName: "out", vpcId, publicIpAddresses: [first, second] };
  const [gateway] = (await cloud.call(vpc.createNatGateway, asked)).natGatewaySet;
  world.advance(1000);
  await cloud.call(vpc.createRoutes, { routeTableId, routes: [{ destinationCidrBlock: "0.0.0.0/0", gatewayType: "EIP", gatewayId: "0" }] });
  const [table] = (await cloud.call(vpc.describeRouteTables, { routeTableIds: [routeTableId] })).routeTableSet;
  const { routeItemId = "", routeId = 0 } = table?.routeSet?.[0] ?? {};
  return { natGatewayId: gateway?.natGatewayId ?? "", boundIp: first, addressIp, addressId: addressIds[2] ?? "", routeItemId, routeId };
}

async function makeClusters(world: World, cloud: Cloud, { vpcId, subnetId, podSubnetId, securityGroupId, uin }: Network) {
  const make = async (clusterCidr: string, given: object = {}) =>
    (await cloud.call(cluster.createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr }, ...given })).clusterId;
  const clusterId = await make("172.16.0.0/16", { clusterBasicSettings: { clusterName: "one", clusterVersion: "1.32.2" } });
  const ownClusterId = await make("172.17.0.0/16", { clusterType: "INDEPENDENT_CLUSTER" });
  const podsOf = { clusterCidrSettings: { eniSubnetIds: [podSubnetId] }, clusterAdvancedSettings: { networkType: "VPC-CNI" } };
  const podClusterId = await make("", podsOf);
  const bareClusterId = await make("172.18.0.0/16");
  const upgradedClusterId = await make("172.19.0.0/16", { clusterBasicSettings: { clusterVersion: "1.32.2" } });
  world.advance(3000);
  const pool = { name: "workers", type: "Native" as const, native: { ...nativeIn(subnetId), replicas: 2 } };
  const { nodePoolId } = await cloud.call(cluster.createNodePool, { clusterId, ...pool });
  await cloud.call(cluster.createNodePool, { clusterId: upgradedClusterId, ...pool });
  const oldPoolId = await putNodePool2018(world, { region, clusterId, replicas: 1 });
  world.advance(3000);
  const nodesOf = async (filters: { name: string; values: string[] }[], id = clusterId) =>
    (await cloud.call(cluster.describeClusterInstances, { clusterId: id, filters })).instanceSet.map(({ instanceId }) => instanceId);
  const [nodeId = ""] = await nodesOf([{ name: "nodepool-id", values: [nodePoolId] }]);
  const [oldNodeId = ""] = await nodesOf([{ name: "nodepool-id", values: [oldPoolId] }]);
  const [upgradedNodeId = "", outdatedNodeId = ""] = await nodesOf([], upgradedClusterId);
  await cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup: securityGroupId });
  await cloud.call(cluster.modifyClusterTags, { clusterId, tags: [{ key: "team", value: "platform" }] });
  await cloud.call(cluster.updateClusterVersion, { clusterId: upgradedClusterId, dstVersion: "1.34.1" });
  world.advance(60_000);
  const upgrade = { operation: "create" as const, upgradeType: "reset" as const, instanceIds: [upgradedNodeId] };
  await cloud.call(cluster.upgradeClusterInstances, { clusterId: upgradedClusterId, ...upgrade });
  const grant = { clusterId, roleName: "svc:ro", roleType: "cluster" as const };
  await cloud.call(cluster.grantUserPermissions, { targetUin: uin, permissions: [grant] });
  const clusters = { clusterId, ownClusterId, podClusterId, bareClusterId, upgradedClusterId };
  return { ...clusters, nodePoolId, oldPoolId, nodeId, oldNodeId, outdatedNodeId };
}

async function makeRegistries(world: World, cloud: Cloud, { vpcId, subnetId }: Network) {
  const make = async (registryName: string) =>
    (await cloud.call(registry.createInstance, { registryName, registryType: "premium" })).registryId;
  const [registryId, otherRegistryId] = [await make("acme-images"), await make("acme-copies")];
  world.advance(2000);
  for (const namespaceName of ["team", "spare"]) await cloud.call(registry.createNamespace, { registryId, namespaceName, isPublic: false });
  await cloud.call(registry.createNamespace, { registryId: otherRegistryId, namespaceName: "copies", isPublic: false });
  await putImage(world, { region, registryId, namespace: "team", repository: "web", version: "1.0.0" });
  await cloud.call(registry.createRepository, { registryId, namespaceName: "team", repositoryName: "empty" });
  await cloud.call(registry.manageExternalEndpoint, { registryId, operation: "Create" });
  await cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Create", vpcId, subnetId });
  const { tokenId } = await cloud.call(registry.createInstanceToken, { registryId, tokenType: "longterm", desc: "ci" });
  const permissions = [{ resource: "team/", actions: ["reg:PullRepository"] }];
  await cloud.call(registry.createServiceAccount, { registryId, name: "ci", permissions });
  const namespaces = (await cloud.call(registry.describeNamespaces, { registryId, all: true })).namespaceList;
  const numberOf = (wanted: string) => namespaces.find(({ name }) => name === wanted)?.namespaceId ?? 0;
  const [namespaceId, spareNamespaceId] = [numberOf("team"), numberOf("spare")];
  const retentionRule = { key: "latestPushedK" as const, value: 1 };
  await cloud.call(registry.createTagRetentionRule, { registryId, namespaceId, cronSetting: "manual", retentionRule });
  const { retentionId = 0 } = (await cloud.call(registry.describeTagRetentionRules, { registryId })).retentionPolicyList[0] ?? {};
  const rule = { name: "mirror", destNamespace: "copies", override: true, filters: [{ type: "name" as const, value: "team/**" }] };
  await cloud.call(registry.manageReplication, { sourceRegistryId: registryId, destinationRegistryId: otherRegistryId, rule });
  world.advance(2000);
  await cloud.call(registry.createSecurityPolicy, { registryId, cidrBlock: "203.0.113.7/32", description: "office" });
  const { internalEndpoint } = await cloud.call(registry.describeInternalEndpoints, { registryId });
  const linked = { instanceId: registryId, vpcId, eniLbIp: internalEndpoint[0] ?? "" };
  await cloud.call(registry.createInternalEndpointDns, { ...linked, usePublicDomain: true });
  world.advance(2000);
  return { registryId, otherRegistryId, tokenId, namespaceId, spareNamespaceId, retentionId, address: linked.eniLbIp };
}
