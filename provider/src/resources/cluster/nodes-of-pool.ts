import { type Cloud, contains, parseCidr } from "@container-platform/sdk";
import { nodesOf } from "@container-platform/sdk/finders/cluster";
import { subnetFinder } from "@container-platform/sdk/finders/vpc";
import type { Holding } from "../../definition/definition.ts";

interface Place {
  readonly clusterId: string;
  readonly nodePoolId: string;
}

async function nodesIn(cloud: Cloud, { clusterId, nodePoolId }: Place) {
  return (await nodesOf(cloud, clusterId)).filter((node) => node.nodePoolId === nodePoolId);
}

/** The nodes of a pool: a change of its subnets is for new ones only. */
export const nodesOfPool: Holding<Place> = {
  list: async (cloud, pool) => (await nodesIn(cloud, pool)).map(({ instanceId }) => instanceId),
  by: "native.subnetIds",
  leftIn: async (cloud, pool, subnetId) => {
    const [nodes, subnet] = await Promise.all([nodesIn(cloud, pool), subnetFinder.find(cloud, subnetId)]);
    const range = subnet && parseCidr(subnet.cidrBlock);
    return nodes.flatMap(({ instanceId, lanIp }) => {
      const address = parseCidr(`${lanIp}/32`);
      return range && address && contains(range, address) ? [instanceId] : [];
    });
  },
  remedy: (subnet) =>
    `A node stays in the subnet that it was made in, also if its pool goes to others. Keep ${subnet} in the program as it is until they are gone: let a new pool take over, and take this one out in a later run, before ${subnet}; or remove the nodes from the pool`,
};
