import type { z } from "zod";
import { modifyClusterNodePool, modifyNodePoolDesiredCapacityAboutAsg } from "../../../catalogue/cluster/node-pools.ts";
import { type Call, on } from "../../behaviour.ts";
import { refuseGpu } from "../nodes/joining.ts";
import { scaleToDesired, nodeSettingsOf } from "../nodes/machines.ts";
import { changeablePool } from "./node-pools.ts";
import { kindOf, within } from "./pool-settings.ts";
import { clusterOf } from "../states.ts";
import { type ClusterRow, nodePools, nodes, type PoolRow } from "../tables.ts";

type Wish = z.output<typeof modifyClusterNodePool.input>;
type ChangeCall = Call<"InvalidParameter.Param" | "OperationDenied" | "ResourceNotFound">;

/** Changes of pools of 2018-05-25; ModifyNodePool changes native ones. */
export const regularPoolChangeBehaviours = [
  on(modifyClusterNodePool, (call, wish) => {
    const cluster = clusterOf(call, wish.clusterId);
    const was = olderPool(call, cluster, wish.nodePoolId);
    if (wish.name === "") throw call.error("InvalidParameter.Param", "Name is empty; a node pool takes a name of one character or more");
    const pool = call.rows(nodePools).update(was.id, {
      name: wish.name ?? was.name,
      labels: wish.labels ?? was.labels,
      taints: wish.taints ?? was.taints,
      annotations: wish.annotations ?? was.annotations,
      tags: wish.tags ? [{ resourceType: "machine", tags: wish.tags }] : was.tags,
      deletionProtection: wish.deletionProtection ?? was.deletionProtection,
      unschedulable: wish.unschedulable === undefined ? was.unschedulable : wish.unschedulable === 1,
      regular: was.regular && {
        ...was.regular,
        os: wish.osName ?? was.regular.os,
        osCustomizeType: wish.osCustomizeType ?? was.regular.osCustomizeType,
      },
      instanceAdvancedSettings: nodeSettingsAfter(call, was, wish),
      settings: boundsAfter(call, was, wish),
    });
    if (!wish.ignoreExistedNode) relabel(call, pool);
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

/** Machines join external pools by themselves: those cannot be scaled. */
function scaledPool(call: ChangeCall, pool: PoolRow): PoolRow {
  if (kindOf(pool) === "External")
    throw call.error("InvalidParameter.Param", `node pool ${pool.id} is of Type External; machines join it by themselves`);
  return pool;
}

function nodeSettingsAfter(call: ChangeCall, { instanceAdvancedSettings: was = {}, settings }: PoolRow, wish: Wish) {
  const { gpuArgs, userScript, extraArgs, dockerGraphPath, preStartUserScript } = wish;
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

/** The wished number follows the bounds. */
function boundsAfter(call: ChangeCall, pool: PoolRow, { minNodesNum, maxNodesNum, enableAutoscale }: Wish): PoolRow["settings"] {
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
      `MinNodesNum ${scaling.minReplicas} is above MaxNodesNum ${scaling.maxReplicas}; it takes at most as much`,
    );
  return {
    ...settings,
    scaling,
    replicas: within(scaling, settings.replicas),
    enableAutoscaling: enableAutoscale ?? settings.enableAutoscaling,
  };
}

/** Labels and taints reach nodes that are there; other settings are those of new nodes only. */
function relabel(call: Call, pool: PoolRow): void {
  const { labels, taints } = nodeSettingsOf(pool);
  for (const { id, poolId, settings } of call.rows(nodes).list(pool.clusterId))
    if (poolId === pool.id) call.rows(nodes).update(id, { settings: { ...settings, labels, taints } });
}
