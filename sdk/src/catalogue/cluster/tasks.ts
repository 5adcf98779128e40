import { z } from "zod";
import { operations, spelt, state } from "../../operation/operation.ts";
import { filters } from "../shared.ts";
import { taskStates } from "./states.ts";

const operation = operations("cluster", "2018-05-25");

const task = z.object({
  lifeState: state(taskStates).describe("State; `aborted`: it failed or was stopped."),
  targetObj: z.string().describe("Id of what it works on: a cluster or a node pool."),
  param: z.string().describe("Parameters, a JSON object."),
  taskType: z.string().describe("Kind of task."),
  lastError: z.string().describe("Why it failed; empty: it did not."),
  clusterId: spelt("ClusterID", z.string().describe("Id of the cluster.")),
  createdAt: z.string().describe("When it began, ISO 8601."),
  updatedAt: z.string().describe("When its state last changed, ISO 8601."),
  taskId: spelt("TaskID", z.string().describe("Id: that of the call which began it.")),
});

/** The kinds of tasks of the platform. Where the public API has no name for one, it is named in the same style. */
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
  summary: "Lists the tasks of one kind of a cluster, newest first: how far they are, and why they failed.",
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
