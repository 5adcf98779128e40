import type { z } from "zod";
import * as operations from "../../../catalogue/cluster/node-pools.ts";
import { clusterNumberRules, clusterRules } from "../../../rules/cluster.ts";
import { textRules } from "../../../rules/rule.ts";
import { type Call, on } from "../../behaviour.ts";
import { gpuTypesIn } from "../../compute/offers.ts";
import { keyPairs } from "../../compute/tables.ts";
import { given } from "../../requests/input.ts";
import { byId, exactly, filtered, listed, type Listing, requireRow } from "../../requests/listing.ts";
import { refuseTags, refuseUnlessAllowed } from "../../requests/names-and-tags.ts";
import { passing, settled } from "../../store/timeline.ts";
import { durationOf } from "../../time.ts";
import { attach } from "../../vpc/subnets.ts";
import { beginTask } from "../control-plane/tasks.ts";
import { refuseMissingGroups, releaseOwners, subnetIn } from "../network.ts";
import { nodeSettingsOf, refuseUnoffered, removeNodes, scaleToDesired } from "../nodes/machines.ts";
import { clusterOf, nodeStateOf, poolState2018Of, poolStateOf, requireUsableNodes } from "../states.ts";
import { type ClusterRow, nodePools, type NodeRow, nodes, type PoolRow, type PoolSettings } from "../tables.ts";

type NewNative = NonNullable<z.output<typeof operations.createNodePool.input>["native"]>;
type ChangedNative = NonNullable<z.output<typeof operations.modifyNodePool.input>["native"]>;

/**
 * The type of a pool. `Native` pools make native nodes. A scaling group makes the nodes of `Regular` pools. Machines outside of the
 * cloud join `External` pools by themselves.
 */
export function kindOf({ generation, regular }: PoolRow): "Native" | "Regular" | "External" {
  if (generation === "2022") return "Native";
  return regular ? "Regular" : "External";
}

/** Defaults for the settings that a call does not give. */
export const usualSettings = {
  enableAutoscaling: false,
  securityGroupIds: [],
  instanceChargeType: "POSTPAID_BY_HOUR" as const,
  systemDisk: { diskType: "CLOUD_PREMIUM", diskSize: 50 },
  dataDisks: [],
  keyIds: [],
  autoRepair: false,
  healthCheckPolicyName: "",
  hostNamePattern: "",
  kubeletArgs: [],
  runtimeRootDir: "/var/lib/containerd",
  machineType: "",
  customImage: "",
  automationService: true,
};

function newSettings(call: Call, { scaling, replicas, machineType = "Native", ...native }: NewNative): PoolSettings {
  return {
    ...usualSettings,
    ...given(native),
    scaling: { ...scaling, createPolicy: scaling.createPolicy ?? "ZoneEquality" },
    replicas: askedReplicas(call, scaling, replicas) ?? scaling.minReplicas ?? 0,
    machineType,
  };
}

/** The settings after a change: those that are not given stay. */
function modifiedSettings(call: Call, pool: PoolRow, native: ChangedNative): PoolSettings {
  const { id, settings: was } = pool;
  if (kindOf(pool) !== "Native") throw call.error("InvalidParameter", `Native is given, but node pool ${id} is of Type ${kindOf(pool)}`);
  if (was.instanceChargeType === "PREPAID" && native.instanceChargeType === "POSTPAID_BY_HOUR")
    throw call.error("InvalidParameter", "Native.InstanceChargeType is PREPAID and cannot become POSTPAID_BY_HOUR; only the other way");
  if (native.runtimeRootDir !== undefined && native.runtimeRootDir !== was.runtimeRootDir)
    throw call.error("InvalidParameter", `Native.RuntimeRootDir is ${was.runtimeRootDir} and cannot be changed`);
  const scaling = { ...was.scaling, ...given(native.scaling ?? {}) };
  const enableAutoscaling = native.enableAutoscaling ?? was.enableAutoscaling;
  const replicas = askedReplicas(call, scaling, native.replicas) ?? (enableAutoscaling ? within(scaling, was.replicas) : was.replicas);
  return { ...was, ...given(native), scaling, replicas };
}

/** The number of nodes that a call sets. Clients of the public API that set none send 0, which a pool with a minimum cannot have. */
function askedReplicas({ form }: Call, { minReplicas = 0 }: PoolSettings["scaling"], replicas: number | undefined): number | undefined {
  return form === "public" && replicas === 0 && minReplicas > 0 ? undefined : replicas;
}

