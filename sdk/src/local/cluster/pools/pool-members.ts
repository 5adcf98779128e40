import { deleteClusterNodePool, removeNodeFromNodePool } from "../../../catalogue/cluster/node-pools.ts";
import { type Call, on } from "../../behaviour.ts";
import { becomeInstances } from "../nodes/joining.ts";
import { removeNodes } from "../nodes/machines.ts";
import { countByPool } from "../nodes/membership.ts";
import { changeablePool, poolOf, refuseProtected, removePool, lowerDesired } from "./node-pools.ts";
import { clusterOf, poolStateOf } from "../states.ts";
import { nodes, type NodeRow, type PoolRow } from "../tables.ts";

/** The most nodes in one call (public API). */
const mostNodes = 100;

export const poolMemberBehaviours = [
  on(removeNodeFromNodePool, (call, { clusterId, nodePoolId, instanceIds }) => {
    const cluster = clusterOf(call, clusterId);
    const pool = changeablePool(call, cluster, nodePoolId);
    if (instanceIds.length === 0 || instanceIds.length > mostNodes)
      throw call.error("InvalidParameter.Param", `InstanceIds has ${instanceIds.length} ids; it takes 1 to ${mostNodes}`);
    const members = new Map(membersOf(call, pool).map((node) => [node.id, node]));
    const going = [...new Set(instanceIds)].map((id) => {
      const node = members.get(id);
      if (!node) throw call.error("FailedOperation.RecordNotFound", `node pool ${nodePoolId} has no node ${id}`);
      return node;
    });
    // A node without a pool counts as added by hand.
    for (const { id } of going) call.rows(nodes).update(id, { poolId: undefined, manual: true });
    lowerDesired(call, cluster, countByPool(going));
    return {};
  }),

  on(deleteClusterNodePool, (call, { clusterId, nodePoolIds, keepInstance }) => {
    const cluster = clusterOf(call, clusterId);
    if (nodePoolIds.length === 0) throw call.error("InvalidParameter.Param", "NodePoolIds is empty; it takes at least one id");
    const pools = [...new Set(nodePoolIds)].map((id) => poolOf(call, cluster, id));
    for (const pool of pools) refuseProtected(call, pool);
    for (const pool of pools) {
      if (poolStateOf(call, pool) === "Deleting") continue;
      if (keepInstance) removeNodes(call, becomeInstances(call, membersOf(call, pool)), call.after("nodeDelete"));
      removePool(call, cluster, pool);
    }
    return {};
  }),
];

function membersOf(call: Call, { id, clusterId }: PoolRow): NodeRow[] {
  return call
    .rows(nodes)
    .list(clusterId)
    .filter(({ poolId, leaving }) => poolId === id && !leaving);
}
