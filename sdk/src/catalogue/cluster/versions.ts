import { z } from "zod";
import { object, objects, operations, spelt, state } from "../../operation/operation.ts";
import { filters, offsetPaging } from "../shared.ts";
import { nodeUpgradeStates, taskStates, upgradeStates } from "./states.ts";
import { clusterExtraArgs, clusterId, nodeSetup } from "./structures.ts";

const { operation, publicApiOperation } = operations("cluster", "2018-05-25");

export const describeRegions = operation("DescribeRegions", () => ({
  summary: "Lists the regions of the cluster service.",
  input: {},
  output: {
    totalCount: z.int().describe("Regions."),
    regionInstanceSet: objects("The regions.", {
      regionName: z.string().describe("Name of the region, such as `eu-frankfurt`."),
      regionId: z.int().describe("Number of the region."),
      status: z.string().describe("`alluser`: open to all."),
      featureGates: z.string().describe("Features of the region, a JSON object."),
      alias: z.string().describe("Short name."),
      remark: z.string().describe("Remark."),
    }),
  },
}));

export const describeVersions = publicApiOperation("DescribeVersions", () => ({
  summary: "Lists the Kubernetes versions that new clusters can have.",
  input: {},
  output: {
    totalCount: z.int().describe("Versions."),
    versionInstanceSet: objects("The versions, oldest first.", {
      name: z.string().describe("Name of the version."),
      version: z.string().describe("The version, such as `1.32.2`."),
      remark: z.string().describe("Remark."),
    }),
  },
}));

export const describeAvailableClusterVersion = publicApiOperation("DescribeAvailableClusterVersion", () => ({
  summary: "Lists the Kubernetes versions to which a cluster can be upgraded; without a cluster, those that a new one can have.",
  input: {
    clusterId: z.string().optional().describe("ID of one cluster."),
    clusterIds: z.array(z.string()).optional().describe("IDs of several clusters."),
  },
  output: {
    versions: z.array(z.string()).optional().describe("Versions, oldest first; of one cluster, or of new ones."),
    clusters: objects("Versions by cluster, if `ClusterIds` was given.", {
      clusterId,
      versions: z.array(z.string()).describe("Versions to which it can be upgraded, oldest first."),
    }).optional(),
  },
  errors: ["ResourceNotFound"],
}));

export const describeClusterLevelAttribute = publicApiOperation("DescribeClusterLevelAttribute", () => ({
  summary: "Lists the levels that clusters can have.",
  input: { clusterId: spelt("ClusterID", z.string().optional().describe("ID of a cluster whose level is to be changed.")) },
  output: {
    totalCount: z.int().describe("Specifications."),
    items: objects("The levels, smallest first.", {
      name: z.string().describe("Name, such as `L5`."),
      alias: z.string().describe("Another name."),
      nodeCount: z.int().describe("Number of nodes that it supports."),
      podCount: z.int().describe("Number of pods that it supports."),
      configMapCount: z.int().describe("Number of config maps that it supports."),
      rsCount: spelt("RSCount", z.int().describe("Number of replica sets that it supports.")),
      crdCount: spelt("CRDCount", z.int().describe("Number of custom resource definitions that it supports.")),
      enable: z.boolean().describe("Whether it is available."),
      otherCount: z.int().describe("Number of other objects that it supports."),
    }),
  },
  errors: ["ResourceNotFound"],
}));

export const updateClusterVersion = publicApiOperation("UpdateClusterVersion", () => ({
  summary:
    "Upgrades the Kubernetes version of a cluster, which is `Upgrading` meanwhile. Its nodes keep theirs: see UpgradeClusterInstances.",
  input: {
    clusterId,
    dstVersion: z.string().describe("The new version, one of DescribeAvailableClusterVersion."),
    extraArgs: clusterExtraArgs.optional().describe("Arguments of the cluster's Kubernetes components from then on."),
    maxNotReadyPercent: z.number().min(0).max(100).optional().describe("The most pods, in percent, that may be unavailable meanwhile."),
    skipPreCheck: z.boolean().optional().describe("Whether the check before the upgrade is skipped; false unless given."),
  },
  errors: ["InvalidParameter.Param", "ResourceNotFound", "ResourceUnavailable.ClusterState"],
}));

