import { z } from "zod";
import { object, operations, sensitive, spelt, state } from "../../operation/operation.ts";
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
  joining: z.int().describe("Nodes being added."),
  initializing: z.int().describe("Nodes being initialized."),
  normal: z.int().describe("Running nodes."),
  total: z.int().describe("All nodes."),
});

const nodeCountSummary = z.object({
  manuallyAdded: nodeCounts.describe("Nodes added by hand."),
  autoscalingAdded: nodeCounts.describe("Nodes that the node pool created."),
});

const runtimeConfig = z.object({
  runtimeType: z.string().describe("Container runtime."),
  runtimeVersion: z.string().describe("Its version."),
});

export const nativeNodePool = z.object({
  scaling: scaling.describe("Bounds of the number of nodes."),
  subnetIds: z.array(z.string()).describe("Subnets of the nodes."),
  securityGroupIds: z.array(z.string()).describe("Security groups of the nodes."),
  upgradeSettings: upgradeSettings.optional().describe("Automatic upgrade of the nodes."),
  autoRepair: z.boolean().describe("Whether broken nodes are repaired."),
  instanceChargeType: state(instanceChargeTypes).describe("How nodes are charged."),
  instanceChargePrepaid: instanceChargePrepaid.optional().describe("Prepaid period of the nodes; with `PREPAID`."),
  systemDisk: toldDisk.describe("System disk of the nodes."),
  keyIds: z.array(z.string()).describe("Key pairs to log in with."),
  management: management.optional().describe("Name servers, hosts and kernel parameters of the nodes."),
  healthCheckPolicyName: z.string().describe("Name of the rule that finds broken nodes; empty: none."),
  hostNamePattern: z.string().describe("Pattern of the nodes' host names; empty: the platform's."),
  kubeletArgs: z.array(z.string()).describe("Arguments of the kubelet."),
  lifecycle: lifecycle.optional().describe("Scripts run around the initialization of a node."),
  runtimeRootDir: z.string().describe("Data directory of the container runtime."),
  enableAutoscaling: z.boolean().describe("Whether the platform scales the node pool within `Scaling`."),
  instanceTypes: z.array(z.string()).describe("Types of instance, in order of preference."),
  replicas: z.int().describe("Desired number of nodes."),
  readyReplicas: z.int().describe("Number of running nodes."),
  internetAccessible: internetAccessible.optional().describe("Public bandwidth of the nodes; absent: none."),
  dataDisks: toldDataDisks.describe("Data disks of the nodes."),
  machineType: z.string().describe("`Native` or `NativeCVM`."),
  customImage: z.string().describe("ID of a custom image; empty: the platform's."),
  gpuConfigs: spelt("GPUConfigs", gpuConfigs.optional().describe("GPU drivers by type of instance.")),
  automationService: z.boolean().optional().describe("Whether the automation service runs on the nodes."),
});

const poolType = z
  .string()
  .describe(
    "`Native`; `Regular` for a node pool of 2018-05-25, whose nodes a scaling group creates; `External` for a node pool of servers outside of the cloud.",
  );

