import { deleteCluster } from "../../../catalogue/cluster/clusters.ts";
import { type Call, on } from "../../behaviour.ts";
import { instances } from "../../compute/tables.ts";
import { settled } from "../../store/timeline.ts";
import { becomeInstances } from "../nodes/joining.ts";
import { attachmentOwnerOf } from "../nodes/machines.ts";
import { clusterRoles, permissions } from "../access/permission-tables.ts";
import { releaseAttachments } from "../network.ts";
import { clusterOf, clusterStateOf } from "../states.ts";
import {
  authorities,
  clientCertificates,
  clusterEndpoints,
  type ClusterRow,
  clusters,
  clusterTasks,
  nodePools,
  nodes,
  type NodeRow,
} from "../tables.ts";

export const deletionBehaviours = [
  on(deleteCluster, (call, { clusterId, instanceDeleteMode }) => {
    const cluster = clusterOf(call, clusterId);
    if (cluster.deletionProtection)
      throw call.error(
        "OperationDenied.ClusterInDeletionProtection",
        `cluster ${clusterId} is under deletion protection; DisableClusterDeletionProtection lifts it`,
      );
    if (clusterStateOf(call, cluster) === "Deleting") return {};
    const gone = call.after("clusterDelete");
    call.rows(clusters).update(clusterId, { timeline: settled("Deleting") });
    call.rows(clusters).expire(clusterId, gone);
    // Nodes that are already being removed keep the mode of their removal.
    const staying = call
      .rows(nodes)
      .list(clusterId)
      .filter(({ leaving }) => !leaving);
    becomeInstances(
      call,
      staying.filter(({ chargeType }) => instanceDeleteMode === "retain" || chargeType === "PREPAID"),
    );
    if (instanceDeleteMode === "terminate") destroyInstances(call, staying, gone);
    releaseAll(call, cluster, gone);
    for (const { id } of call.rows(nodes).list(clusterId)) call.rows(nodes).update(id, { leaving: true });
    for (const { id } of call.rows(nodePools).list(clusterId)) call.rows(nodePools).update(id, { timeline: settled("Deleting") });
    for (const { id } of call.rows(clusterEndpoints).list(clusterId))
      call.rows(clusterEndpoints).update(id, { timeline: settled("Deleting") });
    expireAll(call, clusterId, gone);
    return {};
  }),
];

/** Deletes all that belongs to a cluster at a moment. */
function expireAll(call: Call, clusterId: string, moment: number): void {
  call.rows(nodePools).expireBelow(clusterId, moment);
  call.rows(nodes).expireBelow(clusterId, moment);
  call.rows(clusterEndpoints).expireBelow(clusterId, moment);
  call.rows(authorities).expireBelow(clusterId, moment);
  call.rows(clientCertificates).expireBelow(clusterId, moment);
  call.rows(clusterTasks).expireBelow(clusterId, moment);
  call.rows(clusterRoles).expireBelow(clusterId, moment);
  for (const { id, clusterId: of } of call.rows(permissions).list()) if (of === clusterId) call.rows(permissions).expire(id, moment);
}

/** Destroys the instances of nodes at a moment. Prepaid ones stay, as only pay-as-you-go ones can be destroyed. */
export function destroyInstances(call: Call, of: readonly NodeRow[], moment: number): void {
  const destroyed = of.filter(({ machine, chargeType }) => machine === "existing" && chargeType === "POSTPAID_BY_HOUR");
  for (const { id } of destroyed) call.rows(instances).expire(id, moment);
  for (const vpcId of new Set(destroyed.map((node) => node.vpcId)))
    releaseAttachments(call, new Set(destroyed.map(({ id }) => id)), vpcId, moment);
}

/** Releases the attachments of a cluster and of all that belongs to it. */
function releaseAll(call: Call, { id, vpcId }: ClusterRow, moment: number): void {
  const owners = new Set([
    id,
    ...call
      .rows(nodePools)
      .list(id)
      .map((pool) => pool.id),
    ...call.rows(nodes).list(id).map(attachmentOwnerOf),
    ...call
      .rows(clusterEndpoints)
      .list(id)
      .map((endpoint) => endpoint.id),
  ]);
  releaseAttachments(call, owners, vpcId, moment);
}
