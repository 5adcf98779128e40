import { z } from "zod";
import { spelt, state } from "../../operation/operation.ts";
import { clusterInstanceStates, clusterStates, clusterStatuses } from "./states.ts";
import { clusterId, securityModeConfig, tagSpecifications } from "./structures.ts";

const networkSettings = z.object({
  clusterCidr: spelt("ClusterCIDR", z.string().describe("Range of pods and services; empty in VPC-CNI clusters.")),
  ignoreClusterCidrConflict: spelt("IgnoreClusterCIDRConflict", z.boolean().describe("Whether conflicts of that range were ignored.")),
  maxNodePodNum: z.int().describe("Pods at most on a node."),
  maxClusterServiceNum: z.int().describe("Services at most in the cluster."),
  ipvs: z.boolean().describe("Whether services use IPVS."),
  vpcId: z.string().describe("Id of the cluster's VPC."),
  cni: z.boolean().describe("Whether the network plugin is on."),
  kubeProxyMode: z.string().describe("How services are forwarded; empty: the platform's way."),
  serviceCidr: spelt("ServiceCIDR", z.string().describe("Range of services.")),
  subnets: z.array(z.string()).describe("Subnets that pods take addresses from; of VPC-CNI clusters."),
  ignoreServiceCidrConflict: spelt("IgnoreServiceCIDRConflict", z.boolean().describe("Whether conflicts of that range were ignored.")),
  isDualStack: z.boolean().describe("Whether pods and services have IPv6 addresses too."),
  ipv6ServiceCidr: spelt("Ipv6ServiceCIDR", z.string().optional().describe("IPv6 range of services; of dual-stack clusters.")),
  ciliumMode: z.string().describe("Mode of Cilium; empty: not used."),
  subnetId: z.string().describe("Id of the cluster's subnet."),
  dataPlaneV2: z.boolean().describe("Whether the second data plane is used."),
});

/** A cluster: the specification's fields, and the public API's. */
export const cluster = z.object({
  clusterId,
  clusterName: z.string().describe("Name of the cluster."),
  clusterDescription: z.string().describe("Description of the cluster."),
  clusterVersion: z.string().describe("Kubernetes version, such as `1.32.2`."),
  clusterOs: z.string().describe("Operating system of its nodes."),
  clusterType: z.string().describe("`MANAGED_CLUSTER` or `INDEPENDENT_CLUSTER`."),
  clusterNetworkSettings: networkSettings.describe("Network of the cluster."),
  clusterNodeNum: z.int().describe("Nodes in the cluster."),
  projectId: z.int().describe("Project it belongs to."),
  tagSpecification: tagSpecifications.describe("Tags of the cluster."),
  clusterStatus: state(clusterStatuses).describe(
    "Status; `Abnormal`: it could not be made, and DescribeTasks (`create_cluster`) says why.",
  ),
  clusterState: state(clusterStates).describe("State as DescribeClusterStatus tells it; `Running` means healthy."),
  clusterInstanceState: state(clusterInstanceStates).describe("State of its nodes together; `AllNormal`: all are well."),
  clusterDeletionProtection: z.boolean().describe("Whether DeleteCluster is refused."),
  clusterExternalEndpoint: z.string().describe("Public address; empty while no public endpoint is open."),
  clusterIntranetEndpoint: z.string().describe("Internal address; empty while no internal endpoint is open."),
  domain: z.string().describe("Access domain of the cluster."),
  property: z.string().describe("Further attributes, a JSON object: `NodeNameType`, `NetworkType`, `VpcCniType`, `IsNonStaticIpMode`."),
  clusterMaterNodeNum: z.int().describe("Primary nodes (the platform's spelling)."),
  imageId: z.string().optional().describe("Id of a custom image of its nodes."),
  osCustomizeType: z.string().describe("`GENERAL` or `DOCKER_CUSTOMIZE`."),
  containerRuntime: z.string().describe("`containerd` or `docker`."),
  createdTime: z.string().describe("When it was made, ISO 8601."),
  deletionProtection: z.boolean().describe("Whether DeleteCluster is refused."),
  enableExternalNode: z.boolean().describe("Whether it takes nodes from outside of the cloud."),
  clusterLevel: z.string().describe("Specification, such as `L5`: how many nodes it is made for."),
  autoUpgradeClusterLevel: z.boolean().describe("Whether the specification grows by itself."),
  qgpuShareEnable: spelt("QGPUShareEnable", z.boolean().describe("Whether GPUs are shared.")),
  runtimeVersion: z.string().describe("Version of the container runtime."),
  clusterEtcdNodeNum: z.int().describe("Nodes of etcd."),
  cdcId: z.string().optional().describe("Dedicated zone it lives in."),
  isHighAvailability: z.boolean().describe("Whether it is in high-availability mode."),
  clusterCategory: z.string().optional().describe("Category of the cluster."),
  securityModeConfig: securityModeConfig.optional().describe("Security mode of the cluster."),
});

/** A cluster in the answer of DescribeClusterStatus. */
export const clusterStatus = z.object({
  clusterId,
  clusterState: state(clusterStates).describe("State; `Running` means healthy, `Abnormal`: DescribeTasks (`create_cluster`) says why."),
  clusterInstanceState: state(clusterInstanceStates).describe("State of the nodes together; `AllNormal`: all are well."),
  clusterBMonitor: z.boolean().describe("Whether it is monitored."),
  clusterInitNodeNum: z.int().describe("Nodes being made."),
  clusterRunningNodeNum: z.int().describe("Nodes running."),
  clusterFailedNodeNum: z.int().describe("Nodes that failed."),
  clusterClosedNodeNum: z.int().describe("Nodes shut down."),
  clusterClosingNodeNum: z.int().describe("Nodes going away."),
  clusterDeletionProtection: z.boolean().describe("Whether DeleteCluster is refused."),
  clusterAuditEnabled: z.boolean().describe("Whether the audit of the Kubernetes API is on."),
});
