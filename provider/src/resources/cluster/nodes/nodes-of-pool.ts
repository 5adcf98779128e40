import type { Cloud } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { nodesOf } from "@container-platform/sdk/finders/cluster";
import type { Holding, Keeping } from "../../../definition/definition.ts";
import type { Native } from "./native.ts";

interface Place {
  readonly clusterId: string;
  readonly nodePoolId: string;
}

async function idsOf(cloud: Cloud, { clusterId, nodePoolId }: Place): Promise<readonly string[]> {
  return (await nodesOf(cloud, clusterId)).filter((node) => node.nodePoolId === nodePoolId).map(({ instanceId }) => instanceId);
}

/** What the nodes of a pool were made with. */
async function madeOf(cloud: Cloud, pool: Place) {
  const ids = await idsOf(cloud, pool);
  if (ids.length === 0) return [];
  const nodes = await cloud.all(cluster.describeClusterInstances2022, { clusterId: pool.clusterId });
  return nodes.flatMap(({ instanceId, native }) => (ids.includes(instanceId) && native ? [{ ...native, instanceId }] : []));
}

const until = (called: string): string =>
  `Keep ${called} unchanged until these nodes are deleted: create a new pool, remove this one in a later update, and ${called} after it. Or delete the nodes first: set replicas of the pool to 0`;

const subnets: Keeping<Place> = {
  by: "native.subnetIds",
  of: "subnet",
  keptBy: async (cloud, pool, id) =>
    (await madeOf(cloud, pool)).filter(({ subnetId }) => subnetId === id).map(({ instanceId }) => instanceId),
  how: (id, isOne) => `${isOne ? "stays" : "stay"} in ${id}`,
  remedy: (called) => `A node stays in its subnet when its pool changes subnets. ${until(called)}`,
};

const securityGroups: Keeping<Place> = {
  by: "native.securityGroupIds",
  of: "sg",
  keptBy: async (cloud, pool, id) =>
    (await madeOf(cloud, pool)).filter(({ securityGroupIds }) => securityGroupIds.includes(id)).map(({ instanceId }) => instanceId),
  how: (id, isOne) => `${isOne ? "uses" : "use"} ${id}`,
  remedy: (called) => `A node keeps its security groups when its pool changes them. ${until(called)}`,
};

/** The nodes of a pool: a change of its subnets or security groups is for new ones only. */
export const nodesOfPool: Holding<{ readonly native: Native }, Place> = {
  list: idsOf,
  isEmptied: ({ native: { replicas, scaling } }) => replicas === 0 && scaling === undefined,
  keeps: [subnets, securityGroups],
};
