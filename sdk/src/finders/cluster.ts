import * as cluster from "../catalogue/cluster.ts";
import type { Cloud } from "../client.ts";
import { Finder } from "../coalesce.ts";
import { everyPage, pageSize } from "../pages.ts";

/** How single things are looked up, with few calls: see `Finder`. */

/** Each cluster with the id of the call that told of it. */
export const clusterFinder = new Finder({
  some: async (cloud, ids) => {
    const { clusters, requestId } = await cloud.call(cluster.describeClusters, { clusterIds: [...ids], limit: pageSize });
    return clusters.map((found) => ({ ...found, requestId }));
  },
  idOf: ({ clusterId }) => clusterId,
});

/** The clusters that have a tag. */
export function clustersTagged(cloud: Cloud, { key, value }: { readonly key: string; readonly value: string }) {
  const filters = [{ name: "Tags", values: [`${key}:${value}`] }];
  return everyPage(async (offset) => {
    const { clusters, totalCount } = await cloud.call(cluster.describeClusters, { filters, offset, limit: pageSize });
    return { items: clusters, total: totalCount };
  });
}

/** The node pools of a cluster, one reading for all who ask at once; none where the cluster is gone. */
export function nodePoolsOf(cloud: Cloud, clusterId: string) {
  return cloud.readings.share(`pools of ${clusterId}`, cloud.tolerance, () =>
    everyPage(async (offset) => {
      const found = await cloud.find(cluster.describeNodePools, { clusterId, offset, limit: pageSize });
      return { items: (found?.nodePools ?? []).map((pool) => ({ ...pool, requestId: found?.requestId })), total: found?.totalCount ?? 0 };
    }),
  );
}

/** The nodes of a cluster, one reading for all who ask at once; none where the cluster is gone. */
export function nodesOf(cloud: Cloud, clusterId: string) {
  return cloud.readings.share(`nodes of ${clusterId}`, cloud.tolerance, () =>
    everyPage(async (offset) => {
      const found = await cloud.find(cluster.describeClusterInstances, { clusterId, offset, limit: pageSize });
      return { items: found?.instanceSet ?? [], total: found?.totalCount ?? 0 };
    }),
  );
}

/** The permissions of a user in the region, one reading for all who ask at once. */
export function permissionsOf(cloud: Cloud, targetUin: string) {
  return cloud.readings.share(
    `permissions of ${targetUin}`,
    cloud.tolerance,
    async () => (await cloud.call(cluster.describeUserPermissions, { targetUin })).permissions,
  );
}
