import { z } from "zod";
import { boolean, inExample, int, objects, operations, spelt, state, string, strings } from "../../operation/operation.ts";
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
  clusterCidr: spelt("ClusterCIDR", string("CIDR block of pods and services; empty in VPC-CNI clusters.")),
  ignoreClusterCidrConflict: spelt("IgnoreClusterCIDRConflict", boolean("Whether conflicts of that CIDR block were ignored.")),
  maxNodePodNum: int("The most pods on a node."),
  maxClusterServiceNum: int("The most services in the cluster."),
  ipvs: boolean("Whether services use IPVS."),
  vpcId: string("ID of the cluster's VPC."),
  cni: boolean("Whether the network plugin is on."),
  kubeProxyMode: string("How services are forwarded; empty: the platform's default."),
  serviceCidr: spelt("ServiceCIDR", string("CIDR block of services.")),
  subnets: strings("Subnets from which pods take addresses; of VPC-CNI clusters."),
  ignoreServiceCidrConflict: spelt("IgnoreServiceCIDRConflict", boolean("Whether conflicts of that CIDR block were ignored.")),
  isDualStack: boolean("Whether pods and services have IPv6 addresses too."),
  ipv6ServiceCidr: spelt("Ipv6ServiceCIDR", string("IPv6 CIDR block of services; of dual-stack clusters.").optional()),
  ciliumMode: string("Mode of Cilium; empty: not used."),
  subnetId: string("ID of the cluster's subnet."),
  dataPlaneV2: boolean("Whether the second data plane is used."),
});

/** A cluster: the specification's fields, and the public API's. */
const cluster = z.object({
  clusterId,
  clusterName: string("Name of the cluster."),
  clusterDescription: string("Description of the cluster."),
  clusterVersion: string("Kubernetes version, such as `1.32.2`."),
  clusterOs: string("Operating system of its nodes."),
  clusterType: string("`MANAGED_CLUSTER` or `INDEPENDENT_CLUSTER`."),
  clusterNetworkSettings: networkSettings.describe("Network of the cluster."),
  clusterNodeNum: int("Nodes in the cluster."),
  projectId: int("Project of the cluster."),
  tagSpecification: tagSpecifications.describe("Tags of the cluster."),
  clusterStatus: state(clusterStatuses).describe(
    "Status; `Abnormal`: its creation failed, and DescribeTasks (`create_cluster`) has the reason.",
  ),
  clusterState: state(clusterStates).describe("State as in DescribeClusterStatus; `Running` means healthy."),
  clusterInstanceState: state(clusterInstanceStates).describe("State of all its nodes together; `AllNormal`: none has failed."),
  clusterDeletionProtection: boolean("Whether the cluster is protected from deletion."),
  clusterExternalEndpoint: string("Public address; empty if no public endpoint is open."),
  clusterIntranetEndpoint: string("Internal address; empty if no internal endpoint is open."),
  domain: string("Access domain of the cluster."),
  property: string("More attributes, a JSON object: `NodeNameType`, `NetworkType`, `VpcCniType`, `IsNonStaticIpMode`."),
  clusterMaterNodeNum: int("Primary nodes (the platform's spelling)."),
  imageId: string("ID of a custom image of its nodes.").optional(),
  osCustomizeType: string("`GENERAL` or `DOCKER_CUSTOMIZE`."),
  containerRuntime: string("`containerd` or `docker`."),
  createdTime: string("Time of creation, ISO 8601."),
  deletionProtection: boolean("Whether the cluster is protected from deletion."),
  enableExternalNode: boolean("Whether it takes external nodes."),
  clusterLevel: string("Level, such as `L5`: the number of nodes that it supports."),
  autoUpgradeClusterLevel: boolean("Whether the level is raised automatically."),
  qgpuShareEnable: spelt("QGPUShareEnable", boolean("Whether GPUs are shared.")),
  runtimeVersion: string("Version of the container runtime."),
  clusterEtcdNodeNum: int("Nodes of etcd."),
  cdcId: string("Dedicated zone of the cluster.").optional(),
  isHighAvailability: boolean("Whether it is in high-availability mode."),
  clusterCategory: string("Category of the cluster.").optional(),
  securityModeConfig: securityModeConfig.optional().describe("Security mode of the cluster."),
});

/** A cluster in DescribeClusterStatus. */
const clusterStatus = z.object({
  clusterId,
  clusterState: state(clusterStates).describe(
    "State; `Running` means healthy, `Abnormal`: DescribeTasks (`create_cluster`) has the reason.",
  ),
  clusterInstanceState: state(clusterInstanceStates).describe("State of all nodes together; `AllNormal`: none has failed."),
  clusterBMonitor: boolean("Whether it is monitored."),
  clusterInitNodeNum: int("Number of initializing nodes."),
  clusterRunningNodeNum: int("Nodes running."),
  clusterFailedNodeNum: int("Number of failed nodes."),
  clusterClosedNodeNum: int("Number of nodes that are shut down."),
  clusterClosingNodeNum: int("Number of nodes that are being removed."),
  clusterDeletionProtection: boolean("Whether the cluster is protected from deletion."),
  clusterAuditEnabled: boolean("Whether the audit of the Kubernetes API is on."),
});

