import { z } from "zod";
import { boolean, int, object, objects, operations, sensitive, spelt, state, string, strings } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, taggingErrors, tags } from "../shared.ts";
import {
  annotations,
  clusterId,
  disk,
  gpuArgs,
  gpuConfigs,
  instanceAdvancedSettings,
  instanceChargePrepaid,
  instanceChargeTypes,
  instanceExtraArgs,
  internetAccessible,
  labels,
  lifecycle,
  management,
  mountedDataDisk,
  nativeSettings,
  nodePoolId,
  scaling,
  tagSpecifications,
  taints,
  toldDataDisks,
  toldDisk,
  upgradeSettings,
} from "./structures.ts";
import { nodePoolLifeStates, nodePoolLifeStates2018 } from "./states.ts";
import { containerRuntimes } from "./clusters.ts";

const { operation, publicApiOperation } = operations("cluster", "2018-05-25");
const version2022 = operations("cluster", "2022-05-01");

export const nodePoolTypes = ["Native"] as const;

const nodeCounts = z.object({
  joining: int("Nodes being added."),
  initializing: int("Nodes being initialized."),
  normal: int("Running nodes."),
  total: int("All nodes."),
});

const nodeCountSummary = z.object({
  manuallyAdded: nodeCounts.describe("Nodes added by hand."),
  autoscalingAdded: nodeCounts.describe("Nodes that the node pool created."),
});

const runtimeConfig = z.object({
  runtimeType: string("Container runtime."),
  runtimeVersion: string("Its version."),
});

export const nativeNodePool = z.object({
  scaling: scaling.describe("Bounds of the number of nodes."),
  subnetIds: strings("Subnets of the nodes."),
  securityGroupIds: strings("Security groups of the nodes."),
  upgradeSettings: upgradeSettings.optional().describe("Automatic upgrade of the nodes."),
  autoRepair: boolean("Whether broken nodes are repaired."),
  instanceChargeType: state(instanceChargeTypes).describe("How nodes are charged."),
  instanceChargePrepaid: instanceChargePrepaid.optional().describe("Prepaid period of the nodes; with `PREPAID`."),
  systemDisk: toldDisk.describe("System disk of the nodes."),
  keyIds: strings("Key pairs to log in with."),
  management: management.optional().describe("Name servers, hosts and kernel parameters of the nodes."),
  healthCheckPolicyName: string("Name of the rule that finds broken nodes; empty: none."),
  hostNamePattern: string("Pattern of the nodes' host names; empty: the platform's."),
  kubeletArgs: strings("Arguments of the kubelet."),
  lifecycle: lifecycle.optional().describe("Scripts run around the initialization of a node."),
  runtimeRootDir: string("Data directory of the container runtime."),
  enableAutoscaling: boolean("Whether the platform scales the node pool within `Scaling`."),
  instanceTypes: strings("Types of instance, in order of preference."),
  replicas: int("Desired number of nodes."),
  readyReplicas: int("Number of running nodes."),
  internetAccessible: internetAccessible.optional().describe("Public bandwidth of the nodes; absent: none."),
  dataDisks: toldDataDisks.describe("Data disks of the nodes."),
  machineType: string("`Native` or `NativeCVM`."),
  customImage: string("ID of a custom image; empty: the platform's."),
  gpuConfigs: spelt("GPUConfigs", gpuConfigs.optional().describe("GPU drivers by type of instance.")),
  automationService: boolean("Whether the automation service runs on the nodes.").optional(),
});

const poolType = string(
  "`Native`; `Regular` for a node pool of 2018-05-25, whose nodes a scaling group creates; `External` for a node pool of servers outside of the cloud.",
);

/** A node pool in the actions of 2018-05-25. */
const nodePool2018 = z.object({
  nodePoolId,
  name: string("Name of the node pool."),
  clusterInstanceId: string("ID of the cluster."),
  type: poolType,
  lifeState: state(nodePoolLifeStates2018).describe("State of the node pool; `normal`: it is running."),
  launchConfigurationId: string("ID of its launch configuration; empty in native node pools."),
  autoscalingGroupId: string("ID of its scaling group; empty in native node pools."),
  labels: labels.describe("Labels of its nodes."),
  taints: taints.describe("Taints of its nodes."),
  annotations: annotations.describe("Annotations of its nodes."),
  nodeCountSummary: nodeCountSummary.describe("Number of its nodes."),
  autoscalingGroupStatus: string("`enabled` or `disabled`: whether it scales automatically."),
  maxNodesNum: int("The most nodes."),
  minNodesNum: int("The fewest nodes."),
  desiredNodesNum: int("Desired number of nodes."),
  runtimeConfig: runtimeConfig.describe("Container runtime of its nodes."),
  nodePoolOs: string("Operating system of its nodes."),
  osCustomizeType: string("`GENERAL` or `DOCKER_CUSTOMIZE`."),
  imageId: string("ID of the image of its nodes; empty: the platform's."),
  desiredPodNum: int("The most pods on a node; custom PodCIDR mode.").optional(),
  userScript: string("Script run after a node has started, base64."),
  tags: tags.describe("Tags of its nodes."),
  deletionProtection: boolean("Whether it is protected from deletion."),
  extraArgs: instanceExtraArgs.optional().describe("Arguments of its nodes' Kubernetes components."),
  gpuArgs: spelt("GPUArgs", gpuArgs.optional().describe("GPU drivers.")),
  dockerGraphPath: string("Directory of container images."),
  dataDisks: z.array(mountedDataDisk).describe("Data disks of its nodes; of regular node pools."),
  unschedulable: int("1: no pods are scheduled on new nodes. 0: they are."),
  preStartUserScript: string("Script run before a node is initialized, base64."),
  native: nativeNodePool.optional().describe("Settings of native node pools."),
});

