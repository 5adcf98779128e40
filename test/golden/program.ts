import {
  Cluster,
  ClusterEndpoint,
  Ipv6Block,
  Namespace,
  NodePool,
  RegistryInstance,
  SecurityGroup,
  ServiceAccount,
  Subnet,
  Token,
  UserPermission,
  Vpc,
} from "@container-platform/pulumi";

// Every kind of resource, with values that are given, left to the platform, spelt in another way, and secret.
const tags = { team: "golden" };
const { vpcId } = new Vpc("platform", { cidrBlock: "10.0.0.0/16", tags }, { customTimeouts: { create: "10m" } });
new Vpc("named", { vpcName: "named", cidrBlock: "10.1.0.0/16", dnsServers: ["10.1.0.53"], enableRouteVpcPublishIpv6: true });
const block = new Ipv6Block("platform", { vpcId });
const ipv6SubnetCidrBlock = block.subnetCidrBlock(0);
const { subnetId } = new Subnet("nodes", { vpcId, cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1", ipv6SubnetCidrBlock, tags });
const { securityGroupId } = new SecurityGroup("web", {
  ingress: [
    { protocol: "tcp", port: "443", cidrBlock: "203.0.113.0/24", action: "ACCEPT" },
    { protocol: "UDP", ipv6CidrBlock: "2001:DB8::/32", action: "DROP", policyDescription: "golden" },
    { protocol: "ALL", self: true, action: "ACCEPT" },
  ],
  tags,
});
const { clusterId } = new Cluster("platform", { vpcId, subnetId, eniSubnetIds: [subnetId], isDualStack: true, tags });
new Cluster("ranged", { vpcId, subnetId, clusterCidr: "172.20.0.0/16", clusterVersion: "1.30.0", clusterLevel: "L20" });
const native = {
  subnetIds: [subnetId],
  instanceTypes: ["SA5.MEDIUM4"],
  systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
  password: "Pa55-golden",
  replicas: 1,
};
const { nodePoolId } = new NodePool("workers", { clusterId, native, labels: { tier: "front" } });
const nodePoolIds = [nodePoolId];
const allowedCidrBlocks = ["203.0.113.7", "2001:DB8::/32"];
new ClusterEndpoint("public", { clusterId, isExtranet: true, securityGroup: securityGroupId, allowedCidrBlocks, nodePoolIds });
new ClusterEndpoint("internal", { clusterId, isExtranet: false, subnetId, nodePoolIds });
const grant = { targetUin: "100000000002", clusterId };
new UserPermission("team", { ...grant, roleName: "svc:ns:dev", roleType: "namespace", namespace: "team" });
new UserPermission("all", { ...grant, roleName: "svc:ro", roleType: "cluster" });
const { registryId } = new RegistryInstance("images", {
  registryName: "golden-images",
  publicAccess: { whitelist: [{ cidrBlock: "203.0.113.7", description: "office" }] },
  internalAccess: [{ vpcId, subnetId }],
  deleteBucket: true,
  tags,
});
const team = new Namespace("team", {
  registryId,
  namespaceName: "team",
  isPublic: false,
  severity: "high",
  cveWhitelist: ["CVE-2026-12345", "CVE-2026-00001"],
  retentionRule: { key: "latestPushedK", value: 10, cronSetting: "weekly" },
});
new Token("pull", { registryId, desc: "golden" });
new ServiceAccount("ci", {
  registryId,
  name: "ci",
  permissions: [{ resource: team.namespaceName, actions: ["reg:PushRepository", "reg:PullRepository"] }],
  expiresAt: "2099-01-01T01:00:00+01:00",
});
