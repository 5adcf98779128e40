import * as cluster from "@container-platform/sdk/cluster";
import { nodePoolsOf, nodesOf } from "@container-platform/sdk/finders/cluster";
import * as z from "@container-platform/sdk/zod";
import { idElsewhere } from "../definition/ids.ts";
import { outputOf, reading } from "./definition.ts";
import { listed, missingCluster } from "./existing.ts";
import type { NodePoolRecord, NodeRecord, OsImageRecord } from "./results.ts";

export interface GetClusterInstancesArgs {
  /** Id of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
}

/**
 * The nodes of a cluster.
 *
 * @throws Error if the region has no cluster with this id
 *
 * @example
 * const addresses = getClusterInstances({ clusterId: "cls-3f8a0c1e" }).then((nodes) => nodes.map(({ lanIp }) => lanIp));
 */
export const getClusterInstances = reading<GetClusterInstancesArgs, NodeRecord[]>({
  name: "getClusterInstances",
  args: { clusterId: idElsewhere("cls") },
  read: (cloud, { clusterId }) => listed(nodesOf(cloud, clusterId), () => missingCluster(cloud, clusterId)),
});

/** {@link getClusterInstances}, for Outputs. */
export const getClusterInstancesOutput = outputOf(getClusterInstances);

export interface GetNodePoolsArgs {
  /** Id of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
}

/**
 * The node pools of a cluster.
 *
 * @throws Error if the region has no cluster with this id
 *
 * @example
 * const names = getNodePools({ clusterId: "cls-3f8a0c1e" }).then((pools) => pools.map(({ name }) => name));
 */
export const getNodePools = reading<GetNodePoolsArgs, NodePoolRecord[]>({
  name: "getNodePools",
  args: { clusterId: idElsewhere("cls") },
  // The id of the call would make each answer another one.
  read: async (cloud, { clusterId }) => {
    const pools = await listed(nodePoolsOf(cloud, clusterId), () => missingCluster(cloud, clusterId));
    return pools.map(({ requestId: _, ...pool }) => pool);
  },
});

/** {@link getNodePools}, for Outputs. */
export const getNodePoolsOutput = outputOf(getNodePools);

export interface GetOsImagesArgs {
  /** Whether images are listed, too, that new nodes cannot have. Default: false. */
  readonly all?: boolean;
}

/**
 * The public images that nodes of the region can have. `Cluster` takes an `osName` of these as `clusterOs`.
 *
 * @example
 * const clusterOs = getOsImages().then((images) => images.find(({ osName }) => osName.startsWith("tlinux"))?.osName ?? "");
 */
export const getOsImages = reading<GetOsImagesArgs, OsImageRecord[]>({
  name: "getOsImages",
  args: { all: z.boolean().optional() },
  read: async (cloud, { all = false }) => {
    const { osImageSeriesSet: images } = await cloud.call(cluster.describeOsImages, {});
    return images.filter(({ status }) => all || status === "online");
  },
});

/** {@link getOsImages}, for Outputs. */
export const getOsImagesOutput = outputOf(getOsImages);
