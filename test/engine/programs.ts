/** The smallest program with a cluster. `options`: those of the cluster, as text. `network`: the second number of the VPC's range. */
export function clusterAlone(options = "{}", network = 0): string {
  return `
import { Cluster, Subnet, Vpc } from "@container-platform/pulumi";

const { vpcId } = new Vpc("platform", { cidrBlock: "10.${network}.0.0/16" });
const { subnetId } = new Subnet("nodes", { vpcId, cidrBlock: "10.${network}.0.0/20", zone: "eu-frankfurt-1" });
export const { clusterId } = new Cluster("platform", { vpcId, subnetId, clusterCidr: "172.16.0.0/16" }, ${options});
`;
}

/** A cluster with one node and access from the VPC. `pool`: further settings of the nodes, `endpoint`: options of the access, both as text. */
export function accessibleCluster({ pool = "", endpoint = "{}" } = {}): string {
  return `
import { ClusterEndpoint, NodePool } from "@container-platform/pulumi";
${clusterAlone()}
const { nodePoolId } = new NodePool("workers", {
  clusterId,
  native: { subnetIds: [subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1, ${pool} },
});
const access = new ClusterEndpoint("internal", { clusterId, isExtranet: false, subnetId, nodePoolIds: [nodePoolId] }, ${endpoint});
export const { kubeconfig } = access;
`;
}

/** One resource of each kind. `called`: the name of all that can have this name. */
export function oneOfEach(called: string): string {
  return `
import {
  Cluster, ClusterEndpoint, Ipv6Block, Namespace, NodePool, RegistryInstance, ReplicationRule, Repository, SecurityGroup, ServiceAccount,
  Subnet, Token,
  UserPermission, Vpc,
} from "@container-platform/pulumi";

const tags = { called: "${called}" };
const { vpcId } = new Vpc("platform", { vpcName: "${called}", cidrBlock: "10.0.0.0/16", tags });
const block = new Ipv6Block("platform", { vpcId });
const { subnetId } = new Subnet("nodes", {
  vpcId, subnetName: "${called}", cidrBlock: "10.0.0.0/20", zone: "eu-frankfurt-1", ipv6SubnetCidrBlock: block.subnetCidrBlock(0), tags,
});
const { securityGroupId } = new SecurityGroup("web", {
  groupName: "${called}", ingress: [{ protocol: "ALL", self: true, action: "ACCEPT", policyDescription: "${called}" }],
});
const { clusterId } = new Cluster("platform", {
  clusterName: "${called}", vpcId, subnetId, eniSubnetIds: [subnetId], isDualStack: true, tags,
});
const { nodePoolId } = new NodePool("workers", {
  clusterId, name: "${called}", labels: tags,
  native: { subnetIds: [subnetId], instanceTypes: ["SA5.MEDIUM4"], systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 }, replicas: 1 },
});
new ClusterEndpoint("public", {
  clusterId, isExtranet: true, securityGroup: securityGroupId, nodePoolIds: [nodePoolId],
  allowedCidrBlocks: ["${called === "one" ? "203.0.113.7/32" : "203.0.113.8/32"}"],
});
new UserPermission("team", { targetUin: "100000000002", clusterId, roleName: "svc:ns:dev", roleType: "namespace", namespace: "team" });
const { registryId } = new RegistryInstance("images", {
  registryName: "throw-away-images", deleteBucket: true, internalAccess: [{ vpcId, subnetId }], tags,
});
const { namespaceName } = new Namespace("team", { registryId, namespaceName: "team", isPublic: false, tags });
new Repository("web", { registryId, namespaceName, repositoryName: "web", description: "${called}" });
const archive = new RegistryInstance("archive", { registryName: "throw-away-archive", deleteBucket: true, tags });
const copies = new Namespace("copies", { registryId: archive.registryId, namespaceName: "copies", isPublic: false, tags });
new ReplicationRule("archive", {
  sourceRegistryId: registryId, ruleName: "archive", destinationRegistryId: archive.registryId, destNamespace: copies.namespaceName,
  filters: [{ type: "name", value: "team/**" }], description: "${called}",
});
new Token("pull", { registryId, desc: "${called}" });
new ServiceAccount("ci", {
  registryId, name: "ci", permissions: [{ resource: namespaceName, actions: ["reg:PushRepository"] }], description: "${called}",
});
`;
}
