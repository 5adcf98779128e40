import * as cluster from "../catalogue/cluster.ts";
import { type Cloud, ifFound, type ItemOf, sharedList } from "../client/client.ts";
import { Finder } from "../client/finder.ts";
import { withRequestId } from "../client/paging.ts";
import { clusterInstanceStates, clusterStates } from "../catalogue/cluster/states.ts";

/** Finds clusters, and lists what belongs to them, with few calls: see `Finder`. */

/** Finds a cluster. It has the id of the call that answered it. */
export const clusterFinder = new Finder({
  asking: cluster.describeClusters,
  some: async (cloud, ids) => withState(cloud, await withRequestId(cloud.pages(cluster.describeClusters, { clusterIds: [...ids] }))),
  idOf: ({ clusterId }) => clusterId,
});

type Listed = ItemOf<(typeof cluster.describeClusters)["output"], "clusters">;

/** The state of clusters whose listed one is none that DescribeClusterStatus tells: a list may have words of its own, such as `Idling`. */
async function withState<One extends Listed>(cloud: Cloud, listed: readonly One[]): Promise<readonly One[]> {
  const strange = listed.filter(({ clusterState }) => !clusterStates.includes(clusterState));
  const told = await statusesOf(cloud, strange);
  return listed.map((one) => ({ ...one, clusterState: told.get(one.clusterId)?.clusterState ?? one.clusterState }));
}

/** Clusters as they are listed, and what a list may leave out: the states of their nodes together, and their addresses. */
export async function wholeClusters<One extends Listed>(cloud: Cloud, listed: readonly One[]): Promise<One[]> {
  const partial = listed.filter(({ clusterInstanceState }) => !clusterInstanceStates.includes(clusterInstanceState));
  const told = await statusesOf(cloud, partial);
  return Promise.all(
    (await withState(cloud, listed)).map(async (one) => {
      const status = told.get(one.clusterId);
      if (!status) return one;
      const { clusterState, clusterInstanceState } = status;
      // While it is created, no endpoint of it can be open.
      const endpoints =
        clusterState === "Creating" ? undefined : await cloud.find(cluster.describeClusterEndpoints, { clusterId: one.clusterId });
      if (!endpoints) return { ...one, clusterInstanceState };
      const { clusterExternalEndpoint, clusterIntranetEndpoint, domain } = endpoints;
      return { ...one, clusterInstanceState, clusterExternalEndpoint, clusterIntranetEndpoint, domain };
    }),
  );
}

async function statusesOf(cloud: Cloud, clusters: readonly Listed[]) {
  if (clusters.length === 0) return new Map<string, never>();
  const { clusterStatusSet } = await cloud.call(cluster.describeClusterStatus, { clusterIds: clusters.map(({ clusterId }) => clusterId) });
  return new Map(clusterStatusSet.map((one) => [one.clusterId, one]));
}

/** All clusters of the region. One reading for all who ask at once. */
export function everyCluster(cloud: Cloud): Promise<readonly Listed[]> {
  return cloud.readings.share(...listing, cloud.tolerance, () => cloud.all(cluster.describeClusters, {}));
}

const listing = [[cluster.describeClusters], "clusters"] as const;

/** The clusters on a VPC. */
export function clustersOn(cloud: Cloud, vpcId: string) {
  return cloud.all(cluster.describeClusters, { filters: [{ name: "vpc-id", values: [vpcId] }] });
}

/** The clusters that have a tag. They are not asked for if all clusters were just listed. */
export async function clustersTagged(
  cloud: Cloud,
  { key, value }: { readonly key: string; readonly value: string },
): Promise<readonly Listed[]> {
  const all = await cloud.readings.known<readonly Listed[]>(...listing, cloud.tolerance);
  if (!all) return cloud.all(cluster.describeClusters, { filters: [{ name: "Tags", values: [`${key}:${value}`] }] });
  const tags = ({ tagSpecification }: Listed) => tagSpecification.flatMap((specification) => specification.tags);
  return all.filter((one) => tags(one).some((tag) => tag.key === key && tag.value === value));
}

/** The access to the API server of a cluster, from the internet and from the VPC. One call for all who ask at once. */
export function clusterEndpointsOf(cloud: Cloud, clusterId: string) {
  const read = () => cloud.call(cluster.describeClusterEndpoints, { clusterId });
  return cloud.readings.share([cluster.describeClusterEndpoints], `endpoints of ${clusterId}`, cloud.tolerance, read);
}

/** How far one of the two is; `undefined` if the cluster is gone. */
export function clusterEndpointProgress(cloud: Cloud, { clusterId, isExtranet }: { clusterId: string; isExtranet: boolean }) {
  const read = () => cloud.find(cluster.describeClusterEndpointStatus, { clusterId, isExtranet });
  const key = `${isExtranet ? "public" : "internal"} endpoint of ${clusterId}`;
  return cloud.readings.share([cluster.describeClusterEndpointStatus], key, cloud.tolerance, read);
}

/**
 * The node pools of a cluster, each with the id of the call that answered it. One call for all who ask at once. None if the cluster is
 * gone.
 */
export function nodePoolsOf(cloud: Cloud, clusterId: string) {
  return cloud.readings.share(
    [cluster.describeNodePools],
    `pools of ${clusterId}`,
    cloud.tolerance,
    async () => (await ifFound(withRequestId(cloud.pages(cluster.describeNodePools, { clusterId })))) ?? [],
  );
}

/** The nodes of a cluster. One call for all who ask at once. None if the cluster is gone. */
export function nodesOf(cloud: Cloud, clusterId: string) {
  return sharedList(cloud, `nodes of ${clusterId}`, cluster.describeClusterInstances, { clusterId });
}

/** The permissions of a user in the region. One call for all who ask at once. */
export async function permissionsOf(cloud: Cloud, targetUin: string) {
  return (await permissionsAsOf(cloud, targetUin)).permissions;
}

/** The same, with the id of the call that answered them, and the platform's time then, in milliseconds. */
export function permissionsAsOf(cloud: Cloud, targetUin: string) {
  return cloud.readings.share([cluster.describeUserPermissions], `permissions of ${targetUin}`, cloud.tolerance, async () => {
    const answer = await cloud.call(cluster.describeUserPermissions, { targetUin });
    return { at: cloud.now(), ...answer };
  });
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
