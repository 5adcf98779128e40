import type { z } from "zod";
import { createNodePool, deleteNodePool, modifyNodePool, scaleNodePool } from "../../../catalogue/cluster/node-pools.ts";
import { type Call, on } from "../../behaviour.ts";
import { textRules } from "../../../rules/texts.ts";
import { refuseTags, refuseUnlessAllowed, type Tag } from "../../requests/names-and-tags.ts";
import { durationOf } from "../../time-scale.ts";
import { passing, settled } from "../../store/timeline.ts";
import { attach } from "../../vpc/attachments.ts";
import { scaleToDesired, nodeSettingsOf, removeNodes } from "../nodes/machines.ts";
import { releaseAttachments } from "../network.ts";
import { kindOf, modifiedSettings, newSettings, refuseSettings, refuseUnoffered } from "./pool-settings.ts";
import { clusterOf, poolStateOf, requireUsableNodes } from "../states.ts";
import { type ClusterRow, nodePools, nodes, type PoolRow } from "../tables.ts";
import { beginTask } from "../control-plane/tasks.ts";

type Created = z.output<typeof createNodePool.input>;

export const nodePoolBehaviours = [
  on(createNodePool, (call, input) => {
    const cluster = clusterOf(call, input.clusterId);
    requireUsableNodes(call, cluster);
    refuseName(call, input.name);
    refuseTags(call, tagsIn(input));
    if (!input.native) throw call.error("MissingParameter", "Native is required for a pool of Type Native");
    const settings = newSettings(input.native);
    refuseSettings(call, cluster, settings);
    refuseUnoffered(call, settings, input.native);
    const pool = makePool(call, cluster, { ...attributesOf(input), generation: "2022", name: input.name, settings });
    return { nodePoolId: pool.id };
  }),

  on(modifyNodePool, (call, { clusterId, nodePoolId, native, ...given }) => {
    const cluster = clusterOf(call, clusterId);
    const was = changeablePool(call, cluster, nodePoolId);
    if (given.name !== undefined) refuseName(call, given.name);
    refuseTags(call, tagsIn(given));
    const settings = native ? modifiedSettings(call, was, native) : was.settings;
    if (native) {
      refuseSettings(call, cluster, settings);
      refuseUnoffered(call, settings, native);
    }
    const pool = call.rows(nodePools).update(nodePoolId, {
      name: given.name ?? was.name,
      labels: given.labels ?? was.labels,
      taints: given.taints ?? was.taints,
      annotations: given.annotations ?? was.annotations,
      tags: given.tags ?? was.tags,
      deletionProtection: given.deletionProtection ?? was.deletionProtection,
      unschedulable: given.unschedulable ?? was.unschedulable,
      settings,
    });
    if (native) applySettings(call, cluster, pool);
    // Labels, taints and the other node settings are applied to existing nodes too.
    for (const { id, poolId } of call.rows(nodes).list(clusterId))
      if (poolId === nodePoolId) call.rows(nodes).update(id, { settings: nodeSettingsOf(pool) });
    return {};
  }),

  on(scaleNodePool, (call, { clusterId, nodePoolId, replicas }) => {
    const cluster = clusterOf(call, clusterId);
    const was = changeablePool(call, cluster, nodePoolId);
    if (kindOf(was) === "External")
      throw call.error("InvalidParameter", `node pool ${nodePoolId} is of Type External; machines join it by themselves`);
    const settings = { ...was.settings, replicas };
    refuseSettings(call, cluster, settings);
    applySettings(call, cluster, call.rows(nodePools).update(nodePoolId, { settings }));
    return {};
  }),

  on(deleteNodePool, (call, { clusterId, nodePoolId }) => {
    const cluster = clusterOf(call, clusterId);
    const pool = poolOf(call, cluster, nodePoolId);
    refuseProtected(call, pool);
    if (poolStateOf(call, pool) !== "Deleting") removePool(call, cluster, pool);
    return {};
  }),
];

/** The pool of an id in a cluster; refuses an unknown one. */
export function poolOf(call: Call<"ResourceNotFound">, { id: clusterId }: ClusterRow, nodePoolId: string): PoolRow {
  const pool = call.rows(nodePools).get(nodePoolId);
  if (pool?.clusterId !== clusterId) throw call.error("ResourceNotFound", `cluster ${clusterId} has no node pool ${nodePoolId}`);
  return pool;
}

export function refuseProtected(call: Call<"OperationDenied">, { id, deletionProtection }: PoolRow): void {
  if (deletionProtection)
    throw call.error(
      "OperationDenied",
      `node pool ${id} is under deletion protection; ModifyNodePool with DeletionProtection false lifts it`,
    );
}

