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
