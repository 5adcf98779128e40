import { z } from "zod";
import { inExample, objects, operations, spelt, state } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, taggingErrors, tags } from "../shared.ts";
import { newNodes } from "./nodes.ts";
import { clusterInstanceStates, clusterStates, clusterStatuses, tagChangeStates } from "./states.ts";
import {
  autoUpgradeClusterLevel,
  clusterExtraArgs,
  clusterId,
  clusterProperty,
  instanceDeleteMode,
  mountedDataDisk,
  resourceDeleteOptions,
  securityModeConfig,
  tagSpecifications,
} from "./structures.ts";

export const networkSettings = z.object({
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
const cluster = z.object({
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
const clusterStatus = z.object({
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

const { operation, publicApiOperation } = operations("cluster", "2018-05-25");

export const describeClusters = operation("DescribeClusters", () => ({
  summary: "Lists clusters. Unknown IDs are left out; a deleted cluster is no longer listed.",
  input: {
    clusterIds: z.array(z.string()).optional().describe("IDs; all clusters unless given."),
    filters: filters("Filters: `ClusterName`, `ClusterType`, `ClusterStatus`, `vpc-id`, `tag-key`, `tag-value`, `Tags` (`<key>:<value>`)."),
    clusterType: z.string().optional().describe("Type, such as `MANAGED_CLUSTER`."),
    ...offsetPaging(z.int()),
  },
  output: { totalCount: z.int().describe("Number of matching clusters."), clusters: z.array(cluster).describe("The clusters.") },
  errors: listingErrors,
  pages: { by: "offset", items: "clusters" },
}));

export const describeClusterStatus = operation("DescribeClusterStatus", () => ({
  summary: "Returns the state of clusters and the numbers of their nodes by state. Unknown IDs are left out.",
  input: { clusterIds: z.array(z.string()).optional().describe("IDs; all clusters unless given.") },
  output: {
    totalCount: z.int().describe("Number of clusters in the response."),
    clusterStatusSet: z.array(clusterStatus).describe("Their states."),
  },
}));

const attributes = {
  projectId: z.int().optional().describe("Project of the cluster."),
  clusterName: z.string().optional().describe("Name."),
  clusterDesc: z.string().optional().describe("Description."),
  clusterLevel: z.string().optional().describe("Level, such as `L20`."),
  autoUpgradeClusterLevel: autoUpgradeClusterLevel.optional().describe("Whether the level is raised automatically."),
  qgpuShareEnable: spelt("QGPUShareEnable", z.boolean().optional().describe("Whether GPUs are shared.")),
  clusterProperty: clusterProperty.optional().describe("Further attributes."),
  isHighAvailability: z.boolean().optional().describe("Whether it is in high-availability mode."),
  securityModeConfig: securityModeConfig.optional().describe("Security mode of the cluster."),
};

export const modifyClusterAttribute = publicApiOperation("ModifyClusterAttribute", () => ({
  summary:
    "Changes a cluster's name, description, level and more; fields that are not given remain unchanged. The cluster is `ClusterLevelUpgrading` while its level changes.",
  input: { clusterId, ...attributes },
  output: attributes,
  errors: ["ResourceNotFound", "ResourceUnavailable.ClusterState"],
  repeatable: true,
}));

export const modifyClusterTags = publicApiOperation("ModifyClusterTags", () => ({
  summary: "Replaces the tags of a cluster; tags that are not given are removed. DescribeBatchModifyTagsStatus shows when it is done.",
  input: {
    clusterId,
    tags: tags.optional().describe("All tags of the cluster; none unless given."),
    syncSubresource: z.boolean().optional().describe("Whether the cluster's subresources get them too; false unless given."),
    syncNodePoolTags: z.boolean().optional().describe("Whether its node pools get them too; false unless given."),
  },
  output: { tags: tags.describe("The tags.") },
  errors: [...taggingErrors, "ResourceNotFound"],
  repeatable: true,
}));

export const describeBatchModifyTagsStatus = publicApiOperation("DescribeBatchModifyTagsStatus", () => ({
  summary: "Returns the status of the latest ModifyClusterTags.",
  input: { clusterId },
  output: {
    failedResources: objects("Resources that could not be tagged.", {
      resource: z.string().describe("The resource."),
      error: z.string().describe("Why it failed."),
    }),
    status: state(tagChangeStates).describe("`running`, `failed` or `done`."),
    syncSubresource: z.boolean().describe("Whether the cluster's subresources get them too."),
    tags: tags.describe("The tags."),
  },
  errors: ["FailedOperation.TaskNotFound", "ResourceNotFound"],
}));

export const enableClusterDeletionProtection = publicApiOperation("EnableClusterDeletionProtection", () => ({
  summary: "Protects a cluster from DeleteCluster.",
  input: { clusterId },
  errors: ["ResourceNotFound", "ResourceUnavailable.ClusterState"],
  repeatable: true,
}));

export const disableClusterDeletionProtection = operation("DisableClusterDeletionProtection", () => ({
  summary: "Removes the protection against DeleteCluster; no error if there was none.",
  input: { clusterId },
  errors: ["ResourceNotFound"],
  repeatable: true,
}));

export const deleteCluster = operation("DeleteCluster", () => ({
  summary: "Deletes a cluster, its node pools and endpoints. It is `Deleting` until it is no longer listed.",
  input: {
    clusterId,
    instanceDeleteMode,
    resourceDeleteOptions: resourceDeleteOptions.optional(),
  },
  errors: ["OperationDenied.ClusterInDeletionProtection", "ResourceNotFound"],
  repeatable: true,
}));

export const addVpcCniSubnets = publicApiOperation("AddVpcCniSubnets", () => ({
  summary: "Adds subnets from which the pods of a VPC-CNI cluster take addresses. They cannot be removed.",
  input: {
    clusterId,
    subnetIds: z.array(z.string()).describe("IDs of subnets of the cluster's VPC."),
    vpcId: z.string().describe("ID of the cluster's VPC."),
    skipAddingNonMasqueradeCidrs: spelt(
      "SkipAddingNonMasqueradeCIDRs",
      z
        .boolean()
        .optional()
        .describe("Whether the VPC's CIDR block is left out of the CIDR blocks without masquerading; false unless given."),
    ),
  },
  errors: ["ResourceNotFound", "ResourceUnavailable.ClusterState"],
  repeatable: true,
}));

export const describeIpamd = publicApiOperation("DescribeIPAMD", () => ({
  summary: "Returns the VPC-CNI component of a cluster, with the subnets from which pods take addresses.",
  input: { clusterId },
  output: {
    enableIpamd: spelt("EnableIPAMD", z.boolean().describe("Whether the cluster has the component: true in VPC-CNI clusters.")),
    enableCustomizedPodCidr: z.boolean().optional().describe("Whether nodes have pod CIDR blocks of custom sizes."),
    disableVpcCniMode: z.boolean().optional().describe("Whether VPC-CNI is switched off."),
    phase: z.string().optional().describe("State of the component: `initializing`, `running`."),
    reason: z.string().optional().describe("Reason if it does not run."),
    subnetIds: z.array(z.string()).optional().describe("The subnets."),
    claimExpiredDuration: z.string().optional().describe("How long fixed addresses are kept, such as `300s`."),
    enableTrunkingEni: spelt("EnableTrunkingENI", z.boolean().optional().describe("Whether network cards are trunked.")),
  },
  errors: ["ResourceNotFound"],
}));

export const modifyClusterExtraArgs = publicApiOperation("ModifyClusterExtraArgs", () => ({
  summary:
    "Replaces the arguments of the Kubernetes components of a managed cluster; components that are not given lose theirs. The task `apply_cluster_extra_args` shows when it is done.",
  input: { clusterId, clusterExtraArgs: clusterExtraArgs.describe("All arguments of the components.") },
  errors: ["ResourceNotFound", "ResourceUnavailable.ClusterState", "UnsupportedOperation"],
  repeatable: true,
}));

export const describeClusterExtraArgs = publicApiOperation("DescribeClusterExtraArgs", () => ({
  summary: "Returns the arguments of a cluster's Kubernetes components.",
  input: { clusterId },
  output: { clusterExtraArgs: clusterExtraArgs.describe("The arguments.") },
  errors: ["ResourceNotFound"],
}));

const cidrSettings = z.object({
  clusterCidr: inExample(
    spelt(
      "ClusterCIDR",
      z.string().optional().describe("CIDR block of pods and services, such as `172.16.0.0/16`, outside of the VPC's; required with GR."),
    ),
  ),
  ignoreClusterCidrConflict: spelt(
    "IgnoreClusterCIDRConflict",
    z.boolean().optional().describe("Whether conflicts of that CIDR block are ignored; false unless given."),
  ),
  maxNodePodNum: z.int().min(16).max(256).optional().describe("The most pods on a node, 16 to 256; 256 unless given."),
  maxClusterServiceNum: z.int().min(32).max(32768).optional().describe("The most services, 32 to 32768; 256 unless given."),
  serviceCidr: spelt("ServiceCIDR", z.string().optional().describe("CIDR block of services, outside of the VPC's.")),
  eniSubnetIds: z.array(z.string()).optional().describe("Subnets from which pods take addresses; at least one with VPC-CNI."),
  claimExpiredSeconds: z
    .int()
    .min(300)
    .max(15_768_000)
    .optional()
    .describe("Seconds until unused addresses are released, 300 to 15768000; with VPC-CNI."),
  ignoreServiceCidrConflict: spelt(
    "IgnoreServiceCIDRConflict",
    z.boolean().optional().describe("Whether conflicts of the CIDR block of services are ignored; with VPC-CNI."),
  ),
});

const basicSettings = z.object({
  clusterOs: z.string().optional().describe("Operating system of the nodes; the platform's unless given."),
  clusterVersion: z.string().optional().describe("Kubernetes version; the newest unless given."),
  clusterName: z.string().optional().describe("Name; the cluster's ID unless given."),
  clusterDescription: z.string().optional().describe("Description."),
  vpcId: z.string().optional().describe("ID of the VPC; the same as the top-level `VpcId`."),
  projectId: z.int().optional().describe("Project of the cluster; 0 unless given."),
  tagSpecification: tagSpecifications.optional().describe("Tags; `ResourceType` is `cluster`."),
  osCustomizeType: z.string().optional().describe("`GENERAL`, the default, or `DOCKER_CUSTOMIZE`."),
  needWorkSecurityGroup: z.boolean().optional().describe("Whether nodes get the default security group; false unless given."),
  subnetId: z.string().optional().describe("ID of the cluster's subnet; the same as the top-level `SubnetId`."),
  clusterLevel: z.string().optional().describe("Level, such as `L5`, the default; see DescribeClusterLevelAttribute."),
  autoUpgradeClusterLevel: autoUpgradeClusterLevel.optional().describe("Whether the level is raised automatically; false unless given."),
});

export const networkTypes = ["GR", "VPC-CNI"] as const;
export const containerRuntimes = ["containerd", "docker"] as const;

const advancedSettings = z.object({
  asEnabled: z.boolean().optional().describe("Whether nodes are scaled automatically."),
  auditEnabled: z.boolean().optional().describe("Whether the audit of the Kubernetes API is on."),
  auditLogTopicId: z.string().optional().describe("Topic of the audit logs."),
  auditLogsetId: z.string().optional().describe("Log set of the audit logs."),
  basePodNumber: z.int().optional().describe("The most pods on a node, in the custom PodCIDR mode."),
  ciliumMode: z.string().optional().describe("Mode of Cilium; Cilium is not used unless given."),
  containerRuntime: z.enum(containerRuntimes).optional().describe("`containerd`, the default, or `docker`."),
  dataPlaneV2: z.boolean().optional().describe("Whether the second data plane is used."),
  deletionProtection: z.boolean().optional().describe("Whether the cluster is protected from deletion; false unless given."),
  enableCustomizedPodCidr: spelt(
    "EnableCustomizedPodCIDR",
    z.boolean().optional().describe("Whether nodes have pod CIDR blocks of custom sizes."),
  ),
  etcdOverrideConfigs: objects("Objects that are kept in a separate etcd.", {
    resources: z.array(z.string()).describe("Kinds of objects."),
  }).optional(),
  extraArgs: clusterExtraArgs.optional().describe("Arguments of the cluster's Kubernetes components."),
  ipvs: spelt("IPVS", z.boolean().optional().describe("Whether services use IPVS; false unless given.")),
  isDualStack: z.boolean().optional().describe("Whether pods and services have IPv6 addresses too; needs VPC-CNI and subnets with a /64."),
  isNonStaticIpMode: z.boolean().optional().describe("Whether pods' addresses change; with VPC-CNI."),
  kubeProxyMode: z.string().optional().describe("How services are forwarded: `ipvs-bpf`; the platform's default unless given."),
  networkType: z.enum(networkTypes).optional().describe("`GR`, the default, or `VPC-CNI`."),
  nodeNameType: z.string().optional().describe("How nodes are named: `lan-ip`, the default, or `hostname`."),
  qgpuShareEnable: spelt("QGPUShareEnable", z.boolean().optional().describe("Whether GPUs are shared.")),
  runtimeVersion: z.string().optional().describe("Version of the container runtime; the platform's unless given."),
  vpcCniType: z.string().optional().describe("`tke-route-eni`, the default, or `tke-direct-eni`; with VPC-CNI."),
  isHighAvailability: z.boolean().optional().describe("Whether it is in high-availability mode."),
  securityModeConfig: securityModeConfig.optional().describe("Security mode of the cluster."),
});

export const clusterTypes = ["MANAGED_CLUSTER", "INDEPENDENT_CLUSTER"] as const;

export const createCluster = operation("CreateCluster", () => ({
  summary: "Creates a cluster. It is `Creating` at first; DescribeClusterStatus shows when it is `Running`.",
  input: {
    vpcId: inExample(z.string().optional().describe("ID of the VPC; required, here or in `ClusterBasicSettings`.")),
    subnetId: inExample(
      z
        .string()
        .optional()
        .describe("ID of the subnet, with at least 10 available addresses; required, here or in `ClusterBasicSettings`."),
    ),
    clusterType: z
      .enum(clusterTypes)
      .optional()
      .describe(
        "`MANAGED_CLUSTER`, the default: the platform runs the control plane. `INDEPENDENT_CLUSTER`: the control plane runs on the cluster's own nodes.",
      ),
    clusterCidrSettings: inExample(spelt("ClusterCIDRSettings", cidrSettings.optional().describe("CIDR blocks of pods and services."))),
    clusterBasicSettings: basicSettings.optional().describe("Name, version, level and network."),
    clusterAdvancedSettings: advancedSettings.optional().describe("Network type, runtime, protection and more."),
    ...newNodes,
    instanceDataDiskMountSettings: objects("Mount points of data disks, by type of instance and zone.", {
      instanceType: z.string().describe("Type of the instances."),
      dataDisks: z.array(mountedDataDisk).describe("Data disks and their mount points."),
      zone: z.string().describe("Zone of the instances."),
    }).optional(),
    extensionAddons: objects("Add-ons to install.", {
      addonName: z.string().describe("Name of the add-on."),
      addonParam: z.string().describe("Its parameters, a JSON object as text."),
    }).optional(),
    cdcId: z.string().optional().describe("Dedicated zone of the cluster."),
    disableAddons: z.array(z.string()).optional().describe("Names of add-ons not to install."),
  },
  output: { clusterId },
  errors: [
    "FailedOperation.CvmVpcidNotMatch",
    "InvalidParameter.CidrConflictWithOtherCluster",
    "InvalidParameter.CidrConflictWithVpcCidr",
    "InvalidParameter.CidrInvalid",
    "InvalidZone.ZoneNotAvailable",
    "LimitExceeded",
    "ResourceNotFound",
    ...taggingErrors,
  ],
}));
