import * as cluster from "../catalogue/cluster.ts";
import { type Cloud, ifFound } from "../client/client.ts";
import { Finder } from "../client/finder.ts";
import { withRequestId } from "../client/paging.ts";

/** Finds clusters, and lists what belongs to them, with few calls: see `Finder`. */

/** Finds a cluster. It has the id of the call that answered it. */
export const clusterFinder = new Finder({
  some: (cloud, ids) => withRequestId(cloud.pages(cluster.describeClusters, { clusterIds: [...ids] })),
  idOf: ({ clusterId }) => clusterId,
});

/** The clusters that have a tag. */
export function clustersTagged(cloud: Cloud, { key, value }: { readonly key: string; readonly value: string }) {
  return everyCluster(cloud, [{ name: "Tags", values: [`${key}:${value}`] }]);
}

/** All clusters of the region, or those that match filters. */
export function everyCluster(cloud: Cloud, filters: { readonly name: string; readonly values: string[] }[] = []) {
  return cloud.all(cluster.describeClusters, { filters });
}

/**
 * The node pools of a cluster, each with the id of the call that answered it. One call for all who ask at once. None if the cluster is
 * gone.
 */
export function nodePoolsOf(cloud: Cloud, clusterId: string) {
  return cloud.readings.share(
    `pools of ${clusterId}`,
    cloud.tolerance,
    async () => (await ifFound(withRequestId(cloud.pages(cluster.describeNodePools, { clusterId })))) ?? [],
  );
}

/** The nodes of a cluster. One call for all who ask at once. None if the cluster is gone. */
export function nodesOf(cloud: Cloud, clusterId: string) {
  return cloud.readings.share(
    `nodes of ${clusterId}`,
    cloud.tolerance,
    async () => (await ifFound(cloud.all(cluster.describeClusterInstances, { clusterId }))) ?? [],
  );
}

/** The permissions of a user in the region. One call for all who ask at once. */
export function permissionsOf(cloud: Cloud, targetUin: string) {
  return cloud.readings.share(
    `permissions of ${targetUin}`,
    cloud.tolerance,
    async () => (await cloud.call(cluster.describeUserPermissions, { targetUin })).permissions,
  );
}

/** The error of the newest task of a kind that worked on a cluster, or on a part of it. */
export async function taskError(
  cloud: Cloud,
  clusterId: string,
  taskType: cluster.TaskType,
  target = clusterId,
): Promise<string | undefined> {
  const filter = [
    { name: "ClusterId", values: [clusterId] },
    { name: "TaskType", values: [taskType] },
  ];
  const found = await cloud.find(cluster.describeTasks, { filter });
  return found?.tasks.find(({ targetObj }) => targetObj === target)?.lastError || undefined;
}
