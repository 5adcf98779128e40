import { getUpgradeInstanceProgress, upgradeClusterInstances } from "../../../catalogue/cluster/versions.ts";
import { nodeUpgradeStates, upgradeStates } from "../../../catalogue/cluster/states.ts";
import { state } from "../../../operation/operation.ts";
import { type Call, on } from "../../behaviour.ts";
import { durationOf, timestampOf } from "../../time.ts";
import { beginTask } from "../control-plane/tasks.ts";
import { clusterOf, nodeStateOf, requireRunning, upgradeStateAt, versionOf } from "../states.ts";
import { refuseLogin } from "./make-nodes.ts";
import { type ClusterRow, clusterTasks, nodes, type NodeUpgrade, type TaskRow } from "../tables.ts";

const upgradeState = state(upgradeStates);
const nodeUpgradeState = state(nodeUpgradeStates);

/** The number of nodes in one answer: by default, and at most. */
const usualLimit = 20;
const mostShown = 100;

type UpgradeTask = TaskRow & { readonly upgrade: NodeUpgrade };
type Scheduled = NodeUpgrade["nodes"][number];

export const nodeUpgradeBehaviours = [
  on(upgradeClusterInstances, (call, { clusterId, operation, upgradeType, instanceIds, resetParam, concurrent = 1 }) => {
    const cluster = clusterOf(call, clusterId);
    if (operation === "create") {
      if (upgradeType === undefined) throw call.error("MissingParameter", "UpgradeType is required with Operation create");
      refuseLogin(call, resetParam?.loginSettings, instanceIds ?? []);
      begin(call, cluster, { upgradeType, instanceIds: [...new Set(instanceIds ?? [])], concurrent });
      return;
    }
    change(call, upgradeOf(call, clusterId), operation);
  }),

  on(getUpgradeInstanceProgress, (call, { clusterId, offset = 0, limit = usualLimit }) => {
    clusterOf(call, clusterId);
    const { upgrade } = upgradeOf(call, clusterId);
    if (offset < 0) throw call.error("InvalidParameter", `Offset is ${offset}; it takes 0 or more`);
    if (limit < 1 || limit > mostShown) throw call.error("InvalidParameter", `Limit is ${limit}; it takes 1 to ${mostShown}`);
    return {
      total: upgrade.nodes.length,
      done: upgrade.nodes.filter(({ end }) => end !== undefined && end <= call.now).length,
      lifeState: upgradeState.parse(upgradeStateAt(upgrade, call.now)),
      instances: upgrade.nodes.slice(offset, offset + limit).map((node) => progressOf(call, upgrade, node)),
      clusterStatus: { podTotal: 0, notReadyPod: 0 },
    };
  }),
];

function upgradeOf(call: Call<"InternalError.TaskNotFound">, clusterId: string): UpgradeTask {
  const task = latestUpgrade(call, clusterId);
  if (!task) throw call.error("InternalError.TaskNotFound", `the nodes of cluster ${clusterId} have not been upgraded`);
  return task;
}

function latestUpgrade(call: Call, clusterId: string): UpgradeTask | undefined {
  return call
    .list(clusterTasks, clusterId)
    .flatMap((task) => (task.upgrade ? { ...task, upgrade: task.upgrade } : []))
    .at(-1);
}

