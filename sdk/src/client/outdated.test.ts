import { expect, test } from "vitest";
import * as cluster from "../catalogue/cluster.ts";
import { catalogue } from "../catalogue/every-operation.ts";
import * as registry from "../catalogue/registry.ts";
import * as vpc from "../catalogue/vpc.ts";
import { putSubAccount } from "../local/accounts/accounts.ts";
import { stage } from "../local/cluster/stage.fixture.ts";
import { cidrSubnet } from "../formats/addresses.ts";
import { Cloud } from "./client.ts";
import { outdatedBy, Readings } from "./read-cache.ts";

test("what a write outdates are operations that read", () => {
  const effects = new Map(catalogue.map(({ action, effect }) => [action, effect]));
  expect(Object.keys(outdatedBy).filter((action) => effects.get(action) !== "write")).toEqual([]);
  const outdated = Object.values(outdatedBy).flat();
  expect(outdated.filter((action) => effects.get(action) !== "read")).toEqual([]);
});

test("a write outdates the answers that it may have changed, and one of which nothing is said outdates all", async () => {
  const readings = new Readings();
  let asked = 0;
  const share = () => readings.share([vpc.describeVpcs], "a", 60_000, () => Promise.resolve(++asked));
  expect(await share()).toBe(1);
  readings.forget({ action: "GrantUserPermissions" });
  expect(await share()).toBe(1);
  readings.forget({ action: "AssignIpv6CidrBlock" });
  expect(await share()).toBe(2);
  readings.forget({ action: "DeleteCluster" });
  expect(await share()).toBe(3);
});

test("no write changes an answer that it does not outdate", async () => {
  const at = await stage();
  const { cloud, world } = at;
  const targetUin = await putSubAccount(world, { name: "auditor" });
  const { registryId } = await cloud.call(registry.createInstance, { registryName: "acme-images", registryType: "basic" });
  const clusterId = await at.running();
  const group = await at.group();
  /** What finders ask, about what there is by now. */
  const reads: Record<string, () => Promise<object>> = {
    DescribeVpcs: () => cloud.call(vpc.describeVpcs, {}),
    DescribeSubnets: () => cloud.call(vpc.describeSubnets, {}),
    DescribeRouteTables: () => cloud.call(vpc.describeRouteTables, {}),
    DescribeAddresses: () => cloud.call(vpc.describeAddresses, {}),
    DescribeNatGateways: () => cloud.call(vpc.describeNatGateways, {}),
    DescribeSecurityGroups: () => cloud.call(vpc.describeSecurityGroups, {}),
    DescribeSecurityGroupPolicies: () => cloud.call(vpc.describeSecurityGroupPolicies, { securityGroupId: group }),
    DescribeClusters: () => cloud.call(cluster.describeClusters, {}),
    DescribeNodePools: () => cloud.call(cluster.describeNodePools, { clusterId }),
    DescribeClusterInstances: () => cloud.call(cluster.describeClusterInstances, { clusterId }),
    DescribeUserPermissions: () => cloud.call(cluster.describeUserPermissions, { targetUin }),
    DescribeClusterEndpoints: () => cloud.call(cluster.describeClusterEndpoints, { clusterId }),
    DescribeClusterEndpointStatus: () => cloud.call(cluster.describeClusterEndpointStatus, { clusterId, isExtranet: true }),
    DescribeInstances: () => cloud.call(registry.describeInstances, {}),
    DescribeNamespaces: () => cloud.call(registry.describeNamespaces, { registryId, all: true }),
    DescribeInstanceToken: () => cloud.call(registry.describeInstanceToken, { registryId }),
    DescribeTagRetentionRules: () => cloud.call(registry.describeTagRetentionRules, { registryId }),
    DescribeInternalEndpoints: () => cloud.call(registry.describeInternalEndpoints, { registryId }),
    DescribeExternalEndpointStatus: () => cloud.call(registry.describeExternalEndpointStatus, { registryId }),
  };
  const answers = async () => {
    const all = Object.entries(reads).map(
      async ([action, read]) => [action, JSON.stringify({ ...(await read()), requestId: "" })] as const,
    );
    return Object.fromEntries(await Promise.all(all));
  };
  const made = new Set<string>();
  const wrong: string[] = [];
  const watching = new Cloud({
    region: cloud.region,
    transport: {
      send: async (request) => {
        const outdated = outdatedBy[request.action];
        if (!outdated) return at.platform.send(request);
        const before = await answers();
        const reply = await at.platform.send(request);
        const after = await answers();
        made.add(request.action);
        const changed = Object.keys(reads).filter((action) => before[action] !== after[action]);
        wrong.push(...changed.filter((action) => !outdated.includes(action)).map((action) => `${request.action}: ${action}`));
        return reply;
      },
      whoAmI: () => at.platform.whoAmI(),
      close: () => Promise.resolve(),
    },
  });
  const site = { ...at, clusterId, registryId, group, targetUin };
  for (const writes of [networkWrites, registryWrites, clusterWrites]) await writes(watching, site);
  expect(wrong).toEqual([]);
  expect([...made].sort()).toEqual(Object.keys(outdatedBy).sort());
});