/** A number of nodes, limited to the bounds: the platform keeps the number of a pool that scales automatically within them. */
export function within({ minReplicas = 0, maxReplicas = Infinity }: PoolSettings["scaling"], replicas: number): number {
  return Math.min(Math.max(replicas, minReplicas), maxReplicas);
}

/** Refuses invalid settings. */
function refuseSettings(call: Call<"ResourceNotFound">, cluster: ClusterRow, settings: PoolSettings): void {
  const { scaling, replicas } = settings;
  const { minReplicas: least = 0, maxReplicas: most = Number.MAX_SAFE_INTEGER } = scaling;
  if (least > most)
    throw call.error("InvalidParameter", `Native.Scaling: MinReplicas ${least} is above MaxReplicas ${most}; it takes ${most} at most`);
  if (replicas < least || replicas > most)
    throw call.error(
      "InvalidParameter",
      `Replicas is ${replicas}; it takes ${least} to ${scaling.maxReplicas ?? "any"}, as Native.Scaling says`,
    );
  const { subnetIds, securityGroupIds, instanceChargeType, instanceChargePrepaid } = settings;
  if (subnetIds.length === 0) throw call.error("InvalidParameter", "Native.SubnetIds is empty; it takes at least one subnet");
  for (const id of subnetIds) subnetIn(call, "Native.SubnetIds", id, cluster);
  refuseMissingGroups(call, securityGroupIds);
  refuseMachines(call, settings);
  if (instanceChargeType === "PREPAID" && !instanceChargePrepaid)
    throw call.error("MissingParameter", "Native.InstanceChargePrepaid is required with InstanceChargeType PREPAID");
  if (instanceChargePrepaid)
    refuseUnlessAllowed(
      call,
      "InvalidParameter",
      "Native.InstanceChargePrepaid.Period",
      instanceChargePrepaid.period,
      clusterNumberRules.prepaidPeriod,
    );
}

/** An older pool may have types of instance and of disk that are gone: only what is `given` counts. */
function refuseGone(call: Call, { subnetIds, instanceTypes }: PoolSettings, { systemDisk, dataDisks, ...given }: ChangedNative): void {
  const types = (given.instanceTypes ?? given.subnetIds) && instanceTypes;
  refuseUnoffered(call, "InvalidParameter", "Native.", { subnetIds, instanceTypes: types, systemDisk, dataDisks });
}

/** Only machine types with a GPU take GPU drivers (specification, GPUArgs). */
function refuseMachines(call: Call<"ResourceNotFound">, { instanceTypes, keyIds, gpuConfigs = [] }: PoolSettings): void {
  if (instanceTypes.length === 0 || !instanceTypes.every((type) => clusterRules.instanceType.allows(type)))
    throw call.error("InvalidParameter", `Native.InstanceTypes is empty, or has an empty one; it takes ${clusterRules.instanceType.takes}`);
  for (const id of keyIds) requireRow(call, keyPairs, "key pair", id);
  const withGpu = gpuTypesIn(call.region);
  const odd = gpuConfigs.find(({ instanceType }) => !withGpu.includes(instanceType));
  if (odd)
    throw call.error(
      "InvalidParameter",
      `Native.GPUConfigs has InstanceType ${JSON.stringify(odd.instanceType)}, which has no GPU; it takes ${withGpu.join(", ")}`,
    );
}

