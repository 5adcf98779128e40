import { cidrSubnet } from "@container-platform/pulumi";
import { called, type Declaration, type Program, Reference } from "./program.ts";

const region = "eu-frankfurt";
const subnetNames = ["nodes-1", "nodes-2", "nodes-3"];
const range = "10.0.0.0/16";

/** The program of `examples/platform`. */
export function flagship(cidrBlock = range): Program {
  const vpcId = new Reference("Vpc platform", "vpcId");
  const subnetIds = subnetNames.map((name) => new Reference(`Subnet ${name}`, "subnetId"));
  const [subnetId] = subnetIds;
  const clusterId = new Reference("Cluster platform", "clusterId");
  const registryId = new Reference("RegistryInstance platform", "registryId");
  const securityGroupId = new Reference("SecurityGroup platform", "securityGroupId");
  const nodePoolIds = [new Reference("NodePool workers", "nodePoolId")];
  const allowedCidrBlocks = ["203.0.113.0/24"];
  return [
    { type: "Vpc", name: "platform", args: { cidrBlock } },
    { type: "Ipv6Block", name: "platform", args: { vpcId } },
    { type: "ElasticIp", name: "platform", args: { internetMaxBandwidthOut: 100 } },
    {
      type: "NatGateway",
      name: "platform",
      args: { vpcId, publicIpAddresses: [new Reference("ElasticIp platform", "addressIp")] },
    },
    { type: "RouteTable", name: "platform", args: { vpcId, routes: [route] } },
    ...subnetNames.map((name, index) => ({
      type: "Subnet",
      name,
      args: {
        vpcId,
        zone: `${region}-${index + 1}`,
        cidrBlock: cidrSubnet(cidrBlock, 20, index),
        ipv6SubnetCidrBlock: new Reference("Ipv6Block platform", "ipv6CidrBlock", { bits: 64, index }),
        routeTableId: new Reference("RouteTable platform", "routeTableId"),
      },
    })),
    { type: "SecurityGroup", name: "platform", args: { groupDescription, ingress: ingressOf(cidrBlock), egress } },
    {
      type: "Cluster",
      name: "platform",
      args: { vpcId, subnetId, eniSubnetIds: subnetIds, networkType: "VPC-CNI", isDualStack: true, serviceCidr: "172.20.0.0/16" },
    },
    {
      type: "NodePool",
      name: "workers",
      args: {
        clusterId,
        labels: { pool: "workers" },
        taints: [{ key: "dedicated", value: "platform", effect: "PreferNoSchedule" }],
        native: {
          subnetIds,
          instanceTypes: ["SA5.MEDIUM4"],
          systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
          securityGroupIds: [securityGroupId],
          scaling: { minReplicas: 3, maxReplicas: 3 },
        },
      },
    },
    {
      type: "ClusterEndpoint",
      name: "public",
      args: { clusterId, isExtranet: true, securityGroup: securityGroupId, allowedCidrBlocks, nodePoolIds },
    },
    { type: "ClusterEndpoint", name: "internal", args: { clusterId, isExtranet: false, subnetId, nodePoolIds } },
    {
      type: "RegistryInstance",
      name: "platform",
      args: { registryName: "platform-images", internalAccess: [{ vpcId, subnetId }], deleteBucket: true },
    },
    {
      type: "Namespace",
      name: "team",
      args: {
        registryId,
        namespaceName: "team",
        isPublic: false,
        autoScan: true,
        severity: "high",
        retentionRule: { key: "latestPushedK", value: 20, cronSetting: "weekly" },
      },
    },
    { type: "Token", name: "pull", args: { registryId, desc: "pulled by team" } },
    {
      type: "UserPermission",
      name: "developer-100000000002",
      args: { targetUin: "100000000002", clusterId, roleName: "svc:ns:dev", roleType: "namespace", namespace: "team" },
    },
    {
      type: "UserPermission",
      name: "auditor-100000000003",
      args: { targetUin: "100000000003", clusterId, roleName: "svc:ro", roleType: "cluster" },
    },
  ];
}

const route = { destinationCidrBlock: "0.0.0.0/0", gatewayType: "NAT", gatewayId: new Reference("NatGateway platform", "natGatewayId") };

const groupDescription = "Nodes and API server of the platform";
const ipv6CidrBlock = new Reference("Ipv6Block platform", "ipv6CidrBlock");
const ingressOf = (cidrBlock: string) => [
  { protocol: "ALL", self: true, action: "ACCEPT", policyDescription: "nodes among each other" },
  { protocol: "ALL", cidrBlock, action: "ACCEPT", policyDescription: "the VPC, over IPv4" },
  { protocol: "ALL", ipv6CidrBlock, action: "ACCEPT", policyDescription: "the VPC, over IPv6" },
  { protocol: "TCP", port: "443", cidrBlock: "203.0.113.0/24", action: "ACCEPT" },
  { protocol: "ICMPV6", ipv6CidrBlock: "::/0", action: "ACCEPT", policyDescription: "IPv6 needs ICMP" },
];
const egress = [
  { protocol: "ALL", cidrBlock: "0.0.0.0/0", action: "ACCEPT" },
  { protocol: "ALL", ipv6CidrBlock: "::/0", action: "ACCEPT" },
];

/** A change for each resource that can change while its VPC stays. The IPv6 block cannot. */
const changes: Readonly<Record<string, Declaration["args"]>> = {
  "Vpc platform": { vpcName: "renamed", tags: { team: "platform" } },
  "ElasticIp platform": { internetMaxBandwidthOut: 50, tags: { team: "platform" } },
  "NatGateway platform": { natGatewayName: "renamed", tags: { team: "platform" } },
  "RouteTable platform": { routeTableName: "renamed", routes: [{ ...route, routeDescription: "out" }], tags: { team: "platform" } },
  "Subnet nodes-1": { subnetName: "renamed-1" },
  "Subnet nodes-2": { subnetName: "renamed-2", tags: { team: "platform" } },
  "Subnet nodes-3": { subnetName: "renamed-3" },
  "SecurityGroup platform": { groupName: "renamed", ingress: ingressOf(range).reverse(), tags: { team: "platform" } },
  "Cluster platform": { clusterName: "renamed", credentialsVersion: "2", tags: { team: "platform" } },
  "NodePool workers": { labels: { pool: "workers", renamed: "yes" }, taints: undefined, deletionProtection: false },
  "ClusterEndpoint public": { allowedCidrBlocks: ["203.0.113.0/24", "198.51.100.0/24"], credentialsVersion: "2" },
  "ClusterEndpoint internal": { credentialsVersion: "2" },
  "RegistryInstance platform": {
    registryType: "standard",
    publicAccess: { whitelist: [{ cidrBlock: "198.51.100.0/24" }] },
    tags: { team: "platform" },
  },
  "Namespace team": { severity: "medium", retentionRule: { key: "nDaysSinceLastPush", value: 30, cronSetting: "daily" } },
  "Token pull": { desc: "pulled by others" },
  "UserPermission developer-100000000002": { roleName: "svc:ns:ro" },
  "UserPermission auditor-100000000003": { roleName: "svc:dev" },
};

export function changed(program: Program): Program {
  return program.map((declaration) => ({ ...declaration, args: { ...declaration.args, ...changes[called(declaration)] } }));
}
