import * as states from "../../catalogue/cluster/states.ts";
import type { ErrorCode } from "../../operation/errors.ts";
import { state } from "../../operation/operation.ts";
import type { Call } from "../behaviour.ts";
import { requireRow } from "../requests/listing.ts";
import { stateReader } from "../store/timeline.ts";
import { clusters, type ClusterRow, clusterTasks, type NodeRow, type NodeUpgrade, type PoolRow } from "./tables.ts";

const clusterStateAt = stateReader(states.clusterStates);
export const endpointStateAt = stateReader(states.clusterEndpointStates);
export const authenticationStateAt = stateReader(states.authenticationStates);
export const taskStateAt = stateReader(states.taskStates);
export const nodeStateOf = stateNow(states.instanceStates);
export const poolStateOf = stateNow(states.nodePoolLifeStates);

/** Reads the states of rows at the moment of a call. */
function stateNow<const State extends string>(of: readonly State[]) {
  const stateOf = stateReader(of);
  return ({ now }: Call, { timeline }: NodeRow | PoolRow) => stateOf(timeline, now);
}

const clusterStatus = state(states.clusterStatuses);
const clusterInstanceState = state(states.clusterInstanceStates);
const poolState2018 = state(states.nodePoolLifeStates2018);

/** The states of a cluster in which its nodes, pools and endpoints can be changed. */
const usable: readonly states.ClusterState[] = ["Running", "NodeUpgrading", "ClusterLevelUpgrading"];

export function clusterStateOf(call: Call, { id, timeline }: ClusterRow): states.ClusterState {
  const state = clusterStateAt(timeline, call.now);
  return state === "Running" && nodesAreUpgraded(call, id) ? "NodeUpgrading" : state;
}

/** The state of a cluster as the `ClusterStatus` of DescribeClusters. */
export function clusterStatusOf(call: Call, cluster: ClusterRow): states.ClusterStatus {
  return clusterStatus.parse(clusterStateOf(call, cluster));
}

/** The Kubernetes version; an upgrade changes it when it is done. */
export function versionOf({ now }: Pick<Call, "now">, { version, upgrade }: Pick<ClusterRow, "version" | "upgrade">): string {
  return upgrade && upgrade.at <= now ? upgrade.to : version;
}

/** The state of all nodes together. It is `AllNormal` without nodes too; nodes that are being removed do not count. */
export function instanceStateOf(call: Call, nodes: readonly NodeRow[]): states.ClusterInstanceState {
  const counted = nodes.filter(({ leaving }) => !leaving);
  const failed = counted.filter((node) => nodeStateOf(call, node) === "failed").length;
  return clusterInstanceState.parse(failed === 0 ? "AllNormal" : failed === counted.length ? "AllAbnormal" : "PartialAbnormal");
}

/** The state of a pool as the actions of 2018-05-25 have it: `normal` for `Running`, the others in lower case. */
export function poolState2018Of(call: Call, pool: PoolRow): states.NodePoolLifeState2018 {
  const state: string = poolStateOf(call, pool);
  return poolState2018.parse(state === "Running" ? "normal" : state.toLowerCase());
}

/** The state of an upgrade of nodes. It follows the last requested operation, after the nodes that are being upgraded are done. */
export function upgradeStateAt({ nodes, wish: requested }: NodeUpgrade, now: number) {
  if (nodes.every(({ end }) => end !== undefined && end <= now)) return "done";
  const underWay = nodes.some(({ start, end }) => start !== undefined && start <= now && end !== undefined && now < end);
  if (requested === "process") return "process";
  if (requested === "pause") return underWay ? "pausing" : "paused";
  return underWay ? "abort" : "aborted";
}

function nodesAreUpgraded(call: Call, clusterId: string): boolean {
  return call
    .list(clusterTasks, clusterId)
    .some(({ upgrade }) => upgrade && ["process", "pausing", "abort"].includes(upgradeStateAt(upgrade, call.now)));
}

/** The cluster of an id; refuses an unknown one (specification, Errors: `ResourceNotFound` for a wrong cluster ID). */
export function clusterOf(call: Call<"ResourceNotFound">, clusterId: string): ClusterRow {
  return requireRow(call, clusters, "cluster", clusterId);
}

/** Refuses a call if the state of the cluster does not allow it. */
export function requireUsable(call: Call<"ResourceUnavailable.ClusterState">, cluster: ClusterRow): void {
  requireState(call, "ResourceUnavailable.ClusterState", cluster, usable);
}

export function requireRunning(call: Call<"ResourceUnavailable.ClusterState">, cluster: ClusterRow): void {
  requireState(call, "ResourceUnavailable.ClusterState", cluster, ["Running"]);
}

/** Like `requireUsable`, for the actions that have another code for it. */
export function requireUsableNodes(call: Call<"FailedOperation.ClusterState">, cluster: ClusterRow): void {
  requireState(call, "FailedOperation.ClusterState", cluster, usable);
}

function requireState<Code extends ErrorCode>(
  call: Call<Code>,
  code: Code,
  cluster: ClusterRow,
  accepted: readonly states.ClusterState[],
): void {
  const state = clusterStateOf(call, cluster);
  if (!accepted.includes(state))
    throw call.error(code, `cluster ${cluster.id} is ${state}; ${call.operation.action} takes a cluster that is ${accepted.join(", ")}`);
}