/** A node pool in the actions of 2018-05-25. */
const nodePool2018 = z.object({
  nodePoolId,
  name: z.string().describe("Name of the node pool."),
  clusterInstanceId: z.string().describe("ID of the cluster."),
  type: poolType,
  lifeState: state(nodePoolLifeStates2018).describe("State of the node pool; `normal`: it is running."),
  launchConfigurationId: z.string().describe("ID of its launch configuration; empty in native node pools."),
  autoscalingGroupId: z.string().describe("ID of its scaling group; empty in native node pools."),
  labels: labels.describe("Labels of its nodes."),
  taints: taints.describe("Taints of its nodes."),
  annotations: annotations.describe("Annotations of its nodes."),
  nodeCountSummary: nodeCountSummary.describe("Number of its nodes."),
  autoscalingGroupStatus: z.string().describe("`enabled` or `disabled`: whether it scales automatically."),
  maxNodesNum: z.int().describe("The most nodes."),
  minNodesNum: z.int().describe("The fewest nodes."),
  desiredNodesNum: z.int().describe("Desired number of nodes."),
  runtimeConfig: runtimeConfig.describe("Container runtime of its nodes."),
  nodePoolOs: z.string().describe("Operating system of its nodes."),
  osCustomizeType: z.string().describe("`GENERAL` or `DOCKER_CUSTOMIZE`."),
  imageId: z.string().describe("ID of the image of its nodes; empty: the platform's."),
  desiredPodNum: z.int().optional().describe("The most pods on a node; custom PodCIDR mode."),
  userScript: z.string().describe("Script run after a node has started, base64."),
  tags: tags.describe("Tags of its nodes."),
  deletionProtection: z.boolean().describe("Whether it is protected from deletion."),
  extraArgs: instanceExtraArgs.optional().describe("Arguments of its nodes' Kubernetes components."),
  gpuArgs: spelt("GPUArgs", gpuArgs.optional().describe("GPU drivers.")),
  dockerGraphPath: z.string().describe("Directory of container images."),
  dataDisks: z.array(mountedDataDisk).describe("Data disks of its nodes; of regular node pools."),
  unschedulable: z.int().describe("1: no pods are scheduled on new nodes. 0: they are."),
  preStartUserScript: z.string().describe("Script run before a node is initialized, base64."),
  native: nativeNodePool.optional().describe("Settings of native node pools."),
});

/** A node pool in the actions of 2022-05-01. */
const nodePool = z.object({
  clusterId,
  nodePoolId,
  name: z.string().describe("Name of the node pool."),
  type: poolType,
  lifeState: state(nodePoolLifeStates).describe(
    "State; `Abnormal`: its creation failed, and DescribeTasks (`create_node_pool`) has the reason.",
  ),
  labels: labels.describe("Labels of its nodes."),
  taints: taints.describe("Taints of its nodes."),
  annotations: annotations.describe("Annotations of its nodes."),
  tags: tagSpecifications.describe("Tags of its nodes."),
  deletionProtection: z.boolean().describe("Whether it is protected from deletion."),
  unschedulable: z.boolean().describe("Whether no pods are scheduled on new nodes."),
  createdAt: z.string().describe("Time of creation, ISO 8601."),
  native: nativeNodePool.optional().describe("Settings of native node pools."),
  regular: object("Settings of regular node pools.", {
    launchConfigurationId: z.string().describe("ID of its launch configuration."),
    autoscalingGroupId: z.string().describe("ID of its scaling group."),
    nodeCountSummary: nodeCountSummary.describe("Number of its nodes."),
    autoscalingGroupStatus: z.string().describe("`enabled` or `disabled`: whether it scales automatically."),
    maxNodesNum: z.int().describe("The most nodes."),
    minNodesNum: z.int().describe("The fewest nodes."),
    desiredNodesNum: z.int().describe("Desired number of nodes."),
    nodePoolOs: z.string().describe("Operating system of its nodes."),
    instanceAdvancedSettings: instanceAdvancedSettings.optional().describe("Settings of its nodes."),
  }).optional(),
  external: object("Settings of external node pools.", {
    runtimeConfig: runtimeConfig.describe("Container runtime of its nodes."),
    nodesNum: z.int().describe("Number of its nodes."),
  }).optional(),
});

const poolSettings = {
  labels: labels.optional().describe("Labels of its nodes."),
  taints: taints.optional().describe("Taints of its nodes."),
  tags: tagSpecifications.optional().describe("Tags of its nodes; `ResourceType` is `machine`."),
  deletionProtection: z.boolean().optional().describe("Whether it is protected from deletion."),
  unschedulable: z.boolean().optional().describe("Whether no pods are scheduled on new nodes."),
  annotations: annotations.optional().describe("Annotations of its nodes."),
};