const poolSettings = {
  labels: labels.optional().describe("Labels of its nodes."),
  taints: taints.optional().describe("Taints of its nodes."),
  tags: tagSpecifications.optional().describe("Tags of its nodes; `ResourceType` is `machine`."),
  deletionProtection: boolean("Whether it is protected from deletion.").optional(),
  unschedulable: boolean("Whether no pods are scheduled on new nodes.").optional(),
  annotations: annotations.optional().describe("Annotations of its nodes."),
};

export const createNodePool = version2022.operation("CreateNodePool", () => ({
  summary: "Creates a node pool and its nodes.",
  input: {
    clusterId,
    name: string("Name of the node pool."),
    type: z.enum(nodePoolTypes).describe("`Native`."),
    native: object("Settings of native node pools; required.", {
      scaling: scaling.describe("Bounds of the number of nodes."),
      subnetIds: strings("Subnets of the cluster's VPC, at least one."),
      instanceChargeType: z.enum(instanceChargeTypes).describe("How nodes are charged: `POSTPAID_BY_HOUR`, by use; `PREPAID`, monthly."),
      systemDisk: disk.describe("System disk of the nodes."),
      instanceTypes: strings("Types of instance, in order of preference; at least one."),
      internetAccessible: internetAccessible.optional().describe("Public bandwidth of the nodes; none unless given."),
      qgpuEnable: spelt("QGPUEnable", boolean("Whether GPUs are shared.").optional()),
      machineType: z.enum(["Native", "NativeCVM"]).optional().describe("`Native`, the default, or `NativeCVM`."),
      ...nativeSettings,
    }).optional(),
    skipValidateOptions: strings("Checks to leave out: `VpcDnsCheck`.").optional(),
    ...poolSettings,
  },
  output: { nodePoolId },
  errors: ["FailedOperation.ClusterState", "ResourceNotFound", ...taggingErrors],
}));

export const describeNodePools = version2022.publicApiOperation("DescribeNodePools", () => ({
  summary: "Lists the node pools of a cluster.",
  input: {
    clusterId,
    filters: filters("Filters: `NodePoolsName`, `NodePoolsId`, `tags` (`<key>:<value>`), `tag:<key>`."),
    ...offsetPaging(z.int()),
  },
  output: {
    nodePools: objects("The node pools.", {
      clusterId,
      nodePoolId,
      name: string("Name of the node pool."),
      type: poolType,
      lifeState: state(nodePoolLifeStates).describe(
        "State; `Abnormal`: its creation failed, and DescribeTasks (`create_node_pool`) has the reason.",
      ),
      labels: labels.describe("Labels of its nodes."),
      taints: taints.describe("Taints of its nodes."),
      annotations: annotations.describe("Annotations of its nodes."),
      tags: tagSpecifications.describe("Tags of its nodes."),
      deletionProtection: boolean("Whether it is protected from deletion."),
      unschedulable: boolean("Whether no pods are scheduled on new nodes."),
      createdAt: string("Time of creation, ISO 8601."),
      native: nativeNodePool.optional().describe("Settings of native node pools."),
      regular: object("Settings of regular node pools.", {
        launchConfigurationId: string("ID of its launch configuration."),
        autoscalingGroupId: string("ID of its scaling group."),
        nodeCountSummary: nodeCountSummary.describe("Number of its nodes."),
        autoscalingGroupStatus: string("`enabled` or `disabled`: whether it scales automatically."),
        maxNodesNum: int("The most nodes."),
        minNodesNum: int("The fewest nodes."),
        desiredNodesNum: int("Desired number of nodes."),
        nodePoolOs: string("Operating system of its nodes."),
        instanceAdvancedSettings: instanceAdvancedSettings.optional().describe("Settings of its nodes."),
      }).optional(),
      external: object("Settings of external node pools.", {
        runtimeConfig: runtimeConfig.describe("Container runtime of its nodes."),
        nodesNum: int("Number of its nodes."),
      }).optional(),
    }),
    totalCount: int("Number of matching node pools."),
  },
  errors: listingErrors,
  pages: { by: "offset", items: "nodePools", key: "nodePoolId" },
}));

