import { z } from "zod";
import { spelt, state } from "../../operation/operation.ts";
import { clusterInstanceStates, clusterStates, clusterStatuses } from "./states.ts";
import { clusterId, securityModeConfig, tagSpecifications } from "./structures.ts";

const networkSettings = z.object({
  clusterCidr: spelt("ClusterCIDR", z.string().describe("CIDR block of pods and services; empty in VPC-CNI clusters.")),
  ignoreClusterCidrConflict: spelt("IgnoreClusterCIDRConflict", z.boolean().describe("Whether conflicts of that CIDR block were ignored.")),
  maxNodePodNum: z.int().describe("The most pods on a node."),
  maxClusterServiceNum: z.int().describe("The most services in the cluster."),
  ipvs: z.boolean().describe("Whether services use IPVS."),
  vpcId: z.string().describe("ID of the cluster's VPC."),
  cni: z.boolean().describe("Whether the network plugin is on."),
  kubeProxyMode: z.string().describe("How services are forwarded; empty: the platform's default."),
  serviceCidr: spelt("ServiceCIDR", z.string().describe("CIDR block of services.")),
  subnets: z.array(z.string()).describe("Subnets from which pods take addresses; of VPC-CNI clusters."),
  ignoreServiceCidrConflict: spelt("IgnoreServiceCIDRConflict", z.boolean().describe("Whether conflicts of that CIDR block were ignored.")),
  isDualStack: z.boolean().describe("Whether pods and services have IPv6 addresses too."),
  ipv6ServiceCidr: spelt("Ipv6ServiceCIDR", z.string().optional().describe("IPv6 CIDR block of services; of dual-stack clusters.")),
  ciliumMode: z.string().describe("Mode of Cilium; empty: not used."),
  subnetId: z.string().describe("ID of the cluster's subnet."),
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
  projectId: z.int().describe("Project of the cluster."),
  tagSpecification: tagSpecifications.describe("Tags of the cluster."),
  clusterStatus: state(clusterStatuses).describe(
    "Status; `Abnormal`: its creation failed, and DescribeTasks (`create_cluster`) has the reason.",
  ),
  clusterState: state(clusterStates).describe("State as in DescribeClusterStatus; `Running` means healthy."),
  clusterInstanceState: state(clusterInstanceStates).describe("State of all its nodes together; `AllNormal`: none has failed."),
  clusterDeletionProtection: z.boolean().describe("Whether the cluster is protected from deletion."),
  clusterExternalEndpoint: z.string().describe("Public address; empty if no public endpoint is open."),
  clusterIntranetEndpoint: z.string().describe("Internal address; empty if no internal endpoint is open."),
  domain: z.string().describe("Access domain of the cluster."),
  property: z.string().describe("More attributes, a JSON object: `NodeNameType`, `NetworkType`, `VpcCniType`, `IsNonStaticIpMode`."),
  clusterMaterNodeNum: z.int().describe("Primary nodes (the platform's spelling)."),
  imageId: z.string().optional().describe("ID of a custom image of its nodes."),
  osCustomizeType: z.string().describe("`GENERAL` or `DOCKER_CUSTOMIZE`."),
  containerRuntime: z.string().describe("`containerd` or `docker`."),
  createdTime: z.string().describe("Time of creation, ISO 8601."),
  deletionProtection: z.boolean().describe("Whether the cluster is protected from deletion."),
  enableExternalNode: z.boolean().describe("Whether it takes external nodes."),
  clusterLevel: z.string().describe("Level, such as `L5`: the number of nodes that it supports."),
  autoUpgradeClusterLevel: z.boolean().describe("Whether the level is raised automatically."),
  qgpuShareEnable: spelt("QGPUShareEnable", z.boolean().describe("Whether GPUs are shared.")),
  runtimeVersion: z.string().describe("Version of the container runtime."),
  clusterEtcdNodeNum: z.int().describe("Nodes of etcd."),
  cdcId: z.string().optional().describe("Dedicated zone of the cluster."),
  isHighAvailability: z.boolean().describe("Whether it is in high-availability mode."),
  clusterCategory: z.string().optional().describe("Category of the cluster."),
  securityModeConfig: securityModeConfig.optional().describe("Security mode of the cluster."),
});

/** A cluster in DescribeClusterStatus. */
export const clusterStatus = z.object({
  clusterId,
  clusterState: state(clusterStates).describe(
    "State; `Running` means healthy, `Abnormal`: DescribeTasks (`create_cluster`) has the reason.",
  ),
  clusterInstanceState: state(clusterInstanceStates).describe("State of all nodes together; `AllNormal`: none has failed."),
  clusterBMonitor: z.boolean().describe("Whether it is monitored."),
  clusterInitNodeNum: z.int().describe("Number of initializing nodes."),
  clusterRunningNodeNum: z.int().describe("Nodes running."),
  clusterFailedNodeNum: z.int().describe("Number of failed nodes."),
  clusterClosedNodeNum: z.int().describe("Number of nodes that are shut down."),
  clusterClosingNodeNum: z.int().describe("Number of nodes that are being removed."),
  clusterDeletionProtection: z.boolean().describe("Whether the cluster is protected from deletion."),
  clusterAuditEnabled: z.boolean().describe("Whether the audit of the Kubernetes API is on."),
});