export const createNodePool = version2022.operation("CreateNodePool", () => ({
  summary: "Creates a node pool and its nodes.",
  input: {
    clusterId,
    name: z.string().describe("Name of the node pool."),
    type: z.enum(nodePoolTypes).describe("`Native`."),
    native: object("Settings of native node pools; required.", {
      scaling: scaling.describe("Bounds of the number of nodes."),
      subnetIds: z.array(z.string()).describe("Subnets of the cluster's VPC, at least one."),
      instanceChargeType: z.enum(instanceChargeTypes).describe("How nodes are charged: `POSTPAID_BY_HOUR`, by use; `PREPAID`, monthly."),
      systemDisk: disk.describe("System disk of the nodes."),
      instanceTypes: z.array(z.string()).describe("Types of instance, in order of preference; at least one."),
      internetAccessible: internetAccessible.optional().describe("Public bandwidth of the nodes; none unless given."),
      qgpuEnable: spelt("QGPUEnable", z.boolean().optional().describe("Whether GPUs are shared.")),
      machineType: z.enum(["Native", "NativeCVM"]).optional().describe("`Native`, the default, or `NativeCVM`."),
      ...nativeSettings,
    }).optional(),
    skipValidateOptions: z.array(z.string()).optional().describe("Checks to leave out: `VpcDnsCheck`."),
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
  output: { nodePools: z.array(nodePool).describe("The node pools."), totalCount: z.int().describe("Number of matching node pools.") },
  errors: listingErrors,
  pages: { by: "offset", items: "nodePools", key: "nodePoolId" },
}));

export const modifyNodePool = version2022.publicApiOperation("ModifyNodePool", () => ({
  summary: "Changes a node pool; fields that are not given remain unchanged.",
  input: {
    clusterId,
    nodePoolId,
    name: z.string().optional().describe("Name of the node pool."),
    native: object("Settings of native node pools.", {
      scaling: scaling.optional().describe("Bounds of the number of nodes."),
      subnetIds: z.array(z.string()).optional().describe("Subnets of new nodes."),
      instanceChargeType: z.enum(instanceChargeTypes).optional().describe("Only from `POSTPAID_BY_HOUR` to `PREPAID`."),
      systemDisk: disk.optional().describe("System disk of new nodes."),
      instanceTypes: z.array(z.string()).optional().describe("Types of new instances."),
      updateExistedNode: z.boolean().optional().describe("Whether existing nodes are changed too; false unless given."),
      updateMachineManagement: z.string().optional().describe("How `Management` is applied to existing nodes."),
      deletePolicy: z
        .string()
        .optional()
        .describe("Which nodes are removed first when the node pool is scaled down; the newest unless given."),
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

const runtimeVersion = z.string().describe("Version of the container runtime.");

export const createClusterNodePool = operation("CreateClusterNodePool", () => ({
  summary: "Creates a regular node pool, whose nodes a scaling group creates.",
  input: {
    clusterId,
    autoScalingGroupPara: z
      .string()
      .describe(
        "Request for the scaling group, a JSON object as text: `VpcId`, `SubnetIds`, `MinSize`, `MaxSize` and, unless it is `MinSize`, `DesiredCapacity`.",
      ),
    // May hold passwords.
    launchConfigurePara: sensitive(
      z.string().describe("Request for the instances of the group, a JSON object as text: `InstanceType` and more."),
    ),
    instanceAdvancedSettings: instanceAdvancedSettings.describe("Settings of its nodes."),
    enableAutoscale: z.boolean().describe("Whether it scales automatically."),
    name: z.string().optional().describe("Name of the node pool; its ID unless given."),
    labels: labels.optional().describe("Labels of its nodes; those of `InstanceAdvancedSettings` unless given."),
    taints: taints.optional().describe("Taints of its nodes; those of `InstanceAdvancedSettings` unless given."),
    annotations: annotations.optional().describe("Annotations of its nodes."),
    containerRuntime: z.enum(containerRuntimes).optional().describe("`containerd` or `docker`; the cluster's unless given."),
    runtimeVersion: runtimeVersion.optional().describe("Version of the container runtime; the cluster's unless given."),
    nodePoolOs: z.string().optional().describe("Operating system of its nodes, or ID of a custom image; the cluster's unless given."),
    osCustomizeType: z.string().optional().describe("`GENERAL`, the default, or `DOCKER_CUSTOMIZE`."),
    tags: tags.optional().describe("Tags of its nodes."),
    deletionProtection: z.boolean().optional().describe("Whether it is protected from deletion; false unless given."),
    skipValidateOptions: z.array(z.string()).optional().describe("Checks to leave out: `VpcDnsCheck`."),
  },
  output: { nodePoolId },
  errors: ["InvalidParameter.Param", "InvalidZone.ZoneNotAvailable", "ResourceNotFound", "ResourceUnavailable.ClusterState"],
}));

export const createExternalNodePool = operation("CreateExternalNodePool", () => ({
  summary: "Creates an external node pool, for servers outside of the cloud. It is empty until such servers join it.",
  input: {
    clusterId,
    name: z.string().describe("Name of the node pool."),
    containerRuntime: z.enum(containerRuntimes).describe("`containerd` or `docker`."),
    runtimeVersion,
    labels: labels.optional().describe("Labels of its nodes; those of `InstanceAdvancedSettings` unless given."),
    taints: taints.optional().describe("Taints of its nodes; those of `InstanceAdvancedSettings` unless given."),
    instanceAdvancedSettings: instanceAdvancedSettings.optional().describe("Settings of its nodes."),
    deletionProtection: z.boolean().optional().describe("Whether it is protected from deletion; false unless given."),
    nodeType: z.string().optional().describe("Type of the servers."),
  },
  output: { nodePoolId },
  errors: ["InvalidParameter.Param", "ResourceNotFound", "ResourceUnavailable.ClusterState"],
}));

export const modifyClusterNodePool = publicApiOperation("ModifyClusterNodePool", () => ({
  summary: "Changes a regular or external node pool; fields that are not given remain unchanged.",
  input: {
    clusterId,
    nodePoolId,
    name: z.string().optional().describe("Name of the node pool."),
    maxNodesNum: z.int().min(0).optional().describe("The most nodes; the node pool removes surplus nodes."),
    minNodesNum: z.int().min(0).optional().describe("The fewest nodes; the node pool creates missing nodes."),
    labels: labels.optional().describe("Labels of its nodes."),
    taints: taints.optional().describe("Taints of its nodes."),
    annotations: annotations.optional().describe("Annotations of its nodes."),
    enableAutoscale: z.boolean().optional().describe("Whether it scales automatically."),
    osName: z.string().optional().describe("Operating system of new nodes, or ID of a custom image."),
    osCustomizeType: z.string().optional().describe("`GENERAL` or `DOCKER_CUSTOMIZE`."),
    gpuArgs: spelt("GPUArgs", gpuArgs.optional().describe("Drivers of new nodes; only for GPU instance types.")),
    userScript: z.base64().optional().describe("Script run after the Kubernetes components of a new node have started, base64."),
    ignoreExistedNode: z.boolean().optional().describe("Whether existing nodes keep their labels and taints; false unless given."),
    extraArgs: instanceExtraArgs.optional().describe("Arguments of new nodes' Kubernetes components."),
    tags: tags.optional().describe("Tags of its nodes."),
    unschedulable: z.int().min(0).max(1).optional().describe("1: no pods are scheduled on new nodes. 0: they are."),
    deletionProtection: z.boolean().optional().describe("Whether it is protected from deletion."),
    dockerGraphPath: z.string().optional().describe("Directory of container images on new nodes."),
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
  input: { clusterId, nodePoolId, instanceIds: z.array(z.string()).describe("IDs of nodes of the node pool, 1 to 100.") },
  errors: ["FailedOperation.RecordNotFound", "InvalidParameter.Param", "OperationDenied", "ResourceNotFound"],
}));

export const deleteClusterNodePool = publicApiOperation("DeleteClusterNodePool", () => ({
  summary: "Deletes node pools of any type, with or without the instances of their nodes.",
  input: {
    clusterId,
    nodePoolIds: z.array(z.string()).describe("IDs of the node pools, at least one."),
    keepInstance: z.boolean().describe("Whether the instances of the nodes are kept, outside of the cluster."),
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
    totalCount: z.int().describe("Number of matching node pools."),
  },
  errors: listingErrors,
}));
