import type { z } from "zod";
import { modifyClusterNodePool, modifyNodePoolDesiredCapacityAboutAsg } from "../../../catalogue/cluster/node-pools.ts";
import { type Call, on } from "../../behaviour.ts";
import { refuseGpu } from "../nodes/joining.ts";
import { scaleToDesired, nodeSettingsOf } from "../nodes/machines.ts";
import { changeablePool } from "./node-pools.ts";
import { kindOf, within } from "./pool-settings.ts";
import { clusterOf } from "../states.ts";
import { type ClusterRow, nodePools, nodes, type PoolRow } from "../tables.ts";

type Input = z.output<typeof modifyClusterNodePool.input>;
type ChangeCall = Call<"InvalidParameter.Param" | "OperationDenied" | "ResourceNotFound">;

/** Changes of pools of 2018-05-25; ModifyNodePool changes native ones. */
export const regularPoolChangeBehaviours = [
  on(modifyClusterNodePool, (call, input) => {
    const cluster = clusterOf(call, input.clusterId);
    const was = olderPool(call, cluster, input.nodePoolId);
    if (input.name === "") throw call.error("InvalidParameter.Param", "Name is empty; a node pool takes a name of one character or more");
    const pool = call.rows(nodePools).update(was.id, {
      name: input.name ?? was.name,
      labels: input.labels ?? was.labels,
      taints: input.taints ?? was.taints,
      annotations: input.annotations ?? was.annotations,
      tags: input.tags ? [{ resourceType: "machine", tags: input.tags }] : was.tags,
      deletionProtection: input.deletionProtection ?? was.deletionProtection,
      unschedulable: input.unschedulable === undefined ? was.unschedulable : input.unschedulable === 1,
      regular: was.regular && {
        ...was.regular,
        os: input.osName ?? was.regular.os,
        osCustomizeType: input.osCustomizeType ?? was.regular.osCustomizeType,
      },
      instanceAdvancedSettings: nodeSettingsAfter(call, was, input),
      settings: boundsAfter(call, was, input),
    });
    if (!input.ignoreExistedNode) relabel(call, pool);
    scaleToDesired(call, cluster, pool);
    return {};
  }),

  on(modifyNodePoolDesiredCapacityAboutAsg, (call, { clusterId, nodePoolId, desiredCapacity }) => {
    const cluster = clusterOf(call, clusterId);
    const { settings } = scaledPool(call, olderPool(call, cluster, nodePoolId));
    const { minReplicas = 0, maxReplicas = Infinity } = settings.scaling;
    if (desiredCapacity < minReplicas || desiredCapacity > maxReplicas)
      throw call.error("InvalidParameter.Param", `DesiredCapacity is ${desiredCapacity}; it takes ${minReplicas} to ${maxReplicas}`);
    scaleToDesired(call, cluster, call.rows(nodePools).update(nodePoolId, { settings: { ...settings, replicas: desiredCapacity } }));
    return {};
  }),
];

function olderPool(call: ChangeCall, cluster: ClusterRow, nodePoolId: string): PoolRow {
  const pool = changeablePool(call, cluster, nodePoolId);
  if (kindOf(pool) === "Native")
    throw call.error("InvalidParameter.Param", `node pool ${nodePoolId} is of Type Native; ModifyNodePool and ScaleNodePool change it`);
  return pool;
}

/** A pool that can be scaled: machines join external pools by themselves. */
function scaledPool(call: ChangeCall, pool: PoolRow): PoolRow {
  if (kindOf(pool) === "External")
    throw call.error("InvalidParameter.Param", `node pool ${pool.id} is of Type External; machines join it by themselves`);
  return pool;
}

function nodeSettingsAfter(call: ChangeCall, { instanceAdvancedSettings: was = {}, settings }: PoolRow, input: Input) {
  const { gpuArgs, userScript, extraArgs, dockerGraphPath, preStartUserScript } = input;
  refuseGpu(call, { gpuArgs }, settings.instanceTypes[0] ?? "");
  return {
    ...was,
    gpuArgs: gpuArgs ?? was.gpuArgs,
    userScript: userScript ?? was.userScript,
    extraArgs: extraArgs ?? was.extraArgs,
    dockerGraphPath: dockerGraphPath ?? was.dockerGraphPath,
    preStartUserScript: preStartUserScript ?? was.preStartUserScript,
  };
}

/** The settings with new bounds; the desired number is kept within them. */
function boundsAfter(call: ChangeCall, pool: PoolRow, { minNodesNum, maxNodesNum, enableAutoscale }: Input): PoolRow["settings"] {
  const { settings } = pool;
  if (minNodesNum !== undefined || maxNodesNum !== undefined || enableAutoscale !== undefined) scaledPool(call, pool);
  const scaling = {
    ...settings.scaling,
    minReplicas: minNodesNum ?? settings.scaling.minReplicas ?? 0,
    maxReplicas: maxNodesNum ?? settings.scaling.maxReplicas,
  };
  if (scaling.minReplicas > (scaling.maxReplicas ?? Infinity))
    throw call.error(
      "InvalidParameter.Param",
      `MinNodesNum ${scaling.minReplicas} is above MaxNodesNum ${scaling.maxReplicas}; it takes ${scaling.maxReplicas} at most`,
    );
  return {
    ...settings,
    scaling,
    replicas: within(scaling, settings.replicas),
    enableAutoscaling: enableAutoscale ?? settings.enableAutoscaling,
  };
}

/** Applies labels and taints to existing nodes; other settings only apply to new ones. */
function relabel(call: Call, pool: PoolRow): void {
  const { labels, taints } = nodeSettingsOf(pool);
  for (const { id, poolId, settings } of call.rows(nodes).list(pool.clusterId))
    if (poolId === pool.id) call.rows(nodes).update(id, { settings: { ...settings, labels, taints } });
}