export const upgradeClusterInstances = publicApiOperation("UpgradeClusterInstances", () => ({
  summary:
    "Upgrades nodes to the cluster's version, a few at a time; or pauses, resumes or aborts such an upgrade. GetUpgradeInstanceProgress shows its progress.",
  input: {
    clusterId,
    operation: z
      .enum(["create", "pause", "resume", "abort"])
      .describe("`create` begins an upgrade; `pause`, `resume` and `abort` change the current one."),
    upgradeType: z
      .enum(["reset", "hot", "major"])
      .optional()
      .describe("`reset` reinstalls the node, `hot` is for a minor version, `major` for a major one; required with `create`."),
    instanceIds: z.array(z.string()).optional().describe("IDs of the nodes; required with `create`."),
    resetParam: object("How reinstalled nodes join the cluster; with `reset`.", nodeSetup).optional(),
    skipPreCheck: z.boolean().optional().describe("Whether the check before the upgrade is skipped; false unless given."),
    maxNotReadyPercent: z.number().min(0).max(100).optional().describe("The most pods, in percent, that may be unavailable meanwhile."),
    upgradeRunTime: z.boolean().optional().describe("Whether the container runtime is upgraded too; false unless given."),
    concurrent: z.int().min(1).max(15).optional().describe("Number of nodes at a time, 1 to 15; 1 unless given."),
  },
  errors: [
    "FailedOperation.TaskAlreadyRunning",
    "FailedOperation.TaskLifeStateError",
    "InternalError.TaskNotFound",
    "InvalidParameter.Param",
    "ResourceNotFound",
    "ResourceUnavailable.ClusterState",
  ],
}));

const time = z.string().describe("ISO 8601; empty: not yet.");

export const getUpgradeInstanceProgress = publicApiOperation("GetUpgradeInstanceProgress", () => ({
  summary: "Returns the progress of the upgrade of a cluster's nodes.",
  input: { clusterId, ...offsetPaging(z.int()) },
  output: {
    total: z.int().describe("Nodes to upgrade."),
    done: z.int().describe("Nodes upgraded."),
    lifeState: state(upgradeStates).describe("State of the upgrade as a whole."),
    instances: objects("The nodes.", {
      instanceId: spelt("InstanceID", z.string().describe("ID of the node.")),
      lifeState: state(nodeUpgradeStates).describe("State of its upgrade."),
      startAt: time,
      endAt: time,
      checkResult: object("Check before the upgrade.", {
        checkPass: z.boolean().describe("Whether the check passed."),
        items: objects("Workloads checked.", {
          namespace: z.string().describe("Namespace of the workload."),
          workLoadKind: z.string().describe("Kind of the workload."),
          workLoadName: z.string().describe("Name of the workload."),
          before: z.int().describe("Pods that ran before the node was drained."),
          after: z.int().describe("Pods that run afterwards."),
          pods: z.array(z.string()).describe("Its pods on the node."),
        }),
        singlePods: z.array(z.string()).describe("Pods on the node that belong to no workload."),
      }),
      detail: objects("Steps of the upgrade.", {
        step: z.string().describe("Name of the step."),
        lifeState: z.string().describe("`pending`, `running`, `success` or `failed`."),
        startAt: time,
        endAt: time,
        failedMsg: z.string().describe("Reason of a failure; empty: none."),
      }),
    }),
    clusterStatus: object("Pods of the cluster during the upgrade.", {
      podTotal: z.int().describe("Pods."),
      notReadyPod: z.int().describe("Pods that are not ready."),
    }),
  },
  errors: ["InternalError.TaskNotFound", "ResourceNotFound"],
  pages: { by: "offset", items: "instances", total: "total" },
}));

const task = z.object({
  lifeState: state(taskStates).describe("State; `aborted`: it failed or was stopped."),
  targetObj: z.string().describe("ID of the resource that it changes: a cluster or a node pool."),
  param: z.string().describe("Parameters, a JSON object."),
  taskType: z.string().describe("Type of task."),
  lastError: z.string().describe("Reason of a failure; empty: none."),
  clusterId: spelt("ClusterID", z.string().describe("ID of the cluster.")),
  createdAt: z.string().describe("Time when it began, ISO 8601."),
  updatedAt: z.string().describe("Time of the last change of its state, ISO 8601."),
  taskId: spelt("TaskID", z.string().describe("ID of the task: the request ID of the call that began it.")),
});

/** The types of tasks. Where the public API has no name, it is one of the same style. */
export const taskTypes = [
  "create_cluster",
  "cluster_upgrade",
  "node_upgrade",
  "create_node_pool",
  "apply_cluster_extra_args",
  "modify_authentication_options",
  "scale_out_master",
] as const;
export type TaskType = (typeof taskTypes)[number];

export const describeTasks = operation("DescribeTasks", () => ({
  summary: "Lists the tasks of one type of a cluster, newest first, with their states and the reasons of failures.",
  input: {
    filter: filters(
      "Both are required: `ClusterId`, and `TaskType`: `create_cluster`, `cluster_upgrade`, `node_upgrade`, `create_node_pool`, `apply_cluster_extra_args`, `modify_authentication_options` and others.",
    ),
    latest: z.boolean().optional().describe("True: only the newest. False, the default: all."),
  },
  output: { tasks: z.array(task).describe("The tasks; may be empty.") },
  errors: ["FailedOperation.TaskNotFound", "InvalidParameter.Param"],
}));
