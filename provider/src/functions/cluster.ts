import * as cluster from "@container-platform/sdk/cluster";
import { nodePoolsOf, nodesOf, permissionsOf } from "@container-platform/sdk/finders/cluster";
import { connected } from "./cloud.ts";

/** The Kubernetes versions that a new cluster can have or, with `clusterId`, that this cluster can be upgraded to. */
export async function getClusterVersions(clusterId?: string): Promise<string[]> {
  const cloud = await connected();
  if (clusterId !== undefined) return (await cloud.call(cluster.describeAvailableClusterVersion, { clusterId })).versions ?? [];
  return (await cloud.call(cluster.describeVersions, {})).versionInstanceSet.map(({ version }) => version);
}

/** The clusters of the region. */
export async function getClusters() {
  return (await connected()).all(cluster.describeClusters, {});
}

/**
 * One cluster.
 *
 * @throws Error if the region has no cluster with this id
 */
export async function getCluster(clusterId: string) {
  const { clusters } = await (await connected()).call(cluster.describeClusters, { clusterIds: [clusterId] });
  return one(clusters, `cluster ${clusterId}`);
}

/**
 * The state of a cluster, and how many of its nodes run.
 *
 * @throws Error if the region has no cluster with this id
 */
export async function getClusterStatus(clusterId: string) {
  const { clusterStatusSet } = await (await connected()).call(cluster.describeClusterStatus, { clusterIds: [clusterId] });
  return one(clusterStatusSet, `cluster ${clusterId}`);
}

/** The nodes of a cluster. */
export async function getClusterInstances(clusterId: string) {
  return nodesOf(await connected(), clusterId);
}

/** The node pools of a cluster. */
export async function getNodePools(clusterId: string) {
  return nodePoolsOf(await connected(), clusterId);
}

/** The kubeconfig of the caller, YAML. Default: for access from the VPC; with `isExtranet`, from the internet. Keep it secret: `pulumi.secret(…)`. */
export async function getKubeconfig(clusterId: string, { isExtranet = false }: { isExtranet?: boolean } = {}): Promise<string> {
  return (await (await connected()).call(cluster.describeClusterKubeconfig, { clusterId, isExtranet })).kubeconfig;
}

/** The permissions of a sub-account in all clusters of the region. */
export async function getUserPermissions(targetUin: string) {
  return permissionsOf(await connected(), targetUin);
}

/** The tasks of a cluster of one type, newest first. An empty list is no error. */
export async function getTasks(clusterId: string, taskType: string) {
  const filter = [
    { name: "ClusterId", values: [clusterId] },
    { name: "TaskType", values: [taskType] },
  ];
  return (await (await connected()).find(cluster.describeTasks, { filter }))?.tasks ?? [];
}

function one<Found>(all: readonly Found[], what: string): Found {
  const [found] = all;
  if (found === undefined) throw new Error(`there is no ${what} in this region`);
  return found;
}
