import * as cluster from "@container-platform/sdk/cluster";
import { nodePoolsOf, nodesOf } from "@container-platform/sdk/finders/cluster";
import * as z from "@container-platform/sdk/zod";
import { idElsewhere } from "../definition/ids.ts";
import type { Output } from "@pulumi/pulumi";
import { type FunctionInputs, type FunctionOptions, outputOf, reading } from "./definition.ts";
import { listed, missingCluster } from "./existing.ts";
import type { NodePoolRecord, NodeRecord, OsImageRecord } from "./results.ts";

export interface GetClusterInstancesArgs {
  /** ID of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
}

/**
 * Returns the nodes of a cluster.
 *
 * @throws Error if the region has no cluster with this ID
 *
 * @example
 * const addresses = getClusterInstances({ clusterId: "cls-3f8a0c1e" }).then((nodes) => nodes.map(({ lanIp }) => lanIp));
 */
export const getClusterInstances: (args: GetClusterInstancesArgs, opts?: FunctionOptions) => Promise<NodeRecord[]> = reading({
  name: "getClusterInstances",
  args: { clusterId: idElsewhere("cls") },
  read: (cloud, { clusterId }) => listed(nodesOf(cloud, clusterId), () => missingCluster(cloud, clusterId)),
});

/** {@link getClusterInstances}, for Outputs. */
export const getClusterInstancesOutput: (args: FunctionInputs<GetClusterInstancesArgs>, opts?: FunctionOptions) => Output<NodeRecord[]> =
  outputOf(getClusterInstances);

export interface GetNodePoolsArgs {
  /** ID of the cluster, such as `cls-3f8a0c1e`. */
  readonly clusterId: string;
}

/**
 * Returns the node pools of a cluster.
 *
 * @throws Error if the region has no cluster with this ID
 *
 * @example
 * const names = getNodePools({ clusterId: "cls-3f8a0c1e" }).then((pools) => pools.map(({ name }) => name));
 */
export const getNodePools: (args: GetNodePoolsArgs, opts?: FunctionOptions) => Promise<NodePoolRecord[]> = reading({
  name: "getNodePools",
  args: { clusterId: idElsewhere("cls") },
  // The id of the call would make each answer another one.
  read: async (cloud, { clusterId }) => {
    const pools = await listed(nodePoolsOf(cloud, clusterId), () => missingCluster(cloud, clusterId));
    return pools.map(({ requestId: _, ...pool }) => pool);
  },
});

/** {@link getNodePools}, for Outputs. */
export const getNodePoolsOutput: (args: FunctionInputs<GetNodePoolsArgs>, opts?: FunctionOptions) => Output<NodePoolRecord[]> =
  outputOf(getNodePools);

export interface GetOsImagesArgs {
  /** Whether to list images that are not available for new nodes as well. Default: false. */
  readonly all?: boolean;
}

/**
 * Returns the public images for nodes of the region. Set `clusterOs` of a `Cluster` to an `osName`.
 *
 * @example
 * const clusterOs = getOsImages().then((images) => images.find(({ osName }) => osName.startsWith("tlinux"))?.osName ?? "");
 */
export const getOsImages: (args?: GetOsImagesArgs, opts?: FunctionOptions) => Promise<OsImageRecord[]> = reading({
  name: "getOsImages",
  args: { all: z.boolean().optional() },
  read: async (cloud, { all = false }) => {
    const { osImageSeriesSet: images } = await cloud.call(cluster.describeOsImages, {});
    return images.filter(({ status }) => all || status === "online");
  },
});

/** {@link getOsImages}, for Outputs. */
export const getOsImagesOutput: (args?: FunctionInputs<GetOsImagesArgs>, opts?: FunctionOptions) => Output<OsImageRecord[]> =
  outputOf(getOsImages);
