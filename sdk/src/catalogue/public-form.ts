import { z } from "zod";
import { boolean, int, object, objects, operations, string, strings } from "../operation/operation.ts";
import { clusterId } from "./cluster/structures.ts";
import { registryId } from "./registry/structures.ts";
import { policyErrors, policySetInput } from "./vpc/security-groups.ts";
import { securityGroupId } from "./vpc/vpcs.ts";

/** Operations that only the public API's form has. Each apply of the vendor's Terraform provider calls some of them. */

const cluster = operations("cluster", "2018-05-25");
const registry = operations("registry", "2019-09-24");
const tag = operations("tag", "2018-08-13");
const vpc = operations("vpc", "2017-03-12");

const totalCount = int("Number of items on all pages.");
const offset = int("Number of items to skip; 0 unless given.").optional();
const limit = z.int().min(1).max(100).optional();

export const describeResourceTagsByResourceIds = tag.publicApiOperation("DescribeResourceTagsByResourceIds", () => ({
  summary: "Lists the tags of several resources of one type.",
  input: {
    serviceType: string("Service of the resources, as in their names: `vpc`, `cvm`, `tcr`."),
    resourcePrefix: string("Type of the resources, as in their names, such as `subnet`."),
    resourceIds: strings("IDs of the resources, at most 50."),
    resourceRegion: string("Region of the resources."),
    offset,
    limit: limit.describe("The most tags to return, 1 to 100; 15 unless given."),
    category: string("Category of the tags; the emulator has one.").optional(),
  },
  output: {
    totalCount,
    offset: int("Number of items that were skipped."),
    limit: int("The most items on this page."),
    tags: objects("The tags. Resources that do not exist, and types without tags, have none.", {
      tagKey: string("Key of the tag."),
      tagValue: string("Value of the tag."),
      resourceId: string("ID of the resource."),
      serviceType: string("Service of the resource."),
    }),
  },
  errors: ["InvalidParameterValue.LimitExceeded", "InvalidParameterValue.ResourceDescriptionError"],
}));

export const modifySecurityGroupPolicies = vpc.publicApiOperation("ModifySecurityGroupPolicies", () => ({
  summary: "Replaces all rules of the given directions of a security group; `Version` `0` removes all rules.",
  input: {
    securityGroupId,
    securityGroupPolicySet: policySetInput(),
    sortPolicys: boolean("Whether the rules keep the given order; in the emulator they always do.").optional(),
  },
  errors: [...policyErrors, "UnsupportedOperation.DuplicatePolicy", "LimitExceeded.SecurityGroupPolicySet"],
}));

export const describeClusterAsGroupOption = cluster.publicApiOperation("DescribeClusterAsGroupOption", () => ({
  summary: "Returns how the cluster scales its node pools with scaling groups.",
  input: { clusterId },
  output: {
    clusterAsGroupOption: object("The options; those of a new cluster, which the emulator does not change.", {
      isScaleDownEnabled: boolean("Whether unused nodes are removed.").optional(),
      expander: string("How a node pool is chosen: `random`."),
      maxEmptyBulkDelete: int("The most empty nodes that are removed at once.").optional(),
      scaleDownDelay: int("Minutes without removals after a new node.").optional(),
      scaleDownUnneededTime: int("Minutes until an unused node is removed.").optional(),
      scaleDownUtilizationThreshold: int("Percentage of use below which a node is unused.").optional(),
      skipNodesWithLocalStorage: boolean("Whether nodes with local storage stay.").optional(),
      skipNodesWithSystemPods: boolean("Whether nodes with system pods stay.").optional(),
    }),
  },
  errors: ["ResourceNotFound"],
}));

export const describeClusterVirtualNode = cluster.publicApiOperation("DescribeClusterVirtualNode", () => ({
  summary: "Lists the virtual nodes of a cluster; the emulator has none.",
  input: {
    clusterId,
    nodePoolId: string("ID of the node pool of the virtual nodes.").optional(),
    nodeNames: strings("Names of virtual nodes.").optional(),
  },
  output: { nodes: objects("The virtual nodes.", { name: string("Name of the node.") }), totalCount },
  errors: ["ResourceNotFound"],
}));

const logSwitch = z.object({ enable: boolean("Whether it is on.") });

export const describeLogSwitches = cluster.publicApiOperation("DescribeLogSwitches", () => ({
  summary: "Returns which logs of clusters are kept.",
  input: {
    clusterIds: z.array(clusterId).describe("IDs of the clusters."),
    clusterType: string("Type of the clusters, such as `tke`.").optional(),
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
