import { z } from "zod";
import { boolean, int, object, objects, operations, spelt, state, string, strings } from "../../operation/operation.ts";
import { filters, offsetPaging } from "../shared.ts";
import { nodeUpgradeStates, taskStates, upgradeStates } from "./states.ts";
import { clusterExtraArgs, clusterId, nodeSetup } from "./structures.ts";

const { operation, publicApiOperation } = operations("cluster", "2018-05-25");

export const describeRegions = operation("DescribeRegions", () => ({
  summary: "Lists the regions of the cluster service.",
  input: {},
  output: {
    totalCount: int("Regions."),
    regionInstanceSet: objects("The regions.", {
      regionName: string("Name of the region, such as `eu-frankfurt`."),
      regionId: int("Number of the region."),
      status: string("`alluser`: open to all."),
      featureGates: string("Features of the region, a JSON object."),
      alias: string("Short name."),
      remark: string("Remark."),
    }),
  },
}));

export const describeVersions = publicApiOperation("DescribeVersions", () => ({
  summary: "Lists the Kubernetes versions that new clusters can have.",
  input: {},
  output: {
    totalCount: int("Versions."),
    versionInstanceSet: objects("The versions, oldest first.", {
      name: string("Name of the version."),
      version: string("The version, such as `1.32.2`."),
      remark: string("Remark."),
    }),
  },
}));

export const describeAvailableClusterVersion = publicApiOperation("DescribeAvailableClusterVersion", () => ({
  summary: "Lists the Kubernetes versions to which a cluster can be upgraded; without a cluster, those that a new one can have.",
  input: {
    clusterId: string("ID of one cluster.").optional(),
    clusterIds: strings("IDs of several clusters.").optional(),
  },
  output: {
    versions: strings("Versions, oldest first; of one cluster, or of new ones.").optional(),
    clusters: objects("Versions by cluster, if `ClusterIds` was given.", {
      clusterId,
      versions: strings("Versions to which it can be upgraded, oldest first."),
    }).optional(),
  },
  errors: ["ResourceNotFound"],
}));

export const describeClusterLevelAttribute = publicApiOperation("DescribeClusterLevelAttribute", () => ({
  summary: "Lists the levels that clusters can have.",
  input: { clusterId: spelt("ClusterID", string("ID of a cluster whose level is to be changed.").optional()) },
  output: {
    totalCount: int("Specifications."),
    items: objects("The levels, smallest first.", {
      name: string("Name, such as `L5`."),
      alias: string("Another name."),
      nodeCount: int("Number of nodes that it supports."),
      podCount: int("Number of pods that it supports."),
      configMapCount: int("Number of config maps that it supports."),
      rsCount: spelt("RSCount", int("Number of replica sets that it supports.")),
      crdCount: spelt("CRDCount", int("Number of custom resource definitions that it supports.")),
      enable: boolean("Whether it is available."),
      otherCount: int("Number of other objects that it supports."),
    }),
  },
  errors: ["ResourceNotFound"],
}));

export const updateClusterVersion = publicApiOperation("UpdateClusterVersion", () => ({
  summary:
    "Upgrades the Kubernetes version of a cluster, which is `Upgrading` meanwhile. Its nodes keep theirs: see UpgradeClusterInstances.",
  input: {
    clusterId,
    dstVersion: string("The new version, one of DescribeAvailableClusterVersion."),
    extraArgs: clusterExtraArgs.optional().describe("Arguments of the cluster's Kubernetes components from then on."),
    maxNotReadyPercent: z.number().min(0).max(100).optional().describe("The most pods, in percent, that may be unavailable meanwhile."),
    skipPreCheck: boolean("Whether the check before the upgrade is skipped; false unless given.").optional(),
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
    instanceIds: strings("IDs of the nodes; required with `create`.").optional(),
    resetParam: object("How reinstalled nodes join the cluster; with `reset`.", nodeSetup).optional(),
    skipPreCheck: boolean("Whether the check before the upgrade is skipped; false unless given.").optional(),
    maxNotReadyPercent: z.number().min(0).max(100).optional().describe("The most pods, in percent, that may be unavailable meanwhile."),
    upgradeRunTime: boolean("Whether the container runtime is upgraded too; false unless given.").optional(),
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

const time = string("ISO 8601; empty: not yet.");

export const getUpgradeInstanceProgress = publicApiOperation("GetUpgradeInstanceProgress", () => ({
  summary: "Returns the progress of the upgrade of a cluster's nodes.",
  input: { clusterId, ...offsetPaging(z.int()) },
  output: {
    total: int("Nodes to upgrade."),
    done: int("Nodes upgraded."),
    lifeState: state(upgradeStates).describe("State of the upgrade as a whole."),
    instances: objects("The nodes.", {
      instanceId: spelt("InstanceID", string("ID of the node.")),
      lifeState: state(nodeUpgradeStates).describe("State of its upgrade."),
      startAt: time,
      endAt: time,
      checkResult: object("Check before the upgrade.", {
        checkPass: boolean("Whether the check passed."),
        items: objects("Workloads checked.", {
          namespace: string("Namespace of the workload."),
          workLoadKind: string("Kind of the workload."),
          workLoadName: string("Name of the workload."),
          before: int("Pods that ran before the node was drained."),
          after: int("Pods that run afterwards."),
          pods: strings("Its pods on the node."),
        }),
        singlePods: strings("Pods on the node that belong to no workload."),
      }),
      detail: objects("Steps of the upgrade.", {
        step: string("Name of the step."),
        lifeState: string("`pending`, `running`, `success` or `failed`."),
        startAt: time,
        endAt: time,
        failedMsg: string("Reason of a failure; empty: none."),
      }),
    }),
    clusterStatus: object("Pods of the cluster during the upgrade.", {
      podTotal: int("Pods."),
      notReadyPod: int("Pods that are not ready."),
    }),
  },
  errors: ["InternalError.TaskNotFound", "ResourceNotFound"],
  pages: { by: "offset", items: "instances", total: "total" },
}));

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
    latest: boolean("True: only the newest. False, the default: all.").optional(),
  },
  output: {
    tasks: objects("The tasks; may be empty.", {
      lifeState: state(taskStates).describe("State; `aborted`: it failed or was stopped."),
      targetObj: string("ID of the resource that it changes: a cluster or a node pool."),
      param: string("Parameters, a JSON object."),
      taskType: string("Type of task."),
      lastError: string("Reason of a failure; empty: none."),
      clusterId: spelt("ClusterID", string("ID of the cluster.")),
      createdAt: string("Time when it began, ISO 8601."),
      updatedAt: string("Time of the last change of its state, ISO 8601."),
      taskId: spelt("TaskID", string("ID of the task: the request ID of the call that began it.")),
    }),
  },
  errors: ["FailedOperation.TaskNotFound", "InvalidParameter.Param"],
}));
