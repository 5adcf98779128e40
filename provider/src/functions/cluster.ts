import { type Cloud, InputError } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { everyCluster, permissionsOf, wholeClusters } from "@container-platform/sdk/finders/cluster";
import * as z from "@container-platform/sdk/zod";
import { idElsewhere } from "../definition/ids.ts";
import { type NoArgs, outputOf, reading } from "./definition.ts";
import { existing, listed, missingCluster } from "./existing.ts";
import type { ClusterRecord, ClusterStatusRecord, PermissionRecord, TaskRecord } from "./results.ts";

export interface GetClusterVersionsArgs {
  /** The cluster that is to be upgraded. Default: none, for the versions of new clusters. */
  readonly clusterId?: string;
}

/**
 * The Kubernetes versions that a new cluster can have, oldest first; or, with `clusterId`, those that this cluster can be upgraded to.
 *
 * @throws Error if the region has no cluster with this id
 *
 * @example
 * const clusterVersion = getClusterVersions().then((versions) => versions.at(-1) ?? "");
 */
export const getClusterVersions = reading<GetClusterVersionsArgs, string[]>({
  name: "getClusterVersions",
  args: { clusterId: idElsewhere("cls").optional() },
  read: async (cloud, { clusterId }) => {
    if (clusterId !== undefined) {
      const asked = cloud.call(cluster.describeAvailableClusterVersion, { clusterId });
      return (await existing(asked, () => missingCluster(cloud, clusterId))).versions ?? [];
    }
    return (await cloud.call(cluster.describeVersions, {})).versionInstanceSet.map(({ version }) => version);
  },
});

/** {@link getClusterVersions}, for Outputs. */
export const getClusterVersionsOutput = outputOf(getClusterVersions);

/**
 * The clusters of the region.
 *
 * @example
 * const names = getClusters().then((clusters) => clusters.map(({ clusterName }) => clusterName));
 */
export const getClusters = reading<NoArgs, ClusterRecord[]>({
  name: "getClusters",
  args: {},
  read: async (cloud) => wholeClusters(cloud, await everyCluster(cloud)),
});

/** {@link getClusters}, for Outputs. */
export const getClustersOutput = outputOf(getClusters);

export interface GetClusterArgs {
  /** Id of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
}

/**
 * One cluster.
 *
 * @throws Error if the region has no cluster with this id
 *
 * @example
 * const { clusterVersion } = await getCluster({ clusterId: "cls-3f8a0c1e" });
 */
export const getCluster = reading<GetClusterArgs, ClusterRecord>({
  name: "getCluster",
  args: { clusterId: idElsewhere("cls") },
  read: async (cloud, { clusterId }) =>
    one(
      cloud.call(cluster.describeClusters, { clusterIds: [clusterId] }).then(({ clusters }) => wholeClusters(cloud, clusters)),
      cloud,
      clusterId,
    ),
});

/** {@link getCluster}, for Outputs. */
export const getClusterOutput = outputOf(getCluster);

export interface GetClusterStatusArgs {
  /** Id of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
}

/**
 * The state of a cluster, and how many of its nodes run.
 *
 * @throws Error if the region has no cluster with this id
 *
 * @example
 * const { clusterState } = await getClusterStatus({ clusterId: "cls-3f8a0c1e" });
 */
export const getClusterStatus = reading<GetClusterStatusArgs, ClusterStatusRecord>({
  name: "getClusterStatus",
  args: { clusterId: idElsewhere("cls") },
  read: (cloud, { clusterId }) =>
    one(
      cloud.call(cluster.describeClusterStatus, { clusterIds: [clusterId] }).then(({ clusterStatusSet }) => clusterStatusSet),
      cloud,
      clusterId,
    ),
});

/** {@link getClusterStatus}, for Outputs. */
export const getClusterStatusOutput = outputOf(getClusterStatus);

export interface GetKubeconfigArgs {
  /** Id of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
  /** Whether it is for access from the internet. Default: false, from the VPC. */
  readonly isExtranet?: boolean;
}

/**
 * The kubeconfig of the caller, YAML. On a local platform that is not served it leads nowhere: its server is a reserved name.
 *
 * @remarks
 * `getKubeconfigOutput` is a secret; keep this one secret, too: `pulumi.secret(…)`.
 *
 * @throws Error if the region has no cluster with this id
 *
 * @example
 * export const kubeconfig = getKubeconfigOutput({ clusterId: "cls-3f8a0c1e", isExtranet: true });
 */
export const getKubeconfig = reading<GetKubeconfigArgs, string>({
  name: "getKubeconfig",
  args: { clusterId: idElsewhere("cls"), isExtranet: z.boolean().optional() },
  read: async (cloud, { clusterId, isExtranet = false }) => {
    const asked = cloud.call(cluster.describeClusterKubeconfig, { clusterId, isExtranet });
    return (await existing(asked, () => missingCluster(cloud, clusterId))).kubeconfig;
  },
  secret: true,
});

/** {@link getKubeconfig}, for Outputs; a secret. */
export const getKubeconfigOutput = outputOf(getKubeconfig);

export interface GetUserPermissionsArgs {
  /** Id of the sub-account. */
  readonly targetUin: string;
}

/**
 * The permissions of a sub-account in all clusters of the region. None also if there is no such sub-account.
 *
 * @example
 * const permissions = await getUserPermissions({ targetUin: "100000000002" });
 */
export const getUserPermissions = reading<GetUserPermissionsArgs, PermissionRecord[]>({
  name: "getUserPermissions",
  args: { targetUin: z.string().min(1) },
  read: (cloud, { targetUin }) => permissionsOf(cloud, targetUin),
});

/** {@link getUserPermissions}, for Outputs. */
export const getUserPermissionsOutput = outputOf(getUserPermissions);

export interface GetTasksArgs {
  /** Id of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
  /** Type of the tasks, such as `create_cluster`. */
  readonly taskType: string;
}

/**
 * The tasks of a cluster of one type, newest first. An empty list is no error.
 *
 * @throws Error if the region has no cluster with this id
 *
 * @example
 * const [task] = await getTasks({ clusterId: "cls-3f8a0c1e", taskType: "create_cluster" });
 */
export const getTasks = reading<GetTasksArgs, TaskRecord[]>({
  name: "getTasks",
  args: { clusterId: idElsewhere("cls"), taskType: z.string().min(1) },
  read: async (cloud, { clusterId, taskType }) => {
    const filter = [
      { name: "ClusterId", values: [clusterId] },
      { name: "TaskType", values: [taskType] },
    ];
    const asked = cloud.call(cluster.describeTasks, { filter }).then(({ tasks }) => tasks);
    return listed(asked, () => missingCluster(cloud, clusterId));
  },
});

/** {@link getTasks}, for Outputs. */
export const getTasksOutput = outputOf(getTasks);

/** What a cluster's own record is in a list that was asked for by its id. */
async function one<Found>(asked: Promise<Found[]>, cloud: Cloud, clusterId: string): Promise<Found> {
  const [found] = await listed(asked, () => missingCluster(cloud, clusterId));
  // It was deleted between both calls.
  if (found === undefined) throw new InputError(`there is no cluster ${clusterId} in ${cloud.region}`);
  return found;
}