export const modifyNodePool = version2022.publicApiOperation("ModifyNodePool", () => ({
  summary: "Changes a node pool; fields that are not given remain unchanged.",
  input: {
    clusterId,
    nodePoolId,
    name: string("Name of the node pool.").optional(),
    native: object("Settings of native node pools.", {
      scaling: scaling.optional().describe("Bounds of the number of nodes."),
      subnetIds: strings("Subnets of new nodes.").optional(),
      instanceChargeType: z.enum(instanceChargeTypes).optional().describe("Only from `POSTPAID_BY_HOUR` to `PREPAID`."),
      systemDisk: disk.optional().describe("System disk of new nodes."),
      instanceTypes: strings("Types of new instances.").optional(),
      updateExistedNode: boolean("Whether existing nodes are changed too; false unless given.").optional(),
      updateMachineManagement: string("How `Management` is applied to existing nodes.").optional(),
      deletePolicy: string("Which nodes are removed first when the node pool is scaled down; the newest unless given.").optional(),
      ...nativeSettings,
    }).optional(),
    ...poolSettings,
  },
  errors: ["OperationDenied", "ResourceNotFound", ...taggingErrors],
  repeatable: true,
}));

export const scaleNodePool = version2022.publicApiOperation("ScaleNodePool", () => ({
  summary: "Sets the desired number of nodes of a node pool.",
  input: { clusterId, nodePoolId, replicas: z.int().min(0).describe("Desired number of nodes, within `Scaling`.") },
  errors: ["OperationDenied", "ResourceNotFound"],
  repeatable: true,
}));

export const deleteNodePool = version2022.publicApiOperation("DeleteNodePool", () => ({
  summary: "Deletes a node pool with its nodes. Machines may still exist a little after the node pool: see DescribeClusterMachines.",
  input: { clusterId, nodePoolId },
  errors: ["OperationDenied", "ResourceNotFound"],
  repeatable: true,
}));

const runtimeVersion = string("Version of the container runtime.");

export const createClusterNodePool = operation("CreateClusterNodePool", () => ({
  summary: "Creates a regular node pool, whose nodes a scaling group creates.",
  input: {
    clusterId,
    autoScalingGroupPara: string(
      "Request for the scaling group, a JSON object as text: `VpcId`, `SubnetIds`, `MinSize`, `MaxSize` and, unless it is `MinSize`, `DesiredCapacity`.",
    ),
    // May hold passwords.
    launchConfigurePara: sensitive(string("Request for the instances of the group, a JSON object as text: `InstanceType` and more.")),
    instanceAdvancedSettings: instanceAdvancedSettings.describe("Settings of its nodes."),
    enableAutoscale: boolean("Whether it scales automatically."),
    name: string("Name of the node pool; its ID unless given.").optional(),
    labels: labels.optional().describe("Labels of its nodes; those of `InstanceAdvancedSettings` unless given."),
    taints: taints.optional().describe("Taints of its nodes; those of `InstanceAdvancedSettings` unless given."),
    annotations: annotations.optional().describe("Annotations of its nodes."),
    containerRuntime: z.enum(containerRuntimes).optional().describe("`containerd` or `docker`; the cluster's unless given."),
    runtimeVersion: runtimeVersion.optional().describe("Version of the container runtime; the cluster's unless given."),
    nodePoolOs: string("Operating system of its nodes, or ID of a custom image; the cluster's unless given.").optional(),
    osCustomizeType: string("`GENERAL`, the default, or `DOCKER_CUSTOMIZE`.").optional(),
    tags: tags.optional().describe("Tags of its nodes."),
    deletionProtection: boolean("Whether it is protected from deletion; false unless given.").optional(),
    skipValidateOptions: strings("Checks to leave out: `VpcDnsCheck`.").optional(),
  },
  output: { nodePoolId },
  errors: ["InvalidParameter.Param", "InvalidZone.ZoneNotAvailable", "ResourceNotFound", "ResourceUnavailable.ClusterState"],
}));

