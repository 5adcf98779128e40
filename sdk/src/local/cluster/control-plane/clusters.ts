import * as operations from "../../../catalogue/cluster/clusters.ts";
import { tagChangeStates } from "../../../catalogue/cluster/states.ts";
import { state } from "../../../operation/operation.ts";
import { textRules } from "../../../rules/rule.ts";
import { type Call, on } from "../../behaviour.ts";
import { given } from "../../requests/input.ts";
import { byTag, exactly, listed, type Listing } from "../../requests/listing.ts";
import { refuseTags, refuseUnlessAllowed } from "../../requests/names-and-tags.ts";
import { passing, settled } from "../../store/timeline.ts";
import type { World } from "../../store/world.ts";
import { releaseOwners, subnetIn } from "../network.ts";
import { attachmentOwnerOf, becomeInstances, destroyInstances } from "../nodes/machines.ts";
import { kindOf } from "../pools/node-pools.ts";
import {
  clusterOf,
  clusterStateOf,
  clusterStatusOf,
  endpointStateAt,
  instanceStateOf,
  nodeStateOf,
  requireRunning,
  requireUsable,
  versionOf,
} from "../states.ts";
import {
  authorities,
  clientCertificates,
  clusterEndpoints,
  clusterRoles,
  type ClusterRow,
  clusters,
  clusterTasks,
  nodePools,
  nodes,
  permissions,
} from "../tables.ts";
import { attachTo, refuseOtherValue } from "./creation.ts";
import { beginTask } from "./tasks.ts";
import { levelFor, levelNames } from "./versions.ts";

/** Serves the clusters of a world to Kubernetes clients, at addresses of this machine. */
export interface ServedClusters {
  /** Where the clusters answer clients of a place, such as `127.0.0.1:5001`. The place is the internet, or a VPC; its port is opened if it is not. */
  readonly addressFor: (vpcId: string | undefined) => Promise<string>;
  /** The same, without opening anything. */
  readonly openAddressFor: (vpcId: string | undefined) => string | undefined;
}

/** The worlds whose clusters this process serves. The platform tells the addresses at which it does, and otherwise its own. */
export const servedClusters = new WeakMap<World, ServedClusters>();

/** The access domain of a cluster. It only resolves inside of the platform. */
export function domainOf(clusterId: string): string {
  return `${clusterId}.clusters.container-platform.internal`;
}

/** The address of a cluster's endpoint, or the one of this machine at which this process serves it; empty if the endpoint is not open. */
export function addressOf(call: Call, clusterId: string, direction: "public" | "internal"): string {
  const endpoint = call.rows(clusterEndpoints).get(`${clusterId}/${direction}`);
  if (!endpoint || endpointStateAt(endpoint.timeline, call.now) !== "Created") return "";
  const vpcId = direction === "public" ? undefined : call.rows(clusters).get(clusterId)?.vpcId;
  return servedClusters.get(call.world)?.openAddressFor(vpcId) ?? endpoint.address;
}

