import { describeTasks, type TaskType } from "../../../catalogue/cluster/versions.ts";
import { type Call, on } from "../../behaviour.ts";
import { passing, reasonAt } from "../../store/timeline.ts";
import { timestampOf } from "../../time.ts";
import { taskStateAt, upgradeStateAt } from "../states.ts";
import { clusters, clusterTasks, type NodeUpgrade, type TaskRow } from "../tables.ts";

/** Tasks have the progress of long-running operations, and in `LastError` the reason of a failure. */
export const taskBehaviours = [
  on(describeTasks, (call, { filter = [], latest = false }) => {
    for (const { name } of filter) {
      if (name !== "ClusterId" && name !== "TaskType")
        throw call.error("InvalidParameter", `DescribeTasks has no filter ${name}; it takes ClusterId, TaskType`);
    }
    const types = valuesOf(call, filter, "TaskType");
    const clusterIds = valuesOf(call, filter, "ClusterId");
    const known = clusterIds.filter((id) => call.rows(clusters).get(id));
    if (known.length === 0)
      throw call.error("FailedOperation.TaskNotFound", `there is no cluster ${clusterIds.join(", ")} in ${call.region}, and no task of it`);
    const found = known
      .flatMap((id) => call.list(clusterTasks, id))
      .filter(({ type }) => types.includes(type))
      .toReversed()
      .toSorted((one, other) => other.began - one.began);
    return { tasks: (latest ? found.slice(0, 1) : found).map((task) => recordOf(call, task)) };
  }),
];

/** Both filters are required (specification, rule 2 of the cluster service). */
function valuesOf(
  call: Call<"InvalidParameter.Param">,
  filter: readonly { readonly name: string; readonly values: readonly string[] }[],
  wanted: string,
): readonly string[] {
  const values = filter.filter(({ name }) => name === wanted).flatMap((one) => one.values.filter((value) => value !== ""));
  if (values.length === 0) throw call.error("InvalidParameter.Param", `PARAM_ERROR(${wanted} is empty)`);
  return values;
}

/** Inserts a task that runs until a moment. If `failure` has a reason, it fails then. */
export function beginTask(call: Call, clusterId: string, { target = clusterId, param = {}, until, failure, ...plan }: TaskPlan): void {
  const timeline = passing("process", until, failure === undefined ? "done" : "aborted", failure);
  const task = { ...plan, id: call.requestId, clusterId, target, param: JSON.stringify(param), began: call.now, timeline };
  call.rows(clusterTasks).insert(task, clusterId);
}

interface TaskPlan {
  readonly type: TaskType;
  /** The id of the resource that it changes; the cluster's unless given. */
  readonly target?: string;
  readonly param?: object;
  readonly until: number;
  readonly failure?: string | undefined;
  readonly upgrade?: NodeUpgrade;
}

function recordOf(call: Call, task: TaskRow) {
  const { id, clusterId, type, target, param, began, timeline, upgrade } = task;
  return {
    lifeState: upgrade ? upgradeStateAt(upgrade, call.now) : taskStateAt(timeline, call.now),
    targetObj: target,
    param,
    taskType: type,
    lastError: reasonAt(timeline, call.now) ?? "",
    clusterId,
    createdAt: timestampOf(began),
    updatedAt: timestampOf(changedAt(task, call.now)),
    taskId: id,
  };
}

/** The moment at which the state of a task last changed. */
function changedAt({ began, timeline, upgrade }: TaskRow, now: number): number {
  const moments = upgrade
    ? [upgrade.wishedAt, ...upgrade.nodes.flatMap(({ end }) => end ?? [])]
    : timeline.stages.map(({ until }) => until);
  return Math.max(began, ...moments.filter((moment) => moment <= now));
}