const { operation, publicApiOperation } = operations("cluster", "2018-05-25");

export const describeClusters = operation("DescribeClusters", () => ({
  summary: "Lists clusters. Unknown IDs are left out; a deleted cluster is no longer listed.",
  input: {
    clusterIds: strings("IDs; all clusters unless given.").optional(),
    filters: filters("Filters: `ClusterName`, `ClusterType`, `ClusterStatus`, `vpc-id`, `tag-key`, `tag-value`, `Tags` (`<key>:<value>`)."),
    clusterType: string("Type, such as `MANAGED_CLUSTER`.").optional(),
    ...offsetPaging(z.int()),
  },
  output: { totalCount: int("Number of matching clusters."), clusters: z.array(cluster).describe("The clusters.") },
  errors: listingErrors,
  pages: { by: "offset", items: "clusters" },
}));

export const describeClusterStatus = operation("DescribeClusterStatus", () => ({
  summary: "Returns the state of clusters and the numbers of their nodes by state. Unknown IDs are left out.",
  input: { clusterIds: strings("IDs; all clusters unless given.").optional() },
  output: {
    totalCount: int("Number of clusters in the response."),
    clusterStatusSet: z.array(clusterStatus).describe("Their states."),
  },
}));

const attributes = {
  projectId: int("Project of the cluster.").optional(),
  clusterName: string("Name.").optional(),
  clusterDesc: string("Description.").optional(),
  clusterLevel: string("Level, such as `L20`.").optional(),
  autoUpgradeClusterLevel: autoUpgradeClusterLevel.optional().describe("Whether the level is raised automatically."),
  qgpuShareEnable: spelt("QGPUShareEnable", boolean("Whether GPUs are shared.").optional()),
  clusterProperty: clusterProperty.optional().describe("Further attributes."),
  isHighAvailability: boolean("Whether it is in high-availability mode.").optional(),
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
    syncSubresource: boolean("Whether the cluster's subresources get them too; false unless given.").optional(),
    syncNodePoolTags: boolean("Whether its node pools get them too; false unless given.").optional(),
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
      resource: string("The resource."),
      error: string("Why it failed."),
    }),
    status: state(tagChangeStates).describe("`running`, `failed` or `done`."),
    syncSubresource: boolean("Whether the cluster's subresources get them too."),
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
    subnetIds: strings("IDs of subnets of the cluster's VPC."),
    vpcId: string("ID of the cluster's VPC."),
    skipAddingNonMasqueradeCidrs: spelt(
      "SkipAddingNonMasqueradeCIDRs",
      boolean("Whether the VPC's CIDR block is left out of the CIDR blocks without masquerading; false unless given.").optional(),
    ),
  },
  errors: ["ResourceNotFound", "ResourceUnavailable.ClusterState"],
  repeatable: true,
}));

export const describeIpamd = publicApiOperation("DescribeIPAMD", () => ({
  summary: "Returns the VPC-CNI component of a cluster, with the subnets from which pods take addresses.",
  input: { clusterId },
  output: {
    enableIpamd: spelt("EnableIPAMD", boolean("Whether the cluster has the component: true in VPC-CNI clusters.")),
    enableCustomizedPodCidr: boolean("Whether nodes have pod CIDR blocks of custom sizes.").optional(),
    disableVpcCniMode: boolean("Whether VPC-CNI is switched off.").optional(),
    phase: string("State of the component: `initializing`, `running`.").optional(),
    reason: string("Reason if it does not run.").optional(),
    subnetIds: strings("The subnets.").optional(),
    claimExpiredDuration: string("How long fixed addresses are kept, such as `300s`.").optional(),
    enableTrunkingEni: spelt("EnableTrunkingENI", boolean("Whether network cards are trunked.").optional()),
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
      string("CIDR block of pods and services, such as `172.16.0.0/16`, outside of the VPC's; required with GR.").optional(),
    ),
  ),
  ignoreClusterCidrConflict: spelt(
    "IgnoreClusterCIDRConflict",
    boolean("Whether conflicts of that CIDR block are ignored; false unless given.").optional(),
  ),
  maxNodePodNum: z.int().min(16).max(256).optional().describe("The most pods on a node, 16 to 256; 256 unless given."),
  maxClusterServiceNum: z.int().min(32).max(32768).optional().describe("The most services, 32 to 32768; 256 unless given."),
  serviceCidr: spelt("ServiceCIDR", string("CIDR block of services, outside of the VPC's.").optional()),
  eniSubnetIds: strings("Subnets from which pods take addresses; at least one with VPC-CNI.").optional(),
  claimExpiredSeconds: z
    .int()
    .min(300)
    .max(15_768_000)
    .optional()
    .describe("Seconds until unused addresses are released, 300 to 15768000; with VPC-CNI."),
  ignoreServiceCidrConflict: spelt(
    "IgnoreServiceCIDRConflict",
    boolean("Whether conflicts of the CIDR block of services are ignored; with VPC-CNI.").optional(),
  ),
});

