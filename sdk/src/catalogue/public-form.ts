import { z } from "zod";
import { object, objects, operations } from "../operation/operation.ts";
import { clusterId } from "./cluster/structures.ts";
import { registryId } from "./registry/structures.ts";
import { policyErrors, policySetInput } from "./vpc/security-groups.ts";
import { securityGroupId } from "./vpc/vpcs.ts";

/** Operations that only the public API's form has. Each apply of the vendor's Terraform provider calls some of them. */

const cluster = operations("cluster", "2018-05-25");
const registry = operations("registry", "2019-09-24");
const tag = operations("tag", "2018-08-13");
const vpc = operations("vpc", "2017-03-12");

const totalCount = z.int().describe("Number of items on all pages.");
const offset = z.int().optional().describe("Number of items to skip; 0 unless given.");
const limit = z.int().min(1).max(100).optional();

export const describeResourceTagsByResourceIds = tag.publicApiOperation("DescribeResourceTagsByResourceIds", () => ({
  summary: "Lists the tags of several resources of one type.",
  input: {
    serviceType: z.string().describe("Service of the resources, as in their names: `vpc`, `cvm`, `tcr`."),
    resourcePrefix: z.string().describe("Type of the resources, as in their names, such as `subnet`."),
    resourceIds: z.array(z.string()).describe("IDs of the resources, at most 50."),
    resourceRegion: z.string().describe("Region of the resources."),
    offset,
    limit: limit.describe("The most tags to return, 1 to 100; 15 unless given."),
    category: z.string().optional().describe("Category of the tags; the emulator has one."),
  },
  output: {
    totalCount,
    offset: z.int().describe("Number of items that were skipped."),
    limit: z.int().describe("The most items on this page."),
    tags: objects("The tags. Resources that do not exist, and types without tags, have none.", {
      tagKey: z.string().describe("Key of the tag."),
      tagValue: z.string().describe("Value of the tag."),
      resourceId: z.string().describe("ID of the resource."),
      serviceType: z.string().describe("Service of the resource."),
    }),
  },
  errors: ["InvalidParameterValue.LimitExceeded", "InvalidParameterValue.ResourceDescriptionError"],
}));

export const modifySecurityGroupPolicies = vpc.publicApiOperation("ModifySecurityGroupPolicies", () => ({
  summary: "Replaces all rules of the given directions of a security group; `Version` `0` removes all rules.",
  input: {
    securityGroupId,
    securityGroupPolicySet: policySetInput(),
    sortPolicys: z.boolean().optional().describe("Whether the rules keep the given order; in the emulator they always do."),
  },
  errors: [...policyErrors, "UnsupportedOperation.DuplicatePolicy", "LimitExceeded.SecurityGroupPolicySet"],
}));

export const describeClusterAsGroupOption = cluster.publicApiOperation("DescribeClusterAsGroupOption", () => ({
  summary: "Returns how the cluster scales its node pools with scaling groups.",
  input: { clusterId },
  output: {
    clusterAsGroupOption: object("The options; those of a new cluster, which the emulator does not change.", {
      isScaleDownEnabled: z.boolean().optional().describe("Whether unused nodes are removed."),
      expander: z.string().describe("How a node pool is chosen: `random`."),
      maxEmptyBulkDelete: z.int().optional().describe("The most empty nodes that are removed at once."),
      scaleDownDelay: z.int().optional().describe("Minutes without removals after a new node."),
      scaleDownUnneededTime: z.int().optional().describe("Minutes until an unused node is removed."),
      scaleDownUtilizationThreshold: z.int().optional().describe("Percentage of use below which a node is unused."),
      skipNodesWithLocalStorage: z.boolean().optional().describe("Whether nodes with local storage stay."),
      skipNodesWithSystemPods: z.boolean().optional().describe("Whether nodes with system pods stay."),
    }),
  },
  errors: ["ResourceNotFound"],
}));

export const describeClusterVirtualNode = cluster.publicApiOperation("DescribeClusterVirtualNode", () => ({
  summary: "Lists the virtual nodes of a cluster; the emulator has none.",
  input: {
    clusterId,
    nodePoolId: z.string().optional().describe("ID of the node pool of the virtual nodes."),
    nodeNames: z.array(z.string()).optional().describe("Names of virtual nodes."),
  },
  output: { nodes: objects("The virtual nodes.", { name: z.string().describe("Name of the node.") }), totalCount },
  errors: ["ResourceNotFound"],
}));

const logSwitch = z.object({ enable: z.boolean().describe("Whether it is on.") });

export const describeLogSwitches = cluster.publicApiOperation("DescribeLogSwitches", () => ({
  summary: "Returns which logs of clusters are kept.",
  input: {
    clusterIds: z.array(clusterId).describe("IDs of the clusters."),
    clusterType: z.string().optional().describe("Type of the clusters, such as `tke`."),
  },
  output: {
    switchSet: objects("The switches of each cluster. In the emulator, all are off but for the audit.", {
      clusterId,
      audit: logSwitch.describe("Audit of the Kubernetes API."),
      event: logSwitch.describe("Events of Kubernetes."),
      log: logSwitch.describe("Logs of workloads."),
      masterLog: logSwitch.describe("Logs of the control plane."),
    }).optional(),
  },
  errors: ["ResourceNotFound"],
}));

export const describeReplicationInstances = registry.publicApiOperation("DescribeReplicationInstances", () => ({
  summary: "Lists the replicas of a registry in other regions; the emulator has none.",
  input: { registryId, offset, limit: limit.describe("The most replicas to return, 1 to 100; 20 unless given.") },
  output: {
    totalCount,
    replicationRegistries: objects("The replicas.", { registryId }).optional(),
  },
  errors: ["ResourceNotFound"],
}));