function begin(
  call: Call<"FailedOperation.TaskAlreadyRunning" | "InvalidParameter.Param" | "ResourceUnavailable.ClusterState">,
  cluster: ClusterRow,
  { upgradeType, instanceIds, concurrent }: { upgradeType: string; instanceIds: readonly string[]; concurrent: number },
): void {
  const running = latestUpgrade(call, cluster.id);
  if (running && !["done", "aborted"].includes(upgradeStateAt(running.upgrade, call.now)))
    throw call.error(
      "FailedOperation.TaskAlreadyRunning",
      `an upgrade of nodes of cluster ${cluster.id} is under way; abort it, or wait for its end`,
    );
  requireRunning(call, cluster);
  if (instanceIds.length === 0) throw call.error("MissingParameter", "InstanceIds is required with Operation create");
  for (const id of instanceIds) refuseUnfit(call, cluster, id);
  const version = versionOf(call, cluster);
  const planned = instanceIds.map((id) => ({ id }));
  const scheduled = schedule(call, planned, concurrent, call.now);
  beginTask(call, cluster.id, {
    type: "node_upgrade",
    param: { UpgradeType: upgradeType, Version: version, InstanceIds: instanceIds },
    until: call.now,
    upgrade: { version, concurrent, wish: "process", wishedAt: call.now, nodes: scheduled },
  });
}

function refuseUnfit(call: Call<"InvalidParameter.Param">, { id: clusterId }: ClusterRow, instanceId: string): void {
  const node = call.rows(nodes).get(instanceId);
  if (node?.clusterId !== clusterId)
    throw call.error("InvalidParameter.Param", `InstanceIds: ${instanceId} is no node of cluster ${clusterId}`);
  const nodeState = nodeStateOf(call, node);
  if (node.leaving || nodeState !== "running")
    throw call.error(
      "InvalidParameter.Param",
      `InstanceIds: node ${instanceId} is ${node.leaving ? "leaving" : nodeState}; only running nodes are upgraded`,
    );
}

/** Schedules the nodes that have no time yet: `concurrent` at a time, from a moment on. */
function schedule(call: Call, planned: readonly Scheduled[], concurrent: number, from: number): Scheduled[] {
  const each = durationOf("nodeUpgrade", call.world.timeScale);
  let waiting = 0;
  return planned.map((node) => {
    if (node.end !== undefined) return node;
    const start = from + Math.floor(waiting++ / concurrent) * each;
    return { ...node, start, end: start + each };
  });
}

/** Pauses, resumes or aborts an upgrade. Nodes whose upgrade has begun are upgraded to the end in any case. */
function change(
  call: Call<"FailedOperation.TaskLifeStateError">,
  { id, clusterId, upgrade }: UpgradeTask,
  operation: "pause" | "resume" | "abort",
): void {
  const present = upgradeStateAt(upgrade, call.now);
  const from = { pause: ["process"], resume: ["pausing", "paused"], abort: ["process", "pausing", "paused"] }[operation];
  if (!from.includes(present))
    throw call.error(
      "FailedOperation.TaskLifeStateError",
      `the upgrade of nodes of cluster ${clusterId} is ${present}; ${operation} takes one that is ${from.join(", ")}`,
    );
  const begun = upgrade.nodes.map(({ id: node, start, end }) =>
    start !== undefined && start <= call.now ? { id: node, start, end } : { id: node },
  );
  const free = Math.max(call.now, ...begun.flatMap(({ end }) => end ?? []));
  const requested = operation === "resume" ? "process" : operation;
  const planned = operation === "resume" ? schedule(call, begun, upgrade.concurrent, free) : begun;
  call.rows(clusterTasks).update(id, { upgrade: { ...upgrade, wish: requested, wishedAt: call.now, nodes: planned } });
}

function progressOf(call: Call, upgrade: NodeUpgrade, { id, start, end }: Scheduled) {
  const began = start !== undefined && start <= call.now;
  const done = end !== undefined && end <= call.now;
  const waiting = upgrade.wish === "pause" ? "paused" : upgrade.wish === "abort" ? "aborted" : "pending";
  const startAt = began ? timestampOf(start) : "";
  const endAt = done ? timestampOf(end) : "";
  return {
    instanceId: id,
    lifeState: nodeUpgradeState.parse(done ? "done" : began ? "process" : waiting),
    startAt,
    endAt,
    checkResult: { checkPass: true, items: [], singlePods: [] },
    detail: [{ step: "upgrade", lifeState: done ? "success" : began ? "running" : "pending", startAt, endAt, failedMsg: "" }],
  };
}
