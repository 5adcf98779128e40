import type { Cloud } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { everyCluster, permissionsOf, wholeClusters } from "@container-platform/sdk/finders/cluster";
import * as z from "@container-platform/sdk/zod";
import { ProviderError } from "../definition/codes.ts";
import { idElsewhere } from "../definition/ids.ts";
import type { Output } from "@pulumi/pulumi";
import { type FunctionInputs, type FunctionOptions, type NoArgs, outputOf, reading } from "./definition.ts";
import { existing, listed, missingCluster } from "./existing.ts";
import type { ClusterRecord, ClusterStatusRecord, PermissionRecord, TaskRecord } from "./results.ts";

export interface GetClusterVersionsArgs {
  /** The cluster to upgrade. Default: none, for the versions of new clusters. */
  readonly clusterId?: string;
}

/**
 * Returns the Kubernetes versions of new clusters, oldest first. With `clusterId`, it returns the versions to which that cluster can be
 * upgraded.
 *
 * @throws Error if the region has no cluster with this ID
 *
 * @example
 * const clusterVersion = getClusterVersions().then((versions) => versions.at(-1) ?? "");
 */
export const getClusterVersions: (args?: GetClusterVersionsArgs, opts?: FunctionOptions) => Promise<string[]> = reading({
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
export const getClusterVersionsOutput: (args?: FunctionInputs<GetClusterVersionsArgs>, opts?: FunctionOptions) => Output<string[]> =
  outputOf(getClusterVersions);

/**
 * Returns the clusters of the region.
 *
 * @example
 * const names = getClusters().then((clusters) => clusters.map(({ clusterName }) => clusterName));
 */
export const getClusters: (args?: NoArgs, opts?: FunctionOptions) => Promise<ClusterRecord[]> = reading({
  name: "getClusters",
  args: {},
  read: async (cloud) => wholeClusters(cloud, await everyCluster(cloud)),
});

/** {@link getClusters}, for Outputs. */
export const getClustersOutput: (args?: FunctionInputs<NoArgs>, opts?: FunctionOptions) => Output<ClusterRecord[]> = outputOf(getClusters);

export interface GetClusterArgs {
  /** ID of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
}

/**
 * Returns a cluster.
 *
 * @throws Error if the region has no cluster with this ID
 *
 * @example
 * const { clusterVersion } = await getCluster({ clusterId: "cls-3f8a0c1e" });
 */
export const getCluster: (args: GetClusterArgs, opts?: FunctionOptions) => Promise<ClusterRecord> = reading({
  name: "getCluster",
  args: { clusterId: idElsewhere("cls") },
  read: (cloud, { clusterId }) => {
    const asked = cloud.call(cluster.describeClusters, { clusterIds: [clusterId] }).then(({ clusters }) => wholeClusters(cloud, clusters));
    return one(asked, cloud, clusterId);
  },
});

/** {@link getCluster}, for Outputs. */
export const getClusterOutput: (args: FunctionInputs<GetClusterArgs>, opts?: FunctionOptions) => Output<ClusterRecord> =
  outputOf(getCluster);

export interface GetClusterStatusArgs {
  /** ID of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
}

/**
 * Returns the state of a cluster and the number of its nodes by state.
 *
 * @throws Error if the region has no cluster with this ID
 *
 * @example
 * const { clusterState } = await getClusterStatus({ clusterId: "cls-3f8a0c1e" });
 */
export const getClusterStatus: (args: GetClusterStatusArgs, opts?: FunctionOptions) => Promise<ClusterStatusRecord> = reading({
  name: "getClusterStatus",
  args: { clusterId: idElsewhere("cls") },
  read: (cloud, { clusterId }) => {
    const asked = cloud.call(cluster.describeClusterStatus, { clusterIds: [clusterId] }).then(({ clusterStatusSet }) => clusterStatusSet);
    return one(asked, cloud, clusterId);
  },
});

/** {@link getClusterStatus}, for Outputs. */
export const getClusterStatusOutput: (args: FunctionInputs<GetClusterStatusArgs>, opts?: FunctionOptions) => Output<ClusterStatusRecord> =
  outputOf(getClusterStatus);

export interface GetKubeconfigArgs {
  /** ID of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
  /** Whether the kubeconfig is for the public endpoint. Default: false, for the private endpoint. */
  readonly isExtranet?: boolean;
}

/**
 * Returns the kubeconfig of the caller, YAML. On the emulator, it works only if the emulator serves clusters.
 *
 * @remarks
 * The result of `getKubeconfigOutput` is a secret. Wrap the result of `getKubeconfig` in `pulumi.secret(…)`.
 *
 * @throws Error if the region has no cluster with this ID
 *
 * @example
 * export const kubeconfig = getKubeconfigOutput({ clusterId: "cls-3f8a0c1e", isExtranet: true });
 */
export const getKubeconfig: (args: GetKubeconfigArgs, opts?: FunctionOptions) => Promise<string> = reading({
  name: "getKubeconfig",
  args: { clusterId: idElsewhere("cls"), isExtranet: z.boolean().optional() },
  read: async (cloud, { clusterId, isExtranet = false }) => {
    const asked = cloud.call(cluster.describeClusterKubeconfig, { clusterId, isExtranet });
    return (await existing(asked, () => missingCluster(cloud, clusterId))).kubeconfig;
  },
  secret: true,
});

/** {@link getKubeconfig}, for Outputs; a secret. */
export const getKubeconfigOutput: (args: FunctionInputs<GetKubeconfigArgs>, opts?: FunctionOptions) => Output<string> =
  outputOf(getKubeconfig);

export interface GetUserPermissionsArgs {
  /** ID of the sub-account. */
  readonly targetUin: string;
}

/**
 * Returns the permissions of a sub-account in all clusters of the region; an empty list for an unknown sub-account.
 *
 * @example
 * const permissions = await getUserPermissions({ targetUin: "100000000002" });
 */
export const getUserPermissions: (args: GetUserPermissionsArgs, opts?: FunctionOptions) => Promise<PermissionRecord[]> = reading({
  name: "getUserPermissions",
  args: { targetUin: z.string().min(1) },
  read: (cloud, { targetUin }) => permissionsOf(cloud, targetUin),
});

/** {@link getUserPermissions}, for Outputs. */
export const getUserPermissionsOutput: (
  args: FunctionInputs<GetUserPermissionsArgs>,
  opts?: FunctionOptions,
) => Output<PermissionRecord[]> = outputOf(getUserPermissions);

export interface GetTasksArgs {
  /** ID of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
  /** Type of the tasks, such as `create_cluster`. */
  readonly taskType: string;
}

/**
 * Returns the tasks of a cluster of one type, newest first, or an empty list.
 *
 * @throws Error if the region has no cluster with this ID
 *
 * @example
 * const [task] = await getTasks({ clusterId: "cls-3f8a0c1e", taskType: "create_cluster" });
 */
export const getTasks: (args: GetTasksArgs, opts?: FunctionOptions) => Promise<TaskRecord[]> = reading({
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
export const getTasksOutput: (args: FunctionInputs<GetTasksArgs>, opts?: FunctionOptions) => Output<TaskRecord[]> = outputOf(getTasks);

/** What a cluster's own record is in a list that was asked for by its id. */
async function one<Found>(asked: Promise<Found[]>, cloud: Cloud, clusterId: string): Promise<Found> {
  const [found] = await listed(asked, () => missingCluster(cloud, clusterId));
  // It was deleted between both calls.
  if (found === undefined) throw new ProviderError("NotFound", `there is no cluster ${clusterId} in ${cloud.region}`);
  return found;
}
