import * as operations from "../../../catalogue/cluster/nodes.ts";
import { machineStates } from "../../../catalogue/cluster/states.ts";
import { state } from "../../../operation/operation.ts";
import { type Call, on } from "../../behaviour.ts";
import { hasGpu, sizeOf } from "../../compute/offers.ts";
import { among, byId, exactly, listed, type Listing, partly } from "../../requests/listing.ts";
import { passing, reasonAt } from "../../store/timeline.ts";
import { monthsAfter, timestampOf } from "../../time.ts";
import { beginTask } from "../control-plane/tasks.ts";
import { refuseMissingGroups } from "../network.ts";
import { kindOf, lowerDesired, poolOf } from "../pools/node-pools.ts";
import { clusterOf, clusterStateOf, nodeStateOf, requireRunning, requireUsableNodes, versionOf } from "../states.ts";
import { type ClusterRow, clusters, nodePools, type NodeRow, nodes, type PoolRow } from "../tables.ts";
import { joinInstances, nodeSettingsOf, refuseInstanceCount, removeNodes, servicesOf, whyUnfit } from "./machines.ts";
import { makeNodes, refuseLogin } from "./make-nodes.ts";

type NativeMachine = NonNullable<NodeRow["native"]>;

const machineState = state(machineStates);
const machineStateOfNode = { initializing: "Pending", running: "Running", failed: "Failed" } as const;

/** The record of a native node's machine. */
function machineRecordOf(call: Call, node: NodeRow, native: NativeMachine) {
  const { family, cpu, memory, gpu } = sizeOf(node.instanceType);
  const prepaid = node.chargeType === "PREPAID" ? native.instanceChargePrepaid : undefined;
  return {
    machineName: node.machineName,
    machineState: machineState.parse(node.leaving ? "Deleting" : machineStateOfNode[nodeStateOf(call, node)]),
    zone: node.zone,
    instanceChargeType: node.chargeType,
    createdAt: node.createdTime,
    loginStatus: native.keyIds.length > 0 ? "Enabled" : "Disabled",
    isProtectedFromScaleIn: false,
    displayName: node.machineName,
    lanIp: node.lanIp,
    cpu,
    gpu,
    memory,
    renewFlag: prepaid ? (prepaid.renewFlag ?? "NOTIFY_AND_MANUAL_RENEW") : "",
    payMode: node.chargeType,
    systemDisk: native.systemDisk,
    internetAccessible: native.internetAccessible,
    instanceFamily: family,
    instanceType: node.instanceType,
    expiredTime: prepaid ? timestampOf(monthsAfter(Date.parse(node.createdTime), prepaid.period)) : "",
  };
}

const nodeTypeOf = ({ native, external }: NodeRow) => (native ? "Native" : external ? "External" : "Regular");
const ownPool = (call: Call, { poolId }: NodeRow) => (poolId === undefined ? undefined : call.rows(nodePools).get(poolId));
const poolNameOf = (call: Call, node: NodeRow) => ownPool(call, node)?.name ?? "";
const groupOf = (call: Call, node: NodeRow) => ownPool(call, node)?.regular?.autoscalingGroupId ?? "";

const listing: Listing<NodeRow> = {
  table: nodes,
  noun: "node",
  ids: "InstanceIds",
  missing: "left out",
  together: true,
  filters: {
    "nodepool-id": exactly(({ poolId }) => [poolId ?? ""]),
    "nodepool-instance-type": among(["ALL", "MANUALLY_ADDED", "AUTOSCALING_ADDED"], ({ manual }) => [
      "ALL",
      manual ? "MANUALLY_ADDED" : "AUTOSCALING_ADDED",
    ]),
  },
};

