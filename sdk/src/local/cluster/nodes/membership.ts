import { addExistedInstances, deleteClusterInstances } from "../../../catalogue/cluster/nodes.ts";
import { type Call, on } from "../../behaviour.ts";
import { destroyInstances } from "../control-plane/deletion.ts";
import { becomeInstances, joinInstances, refuseInstanceCount, servicesOf, whyUnfit } from "./joining.ts";
import { refuseLogin } from "./log-in.ts";
import { nodeSettingsOf, removeNodes } from "./machines.ts";
import { poolOf, lowerDesired } from "../pools/node-pools.ts";
import { refuseMissingGroups } from "../network.ts";
import { kindOf } from "../pools/pool-settings.ts";
import { clusterOf, nodeStateOf, requireUsableNodes } from "../states.ts";
import { type ClusterRow, nodes, type NodeRow, type PoolRow } from "../tables.ts";

export const membershipBehaviours = [
  on(addExistedInstances, (call, input) => {
    const cluster = clusterOf(call, input.clusterId);
    requireUsableNodes(call, cluster);
    refuseInstanceCount(call, input.instanceIds);
    refuseLogin(call, input.loginSettings, input.instanceIds, input.imageId);
    refuseMissingGroups(call, input.securityGroupIds ?? []);
    const pool = poolToJoin(call, cluster, input.nodePool);
    const { instanceAdvancedSettings = {}, instanceAdvancedSettingsOverrides: overrides = [] } = input;
    const usual = pool && input.nodePool?.inheritConfigurationFromNodePool ? nodeSettingsOf(pool) : instanceAdvancedSettings;
    const found = input.instanceIds
      .map((id, index) => ({ id, settings: overrides[index] ?? usual, reason: whyUnfit(call, cluster, id) }))
      .filter(({ id }, index) => input.instanceIds.indexOf(id) === index);
    const fit = found.filter(({ reason }) => reason === undefined);
    joinInstances(
      call,
      cluster,
      fit.map(({ id }) => id),
      {
        role: "WORKER",
        settings: (index) => fit[index]?.settings ?? {},
        services: servicesOf(input.enhancedService),
        imageId: input.imageId,
        keyIds: input.loginSettings?.keyIds,
        securityGroupIds: input.securityGroupIds,
        poolId: pool?.id,
        tags: input.tags,
        from: call.now,
      },
    );
    const failed = found.flatMap(({ id, reason }) => (reason === undefined ? [] : [{ id, reason }]));
    return {
      succInstanceIds: fit.map(({ id }) => id),
      failedInstanceIds: failed.map(({ id }) => id),
      failedReasons: failed.map(({ reason }) => reason),
      timeoutInstanceIds: [],
    };
  }),

  on(deleteClusterInstances, (call, { clusterId, instanceIds, instanceDeleteMode, forceDelete = false }) => {
    const cluster = clusterOf(call, clusterId);
    refuseInstanceCount(call, instanceIds);
    const ids = [...new Set(instanceIds)];
    const found = ids.flatMap((id) => call.rows(nodes).get(id) ?? []).filter((node) => node.clusterId === clusterId && !node.leaving);
    refuseWrongMode(call, found, { instanceDeleteMode, forceDelete });
    // A node that is still being installed is only removed by force (specification, DeleteClusterInstances).
    const going = forceDelete ? found : found.filter((node) => nodeStateOf(call, node) !== "initializing");
    const gone = call.after("nodeDelete");
    removeNodes(call, instanceDeleteMode === "retain" ? becomeInstances(call, going) : going, gone);
    if (instanceDeleteMode === "terminate") destroyInstances(call, going, gone);
    lowerDesired(call, cluster, countByPool(going));
    const present = new Set(found.map(({ id }) => id));
    return {
      succInstanceIds: going.map(({ id }) => id),
      failedInstanceIds: found.filter((node) => !going.includes(node)).map(({ id }) => id),
      notFoundInstanceIds: ids.filter((id) => !present.has(id)),
    };
  }),
];

/** The pool that instances are to join. Only regular pools take them: a native pool makes its machines itself. */
function poolToJoin(
  call: Call<"ResourceNotFound">,
  cluster: ClusterRow,
  given: { addToNodePool?: boolean | undefined; nodePoolId?: string | undefined } | undefined,
): PoolRow | undefined {
  if (!given?.addToNodePool) return undefined;
  if (given.nodePoolId === undefined) throw call.error("MissingParameter", "NodePool.NodePoolId is required with AddToNodePool");
  const pool = poolOf(call, cluster, given.nodePoolId);
  const kind = kindOf(pool);
  if (kind !== "Regular")
    throw call.error("InvalidParameter", `node pool ${pool.id} is of Type ${kind}; existing instances join pools of Type Regular only`);
  return pool;
}

function refuseWrongMode(
  call: Call,
  found: readonly NodeRow[],
  { instanceDeleteMode, forceDelete }: { instanceDeleteMode: "terminate" | "retain"; forceDelete: boolean },
): void {
  const foreign = found.filter(({ machine }) => instanceDeleteMode === "terminate" && machine === "external");
  if (foreign.length > 0)
    throw call.error(
      "InvalidParameter",
      `InstanceDeleteMode is terminate, but ${named(foreign)} is outside of the cloud; the platform can only retain such machines`,
    );
  const prepaid = found.filter(({ chargeType }) => instanceDeleteMode === "terminate" && chargeType === "PREPAID");
  if (prepaid.length > 0)
    throw call.error(
      "InvalidParameter",
      `InstanceDeleteMode is terminate, but ${named(prepaid)} is PREPAID; only pay-as-you-go instances can be terminated`,
    );
  const settled = found.filter((node) => forceDelete && nodeStateOf(call, node) !== "initializing");
  if (settled.length > 0)
    throw call.error(
      "InvalidParameter",
      `ForceDelete is true, but ${named(settled)} is not initializing; it is only for nodes that still are`,
    );
}

function named(found: readonly NodeRow[]): string {
  return found.map(({ id }) => id).join(", ");
}

/** The number of nodes that their pools made, by pool. */
export function countByPool(going: readonly NodeRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { poolId, machine } of going)
    if (poolId !== undefined && machine === "pool") counts.set(poolId, (counts.get(poolId) ?? 0) + 1);
  return counts;
}