type Site = Omit<Awaited<ReturnType<typeof stage>>, "group"> & Record<"clusterId" | "registryId" | "group" | "targetUin", string>;

async function networkWrites(cloud: Cloud, { vpcId, subnetId, group: securityGroupId, world }: Site): Promise<void> {
  await cloud.call(vpc.createVpc, { vpcName: "b", cidrBlock: "10.9.0.0/16" });
  await cloud.call(vpc.createSubnet, { vpcId, subnetName: "b", cidrBlock: "10.0.9.0/24", zone: `${cloud.region}-1` });
  await cloud.call(vpc.createSecurityGroup, { groupName: "b", groupDescription: "" });
  const { ipv6CidrBlock } = await cloud.call(vpc.assignIpv6CidrBlock, { vpcId });
  const ipv6SubnetCidrBlocks = [{ subnetId, ipv6SubnetCidrBlock: cidrSubnet(ipv6CidrBlock, 64, 0) }];
  await cloud.call(vpc.assignIpv6SubnetCidrBlock, { vpcId, ipv6SubnetCidrBlocks });
  const rule = { protocol: "TCP", port: "443", cidrBlock: "10.0.0.0/8", action: "ACCEPT" } as const;
  const set = (ingress: readonly object[]) => ({ securityGroupId, securityGroupPolicySet: { ingress: [...ingress] } });
  await cloud.call(vpc.createSecurityGroupPolicies, set([rule]));
  await cloud.call(vpc.replaceSecurityGroupPolicies, set([{ ...rule, policyIndex: 0, port: "80" }]));
  await cloud.call(vpc.deleteSecurityGroupPolicies, set([{ policyIndex: 0 }]));
  await cloud.call(vpc.allocateAddresses, {});
  world.advance(10_000);
  const { addressSet } = await cloud.call(vpc.describeAddresses, {});
  const publicIpAddresses = addressSet.map(({ addressIp }) => addressIp);
  const { natGatewaySet } = await cloud.call(vpc.createNatGateway, { natGatewayName: "b", vpcId, publicIpAddresses });
  world.advance(120_000);
  const { routeTableId } = (await cloud.call(vpc.createRouteTable, { vpcId, routeTableName: "b" })).routeTable;
  const gatewayId = natGatewaySet[0]?.natGatewayId ?? "";
  await cloud.call(vpc.createRoutes, { routeTableId, routes: [{ destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT", gatewayId }] });
  await cloud.call(vpc.replaceRouteTableAssociation, { subnetId, routeTableId });
}

async function registryWrites(cloud: Cloud, { registryId, vpcId, subnetId, world }: Site): Promise<void> {
  await cloud.call(registry.createInstance, { registryName: "other-images", registryType: "basic" });
  const { tokenId } = await cloud.call(registry.createInstanceToken, { registryId, tokenType: "longterm", desc: "a" });
  await cloud.call(registry.modifyInstanceToken, { registryId, tokenId, modifyFlag: 1, desc: "b" });
  await cloud.call(registry.deleteInstanceToken, { registryId, tokenId });
  await cloud.call(registry.createNamespace, { registryId, namespaceName: "team", isPublic: false });
  const { namespaceList } = await cloud.call(registry.describeNamespaces, { registryId, all: true });
  const rule = { registryId, namespaceId: namespaceList[0]?.namespaceId ?? 0, cronSetting: "daily" } as const;
  const kept = (value: number) => ({ ...rule, retentionRule: { key: "latestPushedK", value } as const });
  await cloud.call(registry.createTagRetentionRule, kept(3));
  const retentionId = (await cloud.all(registry.describeTagRetentionRules, { registryId }))[0]?.retentionId ?? 0;
  await cloud.call(registry.modifyTagRetentionRule, { ...kept(4), retentionId });
  await cloud.call(registry.deleteTagRetentionRule, { registryId, retentionId });
  await cloud.call(registry.manageInternalEndpoint, { registryId, operation: "Create", vpcId, subnetId });
  world.advance(2000);
  const { accessVpcSet } = await cloud.call(registry.describeInternalEndpoints, { registryId });
  const target = { instanceId: registryId, vpcId, eniLbIp: accessVpcSet[0]?.accessIp ?? "" };
  await cloud.call(registry.createInternalEndpointDns, target);
  await cloud.call(registry.deleteInternalEndpointDns, target);
}

async function clusterWrites(cloud: Cloud, site: Site): Promise<void> {
  const { clusterId, vpcId, subnetId, targetUin, group: securityGroup, world, settings } = site;
  await cloud.call(cluster.createCluster, { vpcId, subnetId, clusterCidrSettings: { clusterCidr: "172.18.0.0/16" } });
  await cloud.call(cluster.createNodePool, { clusterId, name: "workers", type: "Native", native: { ...settings, replicas: 1 } });
  world.advance(10_000);
  const permissions = [{ clusterId, roleName: "svc:ro", roleType: "cluster" as const }];
  await cloud.call(cluster.grantUserPermissions, { targetUin, permissions });
  await cloud.call(cluster.createClusterEndpoint, { clusterId, isExtranet: true, securityGroup });
  world.advance(10_000);
  await cloud.call(cluster.modifyClusterEndpointSp, { clusterId, securityPolicies: ["203.0.113.0/24"] });
}