export function changeablePool(call: Call<"OperationDenied" | "ResourceNotFound">, cluster: ClusterRow, nodePoolId: string): PoolRow {
  const pool = poolOf(call, cluster, nodePoolId);
  if (poolStateOf(call, pool) === "Deleting") throw call.error("OperationDenied", `node pool ${nodePoolId} is being deleted`);
  return pool;
}

function refuseName(call: Call, name: string): void {
  if (name === "") throw call.error("InvalidParameter", "Name is empty; a node pool takes a name of one character or more");
  refuseUnlessAllowed(call, "InvalidParameter", "Name", name, textRules.name);
}

function tagsIn({ tags = [] }: Pick<Created, "tags">): Tag[] {
  return tags.flatMap((specification) => specification.tags);
}

function attributesOf({
  labels = [],
  taints = [],
  annotations = [],
  tags = [],
  deletionProtection = false,
  unschedulable = false,
}: Created) {
  return { labels, taints, annotations, tags, deletionProtection, unschedulable };
}

/** Makes a pool in a cluster. The installation of its machines begins when the pool is running. */
export function makePool(call: Call, cluster: ClusterRow, given: Omit<PoolRow, "id" | "clusterId" | "createdTime" | "timeline">): PoolRow {
  const id = call.world.newId("np", nodePools);
  const fault = call.faults.endFor("nodePool");
  const ready = call.after("poolCreate");
  const timeline = passing("Creating", ready, fault?.endState ?? "Running", fault?.reason);
  const name = given.name || id;
  const pool = call
    .rows(nodePools)
    .insert({ ...given, id, name, clusterId: cluster.id, createdTime: call.timestamp, timeline }, cluster.id);
  beginTask(call, cluster.id, { type: "create_node_pool", target: id, param: { Name: name }, until: ready, failure: fault?.reason });
  attachPool(call, cluster, pool);
  if (!fault) scaleToDesired(call, cluster, pool, ready);
  return pool;
}

/** Attaches a pool to its subnets and security groups, so that they are in use even without machines. */
function attachPool(call: Call, { vpcId }: ClusterRow, { id: owner, settings }: PoolRow): void {
  const { subnetIds, securityGroupIds } = settings;
  for (const subnetId of subnetIds) attach(call, { owner, vpcId, subnetId, addresses: 0, ipv6: false, securityGroupIds });
}

/** Applies changed settings of a pool: to its state, its attachments and its number of machines. */
function applySettings(call: Call, cluster: ClusterRow, pool: PoolRow): void {
  if (poolStateOf(call, pool) === "Running")
    call.rows(nodePools).update(pool.id, { timeline: passing("Updating", call.after("poolCreate"), "Running") });
  releaseAttachments(call, new Set([pool.id]), cluster.vpcId, call.now);
  attachPool(call, cluster, pool);
  scaleToDesired(call, cluster, pool);
}

/** Deletes a pool. It stays until its machines are removed. */
export function removePool(call: Call, { vpcId }: ClusterRow, { id, clusterId }: PoolRow): void {
  const members = call
    .rows(nodes)
    .list(clusterId)
    .filter(({ poolId }) => poolId === id);
  const machines = members.filter(({ machine }) => machine === "pool");
  const gone = call.after("poolDelete") + (machines.length > 0 ? durationOf("nodeDelete", call.world.timeScale) : 0);
  call.rows(nodePools).update(id, { timeline: settled("Deleting") });
  call.rows(nodePools).expire(id, gone);
  releaseAttachments(call, new Set([id]), vpcId, gone);
  removeNodes(
    call,
    machines.filter(({ leaving }) => !leaving),
    gone,
  );
  // Machines that were added by hand stay in the cluster, without a pool.
  for (const { id: nodeId, machine } of members) if (machine !== "pool") call.rows(nodes).update(nodeId, { poolId: undefined });
}

/** Lowers the desired number of pools whose nodes were removed one by one, but not below the minimum. */
export function lowerDesired(call: Call, cluster: ClusterRow, gone: ReadonlyMap<string, number>): void {
  for (const [poolId, count] of gone) {
    const pool = call.rows(nodePools).get(poolId);
    if (!pool) continue;
    const replicas = Math.max(pool.settings.scaling.minReplicas ?? 0, pool.settings.replicas - count);
    scaleToDesired(call, cluster, call.rows(nodePools).update(poolId, { settings: { ...pool.settings, replicas } }));
  }
}