export const createExternalNodePool = operation("CreateExternalNodePool", () => ({
  summary: "Creates an external node pool, for servers outside of the cloud. It is empty until such servers join it.",
  input: {
    clusterId,
    name: string("Name of the node pool."),
    containerRuntime: z.enum(containerRuntimes).describe("`containerd` or `docker`."),
    runtimeVersion,
    labels: labels.optional().describe("Labels of its nodes; those of `InstanceAdvancedSettings` unless given."),
    taints: taints.optional().describe("Taints of its nodes; those of `InstanceAdvancedSettings` unless given."),
    instanceAdvancedSettings: instanceAdvancedSettings.optional().describe("Settings of its nodes."),
    deletionProtection: boolean("Whether it is protected from deletion; false unless given.").optional(),
    nodeType: string("Type of the servers.").optional(),
  },
  output: { nodePoolId },
  errors: ["InvalidParameter.Param", "ResourceNotFound", "ResourceUnavailable.ClusterState"],
}));

export const modifyClusterNodePool = publicApiOperation("ModifyClusterNodePool", () => ({
  summary: "Changes a regular or external node pool; fields that are not given remain unchanged.",
  input: {
    clusterId,
    nodePoolId,
    name: string("Name of the node pool.").optional(),
    maxNodesNum: z.int().min(0).optional().describe("The most nodes; the node pool removes surplus nodes."),
    minNodesNum: z.int().min(0).optional().describe("The fewest nodes; the node pool creates missing nodes."),
    labels: labels.optional().describe("Labels of its nodes."),
    taints: taints.optional().describe("Taints of its nodes."),
    annotations: annotations.optional().describe("Annotations of its nodes."),
    enableAutoscale: boolean("Whether it scales automatically.").optional(),
    osName: string("Operating system of new nodes, or ID of a custom image.").optional(),
    osCustomizeType: string("`GENERAL` or `DOCKER_CUSTOMIZE`.").optional(),
    gpuArgs: spelt("GPUArgs", gpuArgs.optional().describe("Drivers of new nodes; only for GPU instance types.")),
    userScript: z.base64().optional().describe("Script run after the Kubernetes components of a new node have started, base64."),
    ignoreExistedNode: boolean("Whether existing nodes keep their labels and taints; false unless given.").optional(),
    extraArgs: instanceExtraArgs.optional().describe("Arguments of new nodes' Kubernetes components."),
    tags: tags.optional().describe("Tags of its nodes."),
    unschedulable: z.int().min(0).max(1).optional().describe("1: no pods are scheduled on new nodes. 0: they are."),
    deletionProtection: boolean("Whether it is protected from deletion.").optional(),
    dockerGraphPath: string("Directory of container images on new nodes.").optional(),
    preStartUserScript: z.base64().optional().describe("Script run before a new node is initialized, base64."),
  },
  errors: ["InvalidParameter.Param", "OperationDenied", "ResourceNotFound"],
  repeatable: true,
}));

export const modifyNodePoolDesiredCapacityAboutAsg = publicApiOperation("ModifyNodePoolDesiredCapacityAboutAsg", () => ({
  summary: "Sets the desired number of nodes of a regular node pool.",
  input: {
    clusterId,
    nodePoolId,
    desiredCapacity: z.int().min(0).describe("Desired number of nodes, within the bounds of the node pool."),
  },
  errors: ["InvalidParameter.Param", "OperationDenied", "ResourceNotFound"],
  repeatable: true,
}));

export const removeNodeFromNodePool = operation("RemoveNodeFromNodePool", () => ({
  summary:
    "Removes nodes from their node pool, all nodes of the call or none. The nodes remain in the cluster; DeleteClusterInstances removes them from it.",
  input: { clusterId, nodePoolId, instanceIds: strings("IDs of nodes of the node pool, 1 to 100.") },
  errors: ["FailedOperation.RecordNotFound", "InvalidParameter.Param", "OperationDenied", "ResourceNotFound"],
}));

export const deleteClusterNodePool = publicApiOperation("DeleteClusterNodePool", () => ({
  summary: "Deletes node pools of any type, with or without the instances of their nodes.",
  input: {
    clusterId,
    nodePoolIds: strings("IDs of the node pools, at least one."),
    keepInstance: boolean("Whether the instances of the nodes are kept, outside of the cluster."),
  },
  errors: ["InvalidParameter.Param", "OperationDenied", "ResourceNotFound"],
  repeatable: true,
}));

export const describeClusterNodePoolDetail = operation("DescribeClusterNodePoolDetail", () => ({
  summary: "Returns a node pool of any type.",
  input: { clusterId, nodePoolId },
  output: { nodePool: nodePool2018.describe("The node pool.") },
  errors: ["ResourceNotFound"],
}));

export const describeClusterNodePools = publicApiOperation("DescribeClusterNodePools", () => ({
  summary: "Lists the node pools of a cluster, of all types.",
  input: {
    clusterId,
    filters: filters("Filters: `NodePoolsName`, `NodePoolsId`, `tags` (`<key>:<value>`), `tag:<key>`."),
  },
  output: {
    nodePoolSet: z.array(nodePool2018).describe("The node pools."),
    totalCount: int("Number of matching node pools."),
  },
  errors: ["ResourceNotFound"],
}));
