import { describeClusterInstances, describeClusterInstances2022, describeClusterMachines } from "../../../catalogue/cluster/nodes.ts";
import { type Call, on } from "../../behaviour.ts";
import { byId, exactly, type Filter, listed, type Listing, partly } from "../../requests/listing.ts";
import { reasonAt } from "../../store/timeline.ts";
import { machineRecordOf } from "./machine-records.ts";
import { clusterOf, clusterStateOf, nodeStateOf, versionOf } from "../states.ts";
import { clusters, nodePools, nodes, type NodeRow } from "../tables.ts";

const poolNameOf = (call: Call, { poolId }: NodeRow) => (poolId === undefined ? undefined : call.rows(nodePools).get(poolId)?.name);

const listing: Listing<NodeRow> = {
  table: nodes,
  noun: "node",
  ids: "InstanceIds",
  missing: "left out",
  together: true,
  filters: {
    "nodepool-id": exactly(({ poolId }) => [poolId ?? ""]),
    "nodepool-instance-type": exactly(({ manual }) => ["ALL", manual ? "MANUALLY_ADDED" : "AUTOSCALING_ADDED"]),
  },
};

const listing2022: Listing<NodeRow> = {
  table: nodes,
  noun: "node",
  filters: {
    InstanceIds: byId(),
    InstanceType: exactly((node) => [nodeTypeOf(node)]),
    VagueIpAddress: partly(({ lanIp }) => [lanIp]),
    Labels: exactly(({ settings }) => (settings.labels ?? []).map(({ name, value }) => `${name}:${value}`)),
    NodePoolNames: exactly((node, call) => [poolNameOf(call, node) ?? ""]),
    NodePoolIds: exactly(({ poolId }) => [poolId ?? ""]),
  },
};

const tagged: Filter<NodeRow> = exactly(({ tags }) => tags.map(({ key, value }) => `${key}:${value}`));

const machineListing: Listing<NodeRow> = {
  table: nodes,
  noun: "machine",
  filters: {
    NodePoolsName: exactly((node, call) => [poolNameOf(call, node) ?? ""]),
    NodePoolsId: exactly(({ poolId }) => [poolId ?? ""]),
    tags: tagged,
    "tag:<key>": exactly(({ tags }, _call, wanted) => tags.flatMap(({ key, value }) => (key === wanted ? [value] : []))),
  },
};

export const nodeBehaviours = [
  on(describeClusterInstances, (call, { clusterId, instanceIds, instanceRole = "WORKER", ...asked }) => {
    refuseCreating(call, clusterId);
    const where = (node: NodeRow) => node.clusterId === clusterId && (instanceRole === "ALL" || node.role === instanceRole);
    const { totalCount, rows } = listed(call, listing, { ids: instanceIds, parent: clusterId, where, ...asked });
    return {
      totalCount,
      instanceSet: rows.map((node) => ({
        ...recordOf(call, node),
        drainStatus: node.leaving ? "draining" : "",
        instanceAdvancedSettings: node.settings,
        autoscalingGroupId: groupOf(call, node),
      })),
    };
  }),

  on(describeClusterInstances2022, (call, { clusterId, sortBy, needTags = false, ...asked }) => {
    refuseCreating(call, clusterId);
    const where = (node: NodeRow) => node.clusterId === clusterId;
    const { totalCount, rows } = listed(call, listing2022, { parent: clusterId, where, order: orderBy(call, sortBy), ...asked });
    return { totalCount, errors: [], instanceSet: rows.map((node) => record2022Of(call, node, needTags)) };
  }),

  on(describeClusterMachines, (call, { clusterId, ...asked }) => {
    clusterOf(call, clusterId);
    const where = (node: NodeRow) => node.clusterId === clusterId && node.native !== undefined;
    const { totalCount, rows } = listed(call, machineListing, { parent: clusterId, where, ...asked });
    const machines = rows.flatMap((node) => (node.native ? { ...machineRecordOf(call, node, node.native), lanIp: node.lanIp } : []));
    return { totalCount, machines };
  }),
];

/** Refuses a cluster that is being created, as the public API does: its clients wait until they are not refused any more. */
function refuseCreating(call: Call<"ResourceNotFound" | "ResourceUnavailable.ClusterState">, clusterId: string): void {
  const cluster = clusterOf(call, clusterId);
  if (call.form === "public" && clusterStateOf(call, cluster) === "Creating")
    throw call.error("ResourceUnavailable.ClusterState", `cluster ${clusterId} is Creating; wait until it is Running`);
}

function nodeTypeOf({ native, external }: NodeRow): "Native" | "Regular" | "External" {
  if (native) return "Native";
  return external ? "External" : "Regular";
}

/** The version of an external node, which is that of its cluster. */
function kubeletVersionOf(call: Call, { clusterId }: NodeRow): string {
  const cluster = call.rows(clusters).get(clusterId);
  return cluster ? versionOf(call, cluster) : "";
}

function groupOf(call: Call, { poolId }: NodeRow): string {
  return (poolId === undefined ? undefined : call.rows(nodePools).get(poolId)?.regular?.autoscalingGroupId) ?? "";
}

const orders: Readonly<Record<string, (node: NodeRow) => string>> = {
  CreatedTime: ({ createdTime }) => createdTime,
  InstanceId: ({ id }) => id,
};

function orderBy(call: Call, sortBy: { fieldName: string; orderType: "asc" | "desc" } | undefined) {
  if (!sortBy) return undefined;
  const of = orders[sortBy.fieldName];
  if (!of) throw call.error("InvalidParameter", `SortBy.FieldName is ${sortBy.fieldName}; it takes ${Object.keys(orders).join(", ")}`);
  const sign = sortBy.orderType === "asc" ? 1 : -1;
  return (one: NodeRow, other: NodeRow) => sign * of(one).localeCompare(of(other));
}

/** The fields of a node's record in both API versions. */
function recordOf(call: Call, node: NodeRow) {
  return {
    instanceId: node.id,
    instanceRole: node.role,
    failedReason: reasonAt(node.timeline, call.now) ?? "",
    instanceState: nodeStateOf(call, node),
    createdTime: node.createdTime,
    lanIp: node.lanIp,
    nodePoolId: node.poolId ?? "",
  };
}

function record2022Of(call: Call, node: NodeRow, needTags: boolean) {
  const tags = needTags ? node.tags : [];
  return {
    ...recordOf(call, node),
    unschedulable: node.settings.unschedulable === 1,
    nodeType: nodeTypeOf(node),
    ...(node.native && { native: { ...nativeRecordOf(call, node, node.native), tags } }),
    ...(node.external && { external: { ...node.external, k8sVersion: kubeletVersionOf(call, node) } }),
    ...(!node.native &&
      !node.external && { regular: { instanceAdvancedSettings: node.settings, autoscalingGroupId: groupOf(call, node), tags } }),
  };
}

function nativeRecordOf(call: Call, node: NodeRow, native: NonNullable<NodeRow["native"]>) {
  return {
    ...machineRecordOf(call, node, native),
    lanIp: node.lanIp,
    wanIp: "",
    keyIds: native.keyIds,
    gpuParams: native.gpuConfigs?.find(({ instanceType }) => instanceType === node.instanceType)?.gpuParams,
    dataDisks: native.dataDisks,
    securityGroupIds: native.securityGroupIds,
    vpcId: node.vpcId,
    subnetId: node.subnetId,
    osImage: "ubuntu22.04x86_64",
    machineType: native.machineType,
    instanceId: node.id,
  };
}
