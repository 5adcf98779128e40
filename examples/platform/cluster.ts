import { Cluster, ClusterEndpoint, NodePool } from "@container-platform/pulumi";
import { controlSubnet, group, subnets, vpc } from "./network.ts";
import { settings } from "./settings.ts";

const subnetIds = subnets.map(({ subnetId }) => subnetId);

/** A dual-stack cluster: pods and services have IPv4 and IPv6 addresses, taken from the subnets. */
export const cluster = new Cluster("platform", {
  vpcId: vpc.vpcId,
  subnetId: controlSubnet.subnetId,
  eniSubnetIds: subnetIds,
  networkType: "VPC-CNI",
  isDualStack: true,
  serviceCidr: settings.serviceCidr,
});

/** Nodes, spread over the zones. */
const workers = new NodePool("workers", {
  clusterId: cluster.clusterId,
  labels: { pool: "workers" },
  taints: [{ key: "dedicated", value: "platform", effect: "PreferNoSchedule" }],
  native: {
    subnetIds,
    instanceTypes: [settings.instanceType],
    systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
    securityGroupIds: [group.securityGroupId],
    scaling: { minReplicas: settings.nodes, maxReplicas: settings.nodes },
  },
});

/** Access from the internet, for the allowed ranges only. */
export const publicAccess = new ClusterEndpoint("public", {
  clusterId: cluster.clusterId,
  isExtranet: true,
  securityGroup: group.securityGroupId,
  allowedCidrBlocks: settings.allowedCidrBlocks,
  nodePoolIds: [workers.nodePoolId],
});

/** Access from the VPC. */
export const internalAccess = new ClusterEndpoint("internal", {
  clusterId: cluster.clusterId,
  isExtranet: false,
  subnetId: controlSubnet.subnetId,
  nodePoolIds: [workers.nodePoolId],
});
