import type { ClusterEndpointState, ClusterState, InstanceState, NodePoolLifeState } from "../catalogue/cluster.ts";
import type { Cloud } from "../client/client.ts";
import { type clusterFinder, type nodePoolsOf, nodesOf, taskError } from "../finders/cluster.ts";
import type { Status } from "./readiness.ts";

type Cluster = NonNullable<Awaited<ReturnType<typeof clusterFinder.find>>>;
type NodePool = Awaited<ReturnType<typeof nodePoolsOf>>[number];
type Node = Awaited<ReturnType<typeof nodesOf>>[number];

/** A cluster that is being created for longer is treated as abnormal (specification, Limits). */
export const creationStall = {
  seconds: 1800,
  warning: "Creating for over 30 minutes, which is abnormal: look at the cluster in the console",
} as const;

/** The status of a cluster that was found. Asks for the reason if it could not be created or upgraded. */
export async function clusterStatus(cloud: Cloud, found: Cluster): Promise<Status<ClusterState>> {
  const { clusterId, clusterState: state, requestId } = found;
  const age = cloud.now() - Date.parse(found.createdTime);
  if (state === "Creating" && age > creationStall.seconds * 1000) return { state, requestId, overdue: creationStall.warning };
  if (state !== "Abnormal") return { state, requestId };
  const reason = (await taskError(cloud, clusterId, "create_cluster")) ?? (await taskError(cloud, clusterId, "cluster_upgrade"));
  return { state, requestId, reason };
}

/**
 * The status of a node pool that was found. Asks for the reason if it could not be created.
 *
 * @param wanted how many nodes are waited for. Default: none, so that it lacks none
 */
export async function nodePoolStatus(cloud: Cloud, pool: NodePool, wanted = 0): Promise<Status<NodePoolLifeState>> {
  const { clusterId, nodePoolId, lifeState: state, requestId, native } = pool;
  const reason = state === "Abnormal" ? await taskError(cloud, clusterId, "create_node_pool", nodePoolId) : undefined;
  const running = native?.readyReplicas ?? 0;
  if (running >= wanted) return { state, requestId, reason };
  const nodes = (await nodesOf(cloud, clusterId)).filter((node) => node.nodePoolId === nodePoolId);
  const failed = nodes.find(({ instanceState }) => instanceState === "failed");
  return {
    state,
    requestId,
    reason,
    lacking: `${running} of ${wanted} nodes running`,
    hopeless: failed && `node ${failed.instanceId} failed: ${failed.failedReason}`,
  };
}

/** The status of a node that was found. */
export function nodeStatus({ instanceState: state, failedReason: reason }: Node): Status<InstanceState> {
  return { state, reason };
}

/** The status of an access endpoint of a cluster, from the platform's answer. */
export function clusterEndpointStatus({
  status: state,
  errorMsg: reason,
  requestId,
}: {
  readonly status: ClusterEndpointState;
  readonly errorMsg: string | undefined;
  readonly requestId: string;
}): Status<ClusterEndpointState> {
  return { state, reason, requestId };
}
