import {
  describeBatchModifyTagsStatus,
  describeClusters,
  describeClusterStatus,
  disableClusterDeletionProtection,
  enableClusterDeletionProtection,
  modifyClusterAttribute,
  modifyClusterTags,
} from "../../../catalogue/cluster/clusters.ts";
import { tagChangeStates } from "../../../catalogue/cluster/states.ts";
import { state } from "../../../operation/operation.ts";
import { on } from "../../behaviour.ts";
import { byTag, exactly, listed, type Listing } from "../../requests/listing.ts";
import { textRules } from "../../../rules/texts.ts";
import { refuseTags, refuseUnlessAllowed } from "../../requests/names-and-tags.ts";
import { passing } from "../../store/timeline.ts";
import { clusterRecordOf, clusterStatusRecordOf } from "./cluster-records.ts";
import { refuseUnoffered } from "./creation.ts";
import { levelNames } from "./levels.ts";
import { clusterOf, clusterStatusOf, refuseDeleting, requireRunning } from "../states.ts";
import { clusters, type ClusterRow, nodePools } from "../tables.ts";

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
    Tags: byTag(({ tags }) => tags),
  },
};

export const clusterBehaviours = [
  on(describeClusters, (call, { clusterIds, clusterType, ...asked }) => {
    const where = clusterType === undefined ? undefined : ({ type }: ClusterRow) => type === clusterType;
    const { totalCount, rows } = listed(call, listing, { ids: clusterIds, where, ...asked });
    return { totalCount, clusters: rows.map((row) => clusterRecordOf(call, row)) };
  }),

  on(describeClusterStatus, (call, { clusterIds = [] }) => {
    const rows = call.rows(clusters);
    const found = clusterIds.length === 0 ? rows.list() : [...new Set(clusterIds)].flatMap((id) => rows.get(id) ?? []);
    return { totalCount: found.length, clusterStatusSet: found.map((row) => clusterStatusRecordOf(call, row)) };
  }),

  on(modifyClusterAttribute, (call, { clusterId, ...given }) => {
    const cluster = clusterOf(call, clusterId);
    const { clusterLevel = cluster.level, clusterName = cluster.name } = given;
    refuseUnlessAllowed(call, "InvalidParameter", "ClusterName", clusterName, textRules.name);
    if (clusterLevel !== cluster.level) {
      refuseUnoffered(call, "ClusterLevel", clusterLevel, levelNames);
      requireRunning(call, cluster);
      call.rows(clusters).update(clusterId, { timeline: passing("ClusterLevelUpgrading", call.after("clusterModify"), "Running") });
    }
    call.rows(clusters).update(clusterId, {
      level: clusterLevel,
      name: given.clusterName ?? cluster.name,
      description: given.clusterDesc ?? cluster.description,
      projectId: given.projectId ?? cluster.projectId,
      autoUpgradeLevel: given.autoUpgradeClusterLevel?.isAutoUpgrade ?? cluster.autoUpgradeLevel,
      qgpuShareEnable: given.qgpuShareEnable ?? cluster.qgpuShareEnable,
      nodeNameType: given.clusterProperty?.nodeNameType ?? cluster.nodeNameType,
      isHighAvailability: given.isHighAvailability ?? cluster.isHighAvailability,
      securityModeConfig: given.securityModeConfig ?? cluster.securityModeConfig,
    });
    return given;
  }),

  on(modifyClusterTags, (call, { clusterId, tags = [], syncSubresource = false, syncNodePoolTags = false }) => {
    clusterOf(call, clusterId);
    refuseTags(call, tags);
    call.rows(clusters).update(clusterId, { tags, tagChange: { until: call.after("clusterModify"), syncSubresource, tags } });
    if (syncNodePoolTags) {
      const specification = tags.length > 0 ? [{ resourceType: "machine", tags }] : [];
      for (const { id } of call.rows(nodePools).list(clusterId)) call.rows(nodePools).update(id, { tags: specification });
    }
    return { tags };
  }),

  on(describeBatchModifyTagsStatus, (call, { clusterId }) => {
    const { tagChange } = clusterOf(call, clusterId);
    if (!tagChange) throw call.error("FailedOperation.TaskNotFound", `the tags of cluster ${clusterId} have not been changed`);
    const status = tagChangeState.parse(tagChange.until <= call.now ? "done" : "running");
    return { failedResources: [], status, syncSubresource: tagChange.syncSubresource, tags: tagChange.tags };
  }),

  on(enableClusterDeletionProtection, (call, { clusterId }) => {
    refuseDeleting(call, clusterOf(call, clusterId));
    call.rows(clusters).update(clusterId, { deletionProtection: true });
    return {};
  }),

  on(disableClusterDeletionProtection, (call, { clusterId }) => {
    clusterOf(call, clusterId);
    call.rows(clusters).update(clusterId, { deletionProtection: false });
    return {};
  }),
];