/** A cluster's record in DescribeClusters. */
function clusterRecordOf(call: Call, cluster: ClusterRow) {
  const { id } = cluster;
  const present = call.list(nodes, id);
  const masters = present.filter(({ role }) => role === "MASTER_ETCD").length;
  return {
    clusterId: id,
    clusterName: cluster.name,
    clusterDescription: cluster.description,
    clusterVersion: versionOf(call, cluster),
    clusterOs: cluster.os,
    clusterType: cluster.type,
    clusterNetworkSettings: networkRecordOf(call, cluster),
    clusterNodeNum: present.length - masters,
    projectId: cluster.projectId,
    tagSpecification: cluster.tags.length > 0 ? [{ resourceType: "cluster", tags: cluster.tags }] : [],
    clusterStatus: clusterStatusOf(call, cluster),
    clusterState: clusterStateOf(call, cluster),
    clusterInstanceState: instanceStateOf(call, present),
    clusterDeletionProtection: cluster.deletionProtection,
    clusterExternalEndpoint: addressOf(call, id, "public"),
    clusterIntranetEndpoint: addressOf(call, id, "internal"),
    domain: domainOf(id),
    property: propertyOf(cluster),
    clusterMaterNodeNum: masters,
    osCustomizeType: cluster.osCustomizeType,
    containerRuntime: cluster.containerRuntime,
    createdTime: cluster.createdTime,
    deletionProtection: cluster.deletionProtection,
    enableExternalNode: call.list(nodePools, id).some((pool) => kindOf(pool) === "External"),
    clusterLevel: cluster.autoUpgradeLevel ? levelFor(cluster.level, present.length) : cluster.level,
    autoUpgradeClusterLevel: cluster.autoUpgradeLevel,
    qgpuShareEnable: cluster.qgpuShareEnable,
    runtimeVersion: cluster.runtimeVersion,
    clusterEtcdNodeNum: masters,
    cdcId: cluster.cdcId,
    isHighAvailability: cluster.isHighAvailability,
    securityModeConfig: cluster.securityModeConfig,
  };
}

function propertyOf({ nodeNameType, network }: ClusterRow): string {
  const { type, vpcCniType, isNonStaticIpMode } = network;
  return JSON.stringify({ NodeNameType: nodeNameType, NetworkType: type, VpcCniType: vpcCniType, IsNonStaticIpMode: isNonStaticIpMode });
}

function networkRecordOf({ form }: Call, { vpcId, subnetId, isSubnetUnset, network }: ClusterRow) {
  const { type, eniSubnetIds: subnets, claimExpiredSeconds, vpcCniType, isNonStaticIpMode, customizedPodCidr, ...settings } = network;
  // A client of the public API that named none would see a change.
  const isHidden = form === "public" && type === "VPC-CNI" && isSubnetUnset;
  return { ...settings, vpcId, subnetId: isHidden ? "" : subnetId, subnets, cni: true };
}

/** A cluster's record in DescribeClusterStatus. */
function clusterStatusRecordOf(call: Call, cluster: ClusterRow) {
  const present = call.list(nodes, cluster.id);
  const staying = present.filter(({ leaving }) => !leaving);
  const inState = (state: string) => staying.filter((node) => nodeStateOf(call, node) === state).length;
  return {
    clusterId: cluster.id,
    clusterState: clusterStateOf(call, cluster),
    clusterInstanceState: instanceStateOf(call, present),
    clusterBMonitor: true,
    clusterInitNodeNum: inState("initializing"),
    clusterRunningNodeNum: inState("running"),
    clusterFailedNodeNum: inState("failed"),
    clusterClosedNodeNum: 0,
    clusterClosingNodeNum: present.length - staying.length,
    clusterDeletionProtection: cluster.deletionProtection,
    clusterAuditEnabled: cluster.auditEnabled,
  };
}

const tagChangeState = state(tagChangeStates);

/** Unknown ids are left out of the answer: that is how a client sees that a cluster is deleted. */
const listing: Listing<ClusterRow> = {
  table: clusters,
  noun: "cluster",
  ids: "ClusterIds",
  missing: "left out",
  together: true,
  filters: {
    ClusterName: exactly(({ name }) => [name]),
    ClusterType: exactly(({ type }) => [type]),
    ClusterStatus: exactly((cluster, call) => [clusterStatusOf(call, cluster)]),
    "vpc-id": exactly(({ vpcId }) => [vpcId]),
    "tag-key": exactly(({ tags }) => tags.map(({ key }) => key)),
    "tag-value": exactly(({ tags }) => tags.map(({ value }) => value)),
    Tags: byTag,
  },
};

