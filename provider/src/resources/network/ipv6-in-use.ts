import { type Cloud, listed } from "@container-platform/sdk";
import type { Kind } from "../../definition/definition.ts";
import { recently } from "../../definition/context.ts";
import { nameOf } from "../../schema/urn.ts";
import { type Invariant, textIn, type Violation } from "../../definition/invariants.ts";
import { differs } from "../../schema/compare.ts";
import { schemaOf } from "../../schema/parts.ts";

const path = "ipv6SubnetCidrBlock";

export const ipv6InUseRemedy =
  "Put the CIDR block back. To remove it, delete those resources in one update and change this input in the next, because an update applies changes before deletions";

/** The IPv6 CIDR block of a subnet is not removed while a dual-stack cluster, its nodes or its private endpoint use it. */
export const ipv6CidrNotInUse: Invariant<Kind, typeof path | "vpcId"> = (graph, node, world) => {
  const { operation, kind, id = "", inputs, state = {} } = node;
  const value = textIn(state, path);
  if (operation !== "keep" || value === undefined || !differs(schemaOf(kind, path), inputs[path], value)) return undefined;
  const find = async (): Promise<Violation | undefined> => {
    const users = await usersIn(world.cloud.tolerating(recently), String(state["vpcId"]), id);
    if (users.length === 0) return undefined;
    const names = users.map(async ({ what, id: by }) => {
      // Pulumi usually checks the cluster after its subnets: until then, the name is in the state.
      const urn = graph.byId(by)?.urn ?? (await world.urnInState(node, by));
      return urn === undefined ? `${what} ${by}` : `${what} "${nameOf(urn)}" (${by})`;
    });
    return {
      code: "CannotChange",
      path,
      message: `cannot remove ${value} from ${id}: it is still used by ${listed(await Promise.all(names))}. ${ipv6InUseRemedy}`,
    };
  };
  return world.ifReadable(`something uses ${value} of ${id}`, find, path);
};

/** The users of the IPv6 addresses of a subnet, with the IDs of their clusters. */
async function usersIn(cloud: Cloud, vpcId: string, subnetId: string) {
  const { everyCluster } = await import("@container-platform/sdk/finders/cluster");
  const found = (await everyCluster(cloud)).map(async ({ clusterId, clusterNetworkSettings: network }) => {
    const { isDualStack, subnetId: own, subnets } = network;
    if (!isDualStack || network.vpcId !== vpcId) return [];
    return own === subnetId || subnets.includes(subnetId)
      ? [{ what: "dual-stack Cluster", id: clusterId }]
      : partsIn(cloud, clusterId, subnetId);
  });
  return (await Promise.all(found)).flat();
}

/** The nodes and the private endpoint of a cluster in a subnet that is not one of the cluster itself. */
async function partsIn(cloud: Cloud, clusterId: string, subnetId: string) {
  const cluster = await import("@container-platform/sdk/cluster");
  const [all, endpoints] = await Promise.all([
    cloud.all(cluster.describeClusterInstances2022, { clusterId }),
    cloud.find(cluster.describeClusterEndpoints, { clusterId }),
  ]);
  const nodes = all.filter(({ native }) => native?.subnetId === subnetId).length;
  return [
    ...(nodes > 0 ? [{ what: `${nodes} node${nodes === 1 ? "" : "s"} of dual-stack Cluster`, id: clusterId }] : []),
    ...(endpoints?.clusterIntranetSubnetId === subnetId ? [{ what: "the private endpoint of dual-stack Cluster", id: clusterId }] : []),
  ];
}
