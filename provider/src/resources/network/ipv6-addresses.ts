import type { Cloud } from "@container-platform/sdk";
import * as cluster from "@container-platform/sdk/cluster";
import { everyCluster } from "@container-platform/sdk/finders/cluster";
import type { User, Using } from "../../definition/definition.ts";

interface Place {
  readonly vpcId?: string | undefined;
  readonly subnetId: string;
}

/** What to do where a range is not let go of. */
export const takenOutFirst =
  "Put the range back into the program; or take what uses it out in a run of its own first, and change this in the next: a run changes before it deletes";

/** What has IPv6 addresses of a subnet: its range is not taken from them. */
export const ipv6Addresses: Using<Place> = {
  users: "a dual-stack cluster, its nodes, or its access from the VPC",
  remedy: takenOutFirst,
  find: async (cloud, { vpcId, subnetId }) => {
    const found = (await everyCluster(cloud)).map(async ({ clusterId, clusterNetworkSettings: network }) => {
      const { isDualStack, subnetId: own, subnets } = network;
      if (!isDualStack || network.vpcId !== vpcId) return [];
      return own === subnetId || subnets.includes(subnetId)
        ? [{ what: "dual-stack Cluster", id: clusterId }]
        : partsIn(cloud, clusterId, subnetId);
    });
    return (await Promise.all(found)).flat();
  },
};

/** What a cluster has in a subnet that is none of its own: nodes, and its access from the VPC. */
async function partsIn(cloud: Cloud, clusterId: string, subnetId: string): Promise<readonly User[]> {
  const [all, endpoints] = await Promise.all([
    cloud.all(cluster.describeClusterInstances2022, { clusterId }),
    cloud.find(cluster.describeClusterEndpoints, { clusterId }),
  ]);
  const nodes = all.filter(({ native }) => native?.subnetId === subnetId).length;
  return [
    ...(nodes > 0 ? [{ what: `${nodes} node${nodes === 1 ? "" : "s"} of dual-stack Cluster`, id: clusterId }] : []),
    ...(endpoints?.clusterIntranetSubnetId === subnetId ? [{ what: "access from the VPC of dual-stack Cluster", id: clusterId }] : []),
  ];
}