export const clusterBehaviours = [
  on(operations.describeClusters, (call, { clusterIds, clusterType, ...asked }) => {
    const where = clusterType === undefined ? undefined : ({ type }: ClusterRow) => type === clusterType;
    const { totalCount, rows } = listed(call, listing, { ids: clusterIds, where, ...asked });
    return { totalCount, clusters: rows.map((row) => clusterRecordOf(call, row)) };
  }),

  on(operations.describeClusterStatus, (call, { clusterIds = [] }) => {
    const rows = call.rows(clusters);
    const found = clusterIds.length === 0 ? rows.list() : [...new Set(clusterIds)].flatMap((id) => rows.get(id) ?? []);
    return { totalCount: found.length, clusterStatusSet: found.map((row) => clusterStatusRecordOf(call, row)) };
  }),

  on(operations.modifyClusterAttribute, (call, { clusterId, ...change }) => {
    const cluster = clusterOf(call, clusterId);
    const { clusterLevel = cluster.level, clusterName = cluster.name } = change;
    refuseUnlessAllowed(call, "InvalidParameter", "ClusterName", clusterName, textRules.name);
    if (clusterLevel !== cluster.level) {
      refuseOtherValue(call, "ClusterLevel", clusterLevel, levelNames);
      requireRunning(call, cluster);
      call.rows(clusters).update(clusterId, { timeline: passing("ClusterLevelUpgrading", call.after("clusterModify"), "Running") });
    }
    const { clusterDesc: description, projectId, qgpuShareEnable, isHighAvailability, securityModeConfig } = change;
    const autoUpgradeLevel = change.autoUpgradeClusterLevel?.isAutoUpgrade;
    const nodeNameType = change.clusterProperty?.nodeNameType;
    const changed = { description, projectId, autoUpgradeLevel, qgpuShareEnable, nodeNameType, isHighAvailability, securityModeConfig };
    call.rows(clusters).update(clusterId, { level: clusterLevel, name: clusterName, ...given(changed) });
    return change;
  }),

  on(operations.modifyClusterTags, (call, { clusterId, tags = [], syncSubresource = false, syncNodePoolTags = false }) => {
    clusterOf(call, clusterId);
    refuseTags(call, tags);
    call.rows(clusters).update(clusterId, { tags, tagChange: { until: call.after("clusterModify"), syncSubresource, tags } });
    if (syncNodePoolTags) {
      const specification = tags.length > 0 ? [{ resourceType: "machine", tags }] : [];
      for (const { id } of call.list(nodePools, clusterId)) call.rows(nodePools).update(id, { tags: specification });
    }
    return { tags };
  }),

  on(operations.describeBatchModifyTagsStatus, (call, { clusterId }) => {
    const { tagChange } = clusterOf(call, clusterId);
    if (!tagChange) throw call.error("FailedOperation.TaskNotFound", `the tags of cluster ${clusterId} have not been changed`);
    const status = tagChangeState.parse(tagChange.until <= call.now ? "done" : "running");
    return { failedResources: [], status, syncSubresource: tagChange.syncSubresource, tags: tagChange.tags };
  }),

  on(operations.enableClusterDeletionProtection, (call, { clusterId }) => {
    if (clusterStateOf(call, clusterOf(call, clusterId)) === "Deleting")
      throw call.error(
        "ResourceUnavailable.ClusterState",
        `cluster ${clusterId} is Deleting; EnableClusterDeletionProtection takes one that is not being deleted`,
      );
    call.rows(clusters).update(clusterId, { deletionProtection: true });
  }),

  on(operations.disableClusterDeletionProtection, (call, { clusterId }) => {
    clusterOf(call, clusterId);
    call.rows(clusters).update(clusterId, { deletionProtection: false });
  }),

  on(operations.addVpcCniSubnets, (call, { clusterId, subnetIds, vpcId }) => {
    const cluster = clusterOf(call, clusterId);
    requireUsable(call, cluster);
    const { network } = cluster;
    if (network.type !== "VPC-CNI")
      throw call.error("InvalidParameter", `cluster ${clusterId} is of NetworkType ${network.type}; only VPC-CNI has subnets for pods`);
    if (vpcId !== cluster.vpcId) throw call.error("InvalidParameter", `VpcId is ${vpcId}; cluster ${clusterId} is in ${cluster.vpcId}`);
    const added = [...new Set(subnetIds)].filter((id) => !network.eniSubnetIds.includes(id));
    for (const id of added) subnetIn(call, "SubnetIds", id, cluster);
    for (const id of added) attachTo(call, cluster, id);
    call.rows(clusters).update(clusterId, { network: { ...network, eniSubnetIds: [...network.eniSubnetIds, ...added] } });
  }),

  on(operations.describeIpamd, (call, { clusterId }) => {
    const cluster = clusterOf(call, clusterId);
    const { network } = cluster;
    if (network.type !== "VPC-CNI") return { enableIpamd: false };
    return {
      enableIpamd: true,
      enableCustomizedPodCidr: network.customizedPodCidr,
      disableVpcCniMode: false,
      phase: clusterStateOf(call, cluster) === "Creating" ? "initializing" : "running",
      subnetIds: network.eniSubnetIds,
      claimExpiredDuration: `${network.claimExpiredSeconds}s`,
      enableTrunkingEni: false,
    };
  }),

  on(operations.modifyClusterExtraArgs, (call, { clusterId, clusterExtraArgs }) => {
    const cluster = clusterOf(call, clusterId);
    if (cluster.type !== "MANAGED_CLUSTER")
      throw call.error(
        "UnsupportedOperation",
        `cluster ${clusterId} is of type ${cluster.type}; only a managed cluster's arguments can be changed`,
      );
    requireRunning(call, cluster);
    call.rows(clusters).update(clusterId, { extraArgs: clusterExtraArgs });
    beginTask(call, clusterId, { type: "apply_cluster_extra_args", param: clusterExtraArgs, until: call.after("clusterModify") });
  }),

  on(operations.describeClusterExtraArgs, (call, { clusterId }) => ({ clusterExtraArgs: clusterOf(call, clusterId).extraArgs })),

  on(operations.deleteCluster, (call, { clusterId, instanceDeleteMode }) => {
    const cluster = clusterOf(call, clusterId);
    if (cluster.deletionProtection)
      throw call.error(
        "OperationDenied.ClusterInDeletionProtection",
        `cluster ${clusterId} is under deletion protection; DisableClusterDeletionProtection lifts it`,
      );
    if (clusterStateOf(call, cluster) === "Deleting") return;
    const gone = call.after("clusterDelete");
    call.rows(clusters).update(clusterId, { timeline: settled("Deleting") });
    call.rows(clusters).expire(clusterId, gone);
    // Nodes that are already being removed keep the mode of their removal.
    const staying = call.list(nodes, clusterId).filter(({ leaving }) => !leaving);
    const kept = staying.filter(({ chargeType }) => instanceDeleteMode === "retain" || chargeType === "PREPAID");
    becomeInstances(call, kept);
    if (instanceDeleteMode === "terminate") destroyInstances(call, cluster, staying, gone);
    const others = [...call.list(nodePools, clusterId), ...call.list(clusterEndpoints, clusterId)].map(({ id }) => id);
    releaseOwners(call, cluster, [clusterId, ...others, ...call.list(nodes, clusterId).map(attachmentOwnerOf)], gone);
    for (const { id } of call.list(nodes, clusterId)) call.rows(nodes).update(id, { leaving: true });
    for (const { id } of call.list(nodePools, clusterId)) call.rows(nodePools).update(id, { timeline: settled("Deleting") });
    for (const { id } of call.list(clusterEndpoints, clusterId)) call.rows(clusterEndpoints).update(id, { timeline: settled("Deleting") });
    for (const table of [nodePools, nodes, clusterEndpoints, authorities, clientCertificates, clusterTasks, clusterRoles])
      call.rows<{ id: string }>(table).expireBelow(clusterId, gone);
    for (const { id, clusterId: of } of call.list(permissions)) if (of === clusterId) call.rows(permissions).expire(id, gone);
  }),
];