export const nodePoolBehaviours = [
  on(operations.createNodePool, (call, input) => {
    const cluster = clusterOf(call, input.clusterId);
    requireUsableNodes(call, cluster);
    refuseName(call, input.name);
    refuseTags(call, tagsOf(input));
    if (!input.native) throw call.error("MissingParameter", "Native is required for a pool of Type Native");
    const settings = newSettings(call, input.native);
    refuseSettings(call, cluster, settings);
    refuseGone(call, settings, input.native);
    const pool = makePool(call, cluster, { ...attributesOf(input), generation: "2022", name: input.name, settings });
    return { nodePoolId: pool.id };
  }),

  on(operations.modifyNodePool, (call, { clusterId, nodePoolId, native, ...change }) => {
    const cluster = clusterOf(call, clusterId);
    const was = changeablePool(call, cluster, nodePoolId);
    if (change.name !== undefined) refuseName(call, change.name);
    refuseTags(call, tagsOf(change));
    const settings = native ? modifiedSettings(call, was, native) : was.settings;
    if (native) {
      refuseSettings(call, cluster, settings);
      refuseGone(call, settings, native);
    }
    const pool = call.rows(nodePools).update(nodePoolId, { ...given(change), settings });
    if (native) applySettings(call, cluster, pool);
    // Labels, taints and the other node settings are applied to existing nodes too.
    for (const { id, poolId } of call.list(nodes, clusterId))
      if (poolId === nodePoolId) call.rows(nodes).update(id, { settings: nodeSettingsOf(pool) });
  }),

  on(operations.scaleNodePool, (call, { clusterId, nodePoolId, replicas }) => {
    const cluster = clusterOf(call, clusterId);
    const was = changeablePool(call, cluster, nodePoolId);
    if (kindOf(was) === "External")
      throw call.error("InvalidParameter", `node pool ${nodePoolId} is of Type External; machines join it by themselves`);
    const settings = { ...was.settings, replicas };
    refuseSettings(call, cluster, settings);
    applySettings(call, cluster, call.rows(nodePools).update(nodePoolId, { settings }));
  }),

  on(operations.deleteNodePool, (call, { clusterId, nodePoolId }) => {
    const cluster = clusterOf(call, clusterId);
    const pool = poolOf(call, cluster, nodePoolId);
    refuseProtected(call, pool);
    if (poolStateOf(call, pool) !== "Deleting") removePool(call, cluster, pool);
  }),

  on(operations.describeNodePools, (call, { clusterId, ...asked }) => {
    clusterOf(call, clusterId);
    const { totalCount, rows } = listed(call, listing, { parent: clusterId, ...asked });
    return { totalCount, nodePools: rows.map((pool) => recordOf(call, pool)) };
  }),

  on(operations.describeClusterNodePools, (call, { clusterId, filters: given }) => {
    clusterOf(call, clusterId);
    // This action has no pages.
    const found = filtered(call, listing.filters, given, call.list(nodePools, clusterId));
    return { totalCount: found.length, nodePoolSet: found.map((pool) => record2018Of(call, pool)) };
  }),

  on(operations.describeClusterNodePoolDetail, (call, { clusterId, nodePoolId }) => ({
    nodePool: record2018Of(call, poolOf(call, clusterOf(call, clusterId), nodePoolId)),
  })),
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

function attributesOf({
  labels = [],
  taints = [],
  annotations = [],
  tags = [],
  deletionProtection = false,
  unschedulable = false,
}: z.output<typeof operations.createNodePool.input>) {
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
  releaseOwners(call, cluster, [pool.id], call.now);
  attachPool(call, cluster, pool);
  scaleToDesired(call, cluster, pool);
}

/** Deletes a pool. It stays until its machines are removed. */
export function removePool(call: Call, cluster: ClusterRow, { id }: PoolRow): void {
  const members = call.list(nodes, cluster.id).filter(({ poolId }) => poolId === id);
  const machines = members.filter(({ machine }) => machine === "pool");
  const gone = call.after("poolDelete") + (machines.length > 0 ? durationOf("nodeDelete", call.world.timeScale) : 0);
  call.rows(nodePools).update(id, { timeline: settled("Deleting") });
  call.rows(nodePools).expire(id, gone);
  releaseOwners(call, cluster, [id], gone);
  const staying = machines.filter(({ leaving }) => !leaving);
  removeNodes(call, cluster, staying, gone);
  // Machines that were added by hand stay in the cluster, without a pool.
  for (const { id: nodeId, machine } of members) if (machine !== "pool") call.rows(nodes).update(nodeId, { poolId: undefined });
}

/** Lowers the desired number of pools whose nodes were removed one by one, but not below the minimum. */
export function lowerDesired(call: Call, cluster: ClusterRow, gone: readonly NodeRow[]): void {
  const machines = gone.flatMap(({ poolId = "", machine }) => (machine === "pool" ? [poolId] : []));
  for (const id of new Set(machines)) {
    const pool = call.rows(nodePools).get(id);
    if (!pool) continue;
    const count = machines.filter((poolId) => poolId === id).length;
    const replicas = Math.max(pool.settings.scaling.minReplicas ?? 0, pool.settings.replicas - count);
    scaleToDesired(call, cluster, call.rows(nodePools).update(id, { settings: { ...pool.settings, replicas } }));
  }
}

function tagsOf({ tags = [] }: { readonly tags?: PoolRow["tags"] | undefined }) {
  return tags.flatMap((specification) => specification.tags);
}

/** The actions of both API versions list pools of all types. */
const listing: Listing<PoolRow> = {
  table: nodePools,
  noun: "node pool",
  filters: {
    NodePoolsName: exactly(({ name }) => [name]),
    NodePoolsId: byId,
    tags: exactly((pool) => tagsOf(pool).map(({ key, value }) => `${key}:${value}`)),
    "tag:<key>": exactly((pool, _call, wanted) => tagsOf(pool).flatMap(({ key, value }) => (key === wanted ? [value] : []))),
  },
};

export function membersOf(call: Call, { id, clusterId }: PoolRow): NodeRow[] {
  return call.list(nodes, clusterId).filter(({ poolId, leaving }) => poolId === id && !leaving);
}

function countsOf(call: Call, pool: PoolRow) {
  const members = membersOf(call, pool).map((node) => ({ manual: node.manual, state: nodeStateOf(call, node) }));
  const counted = (manual: boolean) => {
    const own = members.filter((member) => member.manual === manual);
    const inState = (state: string) => own.filter((member) => member.state === state).length;
    return { joining: 0, initializing: inState("initializing"), normal: inState("running"), total: own.length };
  };
  return { manuallyAdded: counted(true), autoscalingAdded: counted(false) };
}

function recordOf(call: Call, pool: PoolRow) {
  const { id: nodePoolId, createdTime: createdAt, generation, timeline, settings, regular, ...told } = pool;
  const { runtime, instanceAdvancedSettings, ...attributes } = told;
  return { ...attributes, nodePoolId, createdAt, type: kindOf(pool), lifeState: poolStateOf(call, pool), ...particularsOf(call, pool) };
}

/** The fields that only pools of one type have. */
function particularsOf(call: Call, pool: PoolRow) {
  switch (kindOf(pool)) {
    case "Native":
      return { native: nativeOf(call, pool) };
    case "Regular":
      return { regular: { ...groupOf(call, pool), instanceAdvancedSettings: pool.instanceAdvancedSettings } };
    case "External":
      return { external: { runtimeConfig: runtimeOf(pool), nodesNum: membersOf(call, pool).length } };
  }
}

function runtimeOf({ runtime }: PoolRow) {
  return { runtimeType: runtime?.type ?? "containerd", runtimeVersion: runtime?.version ?? "1.6.9" };
}

function nativeOf(call: Call, pool: PoolRow) {
  const ready = membersOf(call, pool).filter((node) => nodeStateOf(call, node) === "running");
  return { ...pool.settings, readyReplicas: ready.length };
}

/** The scaling group of a pool. Regular pools have one; for others, the fields of its ids are empty. */
function groupOf(call: Call, pool: PoolRow) {
  const { settings, regular } = pool;
  return {
    launchConfigurationId: regular?.launchConfigurationId ?? "",
    autoscalingGroupId: regular?.autoscalingGroupId ?? "",
    nodeCountSummary: countsOf(call, pool),
    autoscalingGroupStatus: settings.enableAutoscaling ? "enabled" : "disabled",
    maxNodesNum: settings.scaling.maxReplicas ?? settings.replicas,
    minNodesNum: settings.scaling.minReplicas ?? 0,
    desiredNodesNum: settings.replicas,
    nodePoolOs: regular?.os ?? "ubuntu22.04x86_64",
  };
}

function record2018Of(call: Call, pool: PoolRow) {
  const { settings, regular, instanceAdvancedSettings: advanced } = pool;
  return {
    ...groupOf(call, pool),
    nodePoolId: pool.id,
    name: pool.name,
    clusterInstanceId: pool.clusterId,
    type: kindOf(pool),
    lifeState: poolState2018Of(call, pool),
    labels: pool.labels,
    taints: pool.taints,
    annotations: pool.annotations,
    runtimeConfig: runtimeOf(pool),
    osCustomizeType: regular?.osCustomizeType ?? (settings.customImage === "" ? "GENERAL" : "DOCKER_CUSTOMIZE"),
    imageId: settings.customImage,
    desiredPodNum: advanced?.desiredPodNumber,
    userScript: advanced?.userScript ?? "",
    tags: tagsOf(pool),
    deletionProtection: pool.deletionProtection,
    extraArgs: settings.kubeletArgs.length > 0 ? { kubelet: settings.kubeletArgs } : advanced?.extraArgs,
    gpuArgs: advanced?.gpuArgs,
    dockerGraphPath: advanced?.dockerGraphPath ?? settings.runtimeRootDir,
    dataDisks: advanced?.dataDisks ?? [],
    unschedulable: pool.unschedulable ? 1 : 0,
    preStartUserScript: advanced?.preStartUserScript ?? "",
    ...(kindOf(pool) === "Native" && { native: nativeOf(call, pool) }),
  };
}
