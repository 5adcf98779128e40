import { z } from "zod";
import { operations, spelt, state } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, tags } from "../shared.ts";
import { cluster, clusterStatus } from "./records.ts";
import { tagChangeStates } from "./states.ts";
import {
  autoUpgradeClusterLevel,
  clusterExtraArgs,
  clusterId,
  clusterProperty,
  instanceDeleteMode,
  resourceDeleteOptions,
  securityModeConfig,
  tagErrors,
} from "./structures.ts";

const operation = operations("cluster", "2018-05-25");

export const describeClusters = operation("DescribeClusters", () => ({
  summary: "Lists clusters. Unknown IDs are left out; a deleted cluster is no longer listed.",
  input: {
    clusterIds: z.array(z.string()).optional().describe("IDs; all clusters unless given."),
    filters: filters
      .optional()
      .describe("Filters: `ClusterName`, `ClusterType`, `ClusterStatus`, `vpc-id`, `tag-key`, `tag-value`, `Tags` (`<key>:<value>`)."),
    clusterType: z.string().optional().describe("Type, such as `MANAGED_CLUSTER`."),
    ...offsetPaging(z.int()),
  },
  output: { totalCount: z.int().describe("Number of matching clusters."), clusters: z.array(cluster).describe("The clusters.") },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "clusters" },
  source: "specification",
}));

export const describeClusterStatus = operation("DescribeClusterStatus", () => ({
  summary: "Returns the state of clusters and the numbers of their nodes by state. Unknown IDs are left out.",
  input: { clusterIds: z.array(z.string()).optional().describe("IDs; all clusters unless given.") },
  output: {
    totalCount: z.int().describe("Number of clusters in the response."),
    clusterStatusSet: z.array(clusterStatus).describe("Their states."),
  },
  errors: [],
  effect: "read",
  source: "specification",
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

export const modifyClusterAttribute = operation("ModifyClusterAttribute", () => ({
  summary:
    "Changes a cluster's name, description, level and more; fields that are not given remain unchanged. The cluster is `ClusterLevelUpgrading` while its level changes.",
  input: { clusterId, ...attributes },
  output: attributes,
  errors: ["ResourceNotFound", "ResourceUnavailable.ClusterState"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const modifyClusterTags = operation("ModifyClusterTags", () => ({
  summary: "Replaces the tags of a cluster; tags that are not given are removed. DescribeBatchModifyTagsStatus shows when it is done.",
  input: {
    clusterId,
    tags: tags.optional().describe("All tags of the cluster; none unless given."),
    syncSubresource: z.boolean().optional().describe("Whether the cluster's subresources get them too; false unless given."),
    syncNodePoolTags: z.boolean().optional().describe("Whether its node pools get them too; false unless given."),
  },
  output: { tags: tags.describe("The tags.") },
  errors: [...tagErrors, "ResourceNotFound"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const describeBatchModifyTagsStatus = operation("DescribeBatchModifyTagsStatus", () => ({
  summary: "Returns the status of the latest ModifyClusterTags.",
  input: { clusterId },
  output: {
    failedResources: z
      .array(z.object({ resource: z.string().describe("The resource."), error: z.string().describe("Why it failed.") }))
      .describe("Resources that could not be tagged."),
    status: state(tagChangeStates).describe("`running`, `failed` or `done`."),
    syncSubresource: z.boolean().describe("Whether the cluster's subresources get them too."),
    tags: tags.describe("The tags."),
  },
  errors: ["FailedOperation.TaskNotFound", "ResourceNotFound"],
  effect: "read",
  source: "public-api",
}));

export const enableClusterDeletionProtection = operation("EnableClusterDeletionProtection", () => ({
  summary: "Protects a cluster from DeleteCluster.",
  input: { clusterId },
  output: {},
  errors: ["ResourceNotFound", "ResourceUnavailable.ClusterState"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const disableClusterDeletionProtection = operation("DisableClusterDeletionProtection", () => ({
  summary: "Removes the protection against DeleteCluster; no error if there was none.",
  input: { clusterId },
  output: {},
  errors: ["ResourceNotFound"],
  effect: "write",
  repeatable: true,
  source: "specification",
}));

export const deleteCluster = operation("DeleteCluster", () => ({
  summary: "Deletes a cluster, its node pools and endpoints. It is `Deleting` until it is no longer listed.",
  input: {
    clusterId,
    instanceDeleteMode,
    resourceDeleteOptions: resourceDeleteOptions
      .optional()
      .describe("Which resources such as disks are deleted; they are kept unless given."),
  },
  output: {},
  errors: ["OperationDenied.ClusterInDeletionProtection", "ResourceNotFound"],
  effect: "write",
  repeatable: true,
  source: "specification",
}));

export const addVpcCniSubnets = operation("AddVpcCniSubnets", () => ({
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
  output: {},
  errors: ["ResourceNotFound", "ResourceUnavailable.ClusterState"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const describeIpamd = operation("DescribeIPAMD", () => ({
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
  effect: "read",
  source: "public-api",
}));

export const modifyClusterExtraArgs = operation("ModifyClusterExtraArgs", () => ({
  summary:
    "Replaces the arguments of the Kubernetes components of a managed cluster; components that are not given lose theirs. The task `apply_cluster_extra_args` shows when it is done.",
  input: { clusterId, clusterExtraArgs: clusterExtraArgs.describe("All arguments of the components.") },
  output: {},
  errors: ["ResourceNotFound", "ResourceUnavailable.ClusterState", "UnsupportedOperation"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const describeClusterExtraArgs = operation("DescribeClusterExtraArgs", () => ({
  summary: "Returns the arguments of a cluster's Kubernetes components.",
  input: { clusterId },
  output: { clusterExtraArgs: clusterExtraArgs.describe("The arguments.") },
  errors: ["ResourceNotFound"],
  effect: "read",
  source: "public-api",
}));
