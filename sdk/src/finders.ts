import * as cluster from "./catalogue/cluster.ts";
import * as registry from "./catalogue/registry.ts";
import * as vpc from "./catalogue/vpc.ts";
import type { Cloud } from "./client.ts";
import { Finder } from "./coalesce.ts";
import { everyPage, pageSize } from "./pages.ts";

/** How single things are looked up, with few calls: see `Finder`. */

const all = `${pageSize}`;

export const vpcFinder = new Finder({
  some: async (cloud, vpcIds) => (await cloud.call(vpc.describeVpcs, { vpcIds: [...vpcIds], limit: all })).vpcSet,
  page: async (cloud, offset) => {
    const { vpcSet, totalCount } = await cloud.call(vpc.describeVpcs, { offset: `${offset}`, limit: all });
    return { items: vpcSet, total: totalCount };
  },
  idOf: ({ vpcId }) => vpcId,
});

export const subnetFinder = new Finder({
  some: async (cloud, subnetIds) => (await cloud.call(vpc.describeSubnets, { subnetIds: [...subnetIds], limit: all })).subnetSet,
  page: async (cloud, offset) => {
    const { subnetSet, totalCount } = await cloud.call(vpc.describeSubnets, { offset: `${offset}`, limit: all });
    return { items: subnetSet, total: totalCount };
  },
  idOf: ({ subnetId }) => subnetId,
});

export const securityGroupFinder = new Finder({
  some: async (cloud, ids) => (await cloud.call(vpc.describeSecurityGroups, { securityGroupIds: [...ids], limit: all })).securityGroupSet,
  page: async (cloud, offset) => {
    const { securityGroupSet, totalCount } = await cloud.call(vpc.describeSecurityGroups, { offset: `${offset}`, limit: all });
    return { items: securityGroupSet, total: totalCount };
  },
  idOf: ({ securityGroupId }) => securityGroupId,
});

/** Each cluster with the id of the call that told of it. */
export const clusterFinder = new Finder({
  some: async (cloud, ids) => {
    const { clusters, requestId } = await cloud.call(cluster.describeClusters, { clusterIds: [...ids], limit: pageSize });
    return clusters.map((found) => ({ ...found, requestId }));
  },
  idOf: ({ clusterId }) => clusterId,
});

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

/** Each registry with the id of the call that told of it. */
export const registryFinder = new Finder({
  some: async (cloud, ids) => {
    const { registries, requestId } = await cloud.call(registry.describeInstances, { registryIds: [...ids], limit: pageSize });
    return registries.map((found) => ({ ...found, requestId }));
  },
  idOf: ({ registryId }) => registryId,
});

/** The namespaces of a registry, one reading for all who ask at once; none where the registry is gone. */
export function namespacesOf(cloud: Cloud, registryId: string) {
  return cloud.readings.share(
    `namespaces of ${registryId}`,
    cloud.tolerance,
    async () => (await cloud.find(registry.describeNamespaces, { registryId, all: true }))?.namespaceList ?? [],
  );
}

/** The long-term tokens of a registry, one reading for all who ask at once; none where the registry is gone. */
export function tokensOf(cloud: Cloud, registryId: string) {
  return cloud.readings.share(`tokens of ${registryId}`, cloud.tolerance, () =>
    everyPage(async (offset) => {
      const found = await cloud.find(registry.describeInstanceToken, { registryId, offset, limit: pageSize });
      return { items: found?.tokens ?? [], total: found?.totalCount ?? 0 };
    }),
  );
}

/** The id of a VPC's own route table, which its subnets use unless told otherwise. It never changes. */
export function mainRouteTable(cloud: Cloud, vpcId: string): Promise<string | undefined> {
  return cloud.readings.remember(`main route table of ${vpcId}`, async () => {
    const { routeTableSet } = await cloud.call(vpc.describeRouteTables, { filters: [{ name: "vpc-id", values: [vpcId] }], limit: all });
    return routeTableSet.find(({ main }) => main)?.routeTableId;
  });
}