const basicSettings = z.object({
  clusterOs: string("Operating system of the nodes; the platform's unless given.").optional(),
  clusterVersion: string("Kubernetes version; the newest unless given.").optional(),
  clusterName: string("Name; the cluster's ID unless given.").optional(),
  clusterDescription: string("Description.").optional(),
  vpcId: string("ID of the VPC; the same as the top-level `VpcId`.").optional(),
  projectId: int("Project of the cluster; 0 unless given.").optional(),
  tagSpecification: tagSpecifications.optional().describe("Tags; `ResourceType` is `cluster`."),
  osCustomizeType: string("`GENERAL`, the default, or `DOCKER_CUSTOMIZE`.").optional(),
  needWorkSecurityGroup: boolean("Whether nodes get the default security group; false unless given.").optional(),
  subnetId: string("ID of the cluster's subnet; the same as the top-level `SubnetId`.").optional(),
  clusterLevel: string("Level, such as `L5`, the default; see DescribeClusterLevelAttribute.").optional(),
  autoUpgradeClusterLevel: autoUpgradeClusterLevel.optional().describe("Whether the level is raised automatically; false unless given."),
});

export const networkTypes = ["GR", "VPC-CNI"] as const;
export const containerRuntimes = ["containerd", "docker"] as const;

const advancedSettings = z.object({
  asEnabled: boolean("Whether nodes are scaled automatically.").optional(),
  auditEnabled: boolean("Whether the audit of the Kubernetes API is on.").optional(),
  auditLogTopicId: string("Topic of the audit logs.").optional(),
  auditLogsetId: string("Log set of the audit logs.").optional(),
  basePodNumber: int("The most pods on a node, in the custom PodCIDR mode.").optional(),
  ciliumMode: string("Mode of Cilium; Cilium is not used unless given.").optional(),
  containerRuntime: z.enum(containerRuntimes).optional().describe("`containerd`, the default, or `docker`."),
  dataPlaneV2: boolean("Whether the second data plane is used.").optional(),
  deletionProtection: boolean("Whether the cluster is protected from deletion; false unless given.").optional(),
  enableCustomizedPodCidr: spelt("EnableCustomizedPodCIDR", boolean("Whether nodes have pod CIDR blocks of custom sizes.").optional()),
  etcdOverrideConfigs: objects("Objects that are kept in a separate etcd.", {
    resources: strings("Kinds of objects."),
  }).optional(),
  extraArgs: clusterExtraArgs.optional().describe("Arguments of the cluster's Kubernetes components."),
  ipvs: spelt("IPVS", boolean("Whether services use IPVS; false unless given.").optional()),
  isDualStack: boolean("Whether pods and services have IPv6 addresses too; needs VPC-CNI and subnets with a /64.").optional(),
  isNonStaticIpMode: boolean("Whether pods' addresses change; with VPC-CNI.").optional(),
  kubeProxyMode: string("How services are forwarded: `ipvs-bpf`; the platform's default unless given.").optional(),
  networkType: z.enum(networkTypes).optional().describe("`GR`, the default, or `VPC-CNI`."),
  nodeNameType: string("How nodes are named: `lan-ip`, the default, or `hostname`.").optional(),
  qgpuShareEnable: spelt("QGPUShareEnable", boolean("Whether GPUs are shared.").optional()),
  runtimeVersion: string("Version of the container runtime; the platform's unless given.").optional(),
  vpcCniType: string("`tke-route-eni`, the default, or `tke-direct-eni`; with VPC-CNI.").optional(),
  isHighAvailability: boolean("Whether it is in high-availability mode.").optional(),
  securityModeConfig: securityModeConfig.optional().describe("Security mode of the cluster."),
});

export const clusterTypes = ["MANAGED_CLUSTER", "INDEPENDENT_CLUSTER"] as const;

export const createCluster = operation("CreateCluster", () => ({
  summary: "Creates a cluster. It is `Creating` at first; DescribeClusterStatus shows when it is `Running`.",
  input: {
    vpcId: inExample(string("ID of the VPC; required, here or in `ClusterBasicSettings`.").optional()),
    subnetId: inExample(
      string("ID of the subnet, with at least 10 available addresses; required, here or in `ClusterBasicSettings`.").optional(),
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
      instanceType: string("Type of the instances."),
      dataDisks: z.array(mountedDataDisk).describe("Data disks and their mount points."),
      zone: string("Zone of the instances."),
    }).optional(),
    extensionAddons: objects("Add-ons to install.", {
      addonName: string("Name of the add-on."),
      addonParam: string("Its parameters, a JSON object as text."),
    }).optional(),
    cdcId: string("Dedicated zone of the cluster.").optional(),
    disableAddons: strings("Names of add-ons not to install.").optional(),
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
