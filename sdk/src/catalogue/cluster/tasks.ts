import { z } from "zod";
import { operations, spelt, state } from "../../operation/operation.ts";
import { filters } from "../shared.ts";
import { taskStates } from "./states.ts";

const operation = operations("cluster", "2018-05-25");

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
    filter: filters
      .optional()
      .describe(
        "Both are required: `ClusterId`, and `TaskType`: `create_cluster`, `cluster_upgrade`, `node_upgrade`, `create_node_pool`, `apply_cluster_extra_args`, `modify_authentication_options` and others.",
      ),
    latest: z.boolean().optional().describe("True: only the newest. False, the default: all."),
  },
  output: { tasks: z.array(task).describe("The tasks; may be empty.") },
  errors: ["FailedOperation.TaskNotFound", "InvalidParameter.Param"],
  effect: "read",
  source: "specification",
}));
