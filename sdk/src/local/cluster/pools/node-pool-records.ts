import { describeClusterNodePoolDetail, describeClusterNodePools, describeNodePools } from "../../../catalogue/cluster/node-pools.ts";
import { type Call, on } from "../../behaviour.ts";
import { byId, exactly, type Filter, listed, type Listing } from "../../requests/listing.ts";
import { poolOf } from "./node-pools.ts";
import { kindOf } from "./pool-settings.ts";
import { clusterOf, nodeStateOf, poolState2018Of, poolStateOf } from "../states.ts";
import { nodePools, nodes, type PoolRow } from "../tables.ts";

const tagsOf = ({ tags }: PoolRow) => tags.flatMap((specification) => specification.tags);

/** The filters of node pools. The actions of both API versions list pools of all types. */
const filters: Record<string, Filter<PoolRow>> = {
  NodePoolsName: exactly(({ name }) => [name]),
  NodePoolsId: byId(),
  tags: exactly((pool) => tagsOf(pool).map(({ key, value }) => `${key}:${value}`)),
  "tag:<key>": exactly((pool, _call, wanted) => tagsOf(pool).flatMap(({ key, value }) => (key === wanted ? [value] : []))),
};
const listing: Listing<PoolRow> = { table: nodePools, noun: "node pool", filters };

export const nodePoolRecordBehaviours = [
  on(describeNodePools, (call, { clusterId, ...asked }) => {
    clusterOf(call, clusterId);
    const { totalCount, rows } = listed(call, listing, { parent: clusterId, where: inCluster(clusterId), ...asked });
    return { totalCount, nodePools: rows.map((pool) => recordOf(call, pool)) };
  }),

  on(describeClusterNodePools, (call, { clusterId, filters: given }) => {
    clusterOf(call, clusterId);
    const asked = { parent: clusterId, where: inCluster(clusterId), filters: given };
    // This action has no pages.
    const { totalCount } = listed(call, listing, { ...asked, limit: 1 });
    const pages = Array.from(
      { length: Math.ceil(totalCount / 100) },
      (_, page) => listed(call, listing, { ...asked, offset: page * 100, limit: 100 }).rows,
    );
    return { totalCount, nodePoolSet: pages.flat().map((pool) => record2018Of(call, pool)) };
  }),

  on(describeClusterNodePoolDetail, (call, { clusterId, nodePoolId }) => ({
    nodePool: record2018Of(call, poolOf(call, clusterOf(call, clusterId), nodePoolId)),
  })),
];

function inCluster(clusterId: string) {
  return (pool: PoolRow) => pool.clusterId === clusterId;
}

function membersOf(call: Call, { id, clusterId }: PoolRow) {
  return call
    .rows(nodes)
    .list(clusterId)
    .filter(({ poolId, leaving }) => poolId === id && !leaving);
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
  const { id, clusterId, name, labels, taints, annotations, tags, deletionProtection, unschedulable } = pool;
  return {
    clusterId,
    nodePoolId: id,
    name,
    type: kindOf(pool),
    lifeState: poolStateOf(call, pool),
    labels,
    taints,
    annotations,
    tags,
    deletionProtection,
    unschedulable,
    createdAt: pool.createdTime,
    ...particularsOf(call, pool),
  };
}

/** The fields that only pools of one type have. */
function particularsOf(call: Call, pool: PoolRow) {
  switch (kindOf(pool)) {
    case "Native":
      return { native: nativeOf(call, pool) };
    case "Regular":
      return { regular: regularOf(call, pool) };
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

function regularOf(call: Call, pool: PoolRow) {
  return { ...groupOf(call, pool), instanceAdvancedSettings: pool.instanceAdvancedSettings };
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