const listing2022: Listing<NodeRow> = {
  table: nodes,
  noun: "node",
  filters: {
    InstanceIds: byId,
    InstanceType: among(["Regular", "Native", "Super", "External"], (node) => [nodeTypeOf(node)]),
    VagueIpAddress: partly(({ lanIp }) => [lanIp]),
    Labels: exactly(({ settings }) => (settings.labels ?? []).map(({ name, value }) => `${name}:${value}`)),
    NodePoolNames: exactly((node, call) => [poolNameOf(call, node)]),
    NodePoolIds: exactly(({ poolId }) => [poolId ?? ""]),
  },
};

const machineListing: Listing<NodeRow> = {
  table: nodes,
  noun: "machine",
  filters: {
    NodePoolsName: exactly((node, call) => [poolNameOf(call, node)]),
    NodePoolsId: exactly(({ poolId }) => [poolId ?? ""]),
    tags: exactly(({ tags }) => tags.map(({ key, value }) => `${key}:${value}`)),
    "tag:<key>": exactly(({ tags }, _call, wanted) => tags.flatMap(({ key, value }) => (key === wanted ? [value] : []))),
  },
};

export const nodeBehaviours = [
  on(operations.describeClusterInstances, (call, { clusterId, instanceIds, instanceRole = "WORKER", ...asked }) => {
    createdCluster(call, clusterId);
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

  on(operations.describeClusterInstances2022, (call, { clusterId, sortBy, needTags = false, ...asked }) => {
    const cluster = createdCluster(call, clusterId);
    const { totalCount, rows } = listed(call, listing2022, { parent: clusterId, order: orderBy(call, sortBy), ...asked });
    return { totalCount, errors: [], instanceSet: rows.map((node) => record2022Of(call, cluster, node, needTags)) };
  }),

  on(operations.describeClusterMachines, (call, { clusterId, ...asked }) => {
    clusterOf(call, clusterId);
    const where = ({ native }: NodeRow) => native !== undefined;
    const { totalCount, rows } = listed(call, machineListing, { parent: clusterId, where, ...asked });
    const machines = rows.flatMap((node) => (node.native ? machineRecordOf(call, node, node.native) : []));
    return { totalCount, machines };
  }),

  on(operations.addExistedInstances, (call, input) => {
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
    joinInstances(call, cluster, fit, {
      role: "WORKER",
      services: servicesOf(input.enhancedService),
      imageId: input.imageId,
      keyIds: input.loginSettings?.keyIds,
      securityGroupIds: input.securityGroupIds,
      poolId: pool?.id,
      tags: input.tags,
      from: call.now,
    });
    const failed = found.flatMap(({ id, reason }) => (reason === undefined ? [] : [{ id, reason }]));
    return {
      succInstanceIds: fit.map(({ id }) => id),
      failedInstanceIds: failed.map(({ id }) => id),
      failedReasons: failed.map(({ reason }) => reason),
      timeoutInstanceIds: [],
    };
  }),

  on(operations.deleteClusterInstances, (call, { clusterId, instanceIds, instanceDeleteMode, forceDelete = false }) => {
    const cluster = clusterOf(call, clusterId);
    refuseInstanceCount(call, instanceIds);
    const ids = [...new Set(instanceIds)];
    const found = ids.flatMap((id) => call.rows(nodes).get(id) ?? []).filter((node) => node.clusterId === clusterId && !node.leaving);
    refuseWrongMode(call, found, instanceDeleteMode, forceDelete);
    // A node that is still being installed is only removed by force (specification, DeleteClusterInstances).
    const going = forceDelete ? found : found.filter((node) => nodeStateOf(call, node) !== "initializing");
    removeNodes(call, cluster, going, call.after("nodeDelete"), instanceDeleteMode);
    lowerDesired(call, cluster, going);
    const present = new Set(found.map(({ id }) => id));
    return {
      succInstanceIds: going.map(({ id }) => id),
      failedInstanceIds: found.filter((node) => !going.includes(node)).map(({ id }) => id),
      notFoundInstanceIds: ids.filter((id) => !present.has(id)),
    };
  }),

  on(operations.describeGpuInfo, (call, { instanceType }) => {
    if (!hasGpu(instanceType))
      throw call.error(
        "InvalidParameter.Param",
        `InstanceType is ${JSON.stringify(instanceType)}, which has no GPU; it takes types such as GN7.2XLARGE32`,
      );
    return { gpuParams: drivers };
  }),

  on(operations.scaleOutClusterMaster, (call, { clusterId, extraArgs = {}, ...input }) => {
    const cluster = clusterOf(call, clusterId);
    if (cluster.type === "MANAGED_CLUSTER")
      throw call.error("OperationDenied", `cluster ${clusterId} is a MANAGED_CLUSTER, whose control plane the platform runs and scales`);
    requireRunning(call, cluster);
    const count = makeNodes(call, cluster, input, ["MASTER_ETCD"], call.now);
    if (count === 0)
      throw call.error(
        "MissingParameter",
        "RunInstancesForNode, RunInstancePara or ExistedInstancesForNode is required: at least one machine",
      );
    const until = call.after("nodeCreate");
    call.rows(clusters).update(clusterId, {
      timeline: passing("MasterScaling", until, "Running"),
      extraArgs: { ...cluster.extraArgs, ...extraArgs },
    });
    beginTask(call, clusterId, { type: "scale_out_master", param: { Count: count }, until });
  }),
];

/** The cluster of an id. Refuses one that is being created, as the public API does: its clients wait until they are not refused any more. */
function createdCluster(call: Call<"ResourceNotFound" | "ResourceUnavailable.ClusterState">, clusterId: string): ClusterRow {
  const cluster = clusterOf(call, clusterId);
  if (call.form === "public" && clusterStateOf(call, cluster) === "Creating")
    throw call.error("ResourceUnavailable.ClusterState", `cluster ${clusterId} is Creating; wait until it is Running`);
  return cluster;
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

function record2022Of(call: Call, cluster: ClusterRow, node: NodeRow, needTags: boolean) {
  const tags = needTags ? node.tags : [];
  return {
    ...recordOf(call, node),
    unschedulable: node.settings.unschedulable === 1,
    nodeType: nodeTypeOf(node),
    ...(node.native && { native: { ...nativeRecordOf(call, node, node.native), tags } }),
    ...(node.external && { external: { ...node.external, k8sVersion: versionOf(call, cluster) } }),
    ...(!node.native &&
      !node.external && { regular: { instanceAdvancedSettings: node.settings, autoscalingGroupId: groupOf(call, node), tags } }),
  };
}

function nativeRecordOf(call: Call, node: NodeRow, native: NativeMachine) {
  return {
    ...machineRecordOf(call, node, native),
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

/** Refuses nodes that cannot be removed in this way. */
function refuseWrongMode(call: Call, found: readonly NodeRow[], mode: "terminate" | "retain", isForced: boolean): void {
  const refuse = (setting: string, unfit: (node: NodeRow) => boolean, reason: string) => {
    const ids = found.filter(unfit).map(({ id }) => id);
    if (ids.length > 0) throw call.error("InvalidParameter", `${setting}, but ${ids.join(", ")} is ${reason}`);
  };
  if (mode === "terminate") {
    const setting = "InstanceDeleteMode is terminate";
    refuse(setting, ({ machine }) => machine === "external", "outside of the cloud; the platform can only retain such machines");
    refuse(setting, ({ chargeType }) => chargeType === "PREPAID", "PREPAID; only pay-as-you-go instances can be terminated");
  }
  const isInstalled = (node: NodeRow) => nodeStateOf(call, node) !== "initializing";
  if (isForced) refuse("ForceDelete is true", isInstalled, "not initializing; it is only for nodes that still are");
}

/** The compatible driver versions that the local platform offers, newest first. */
const drivers = [
  { driver: "570.158.01", cuda: "12.8.1", cudnn: "9.8.0", migEnable: false, fabric: false },
  { driver: "535.216.01", cuda: "12.4.1", cudnn: "9.1.0", migEnable: false, fabric: false },
];
