import { type Cloud, leastAddresses, ownAddresses, parseCidr } from "@container-platform/sdk";
import { clusterFinder } from "@container-platform/sdk/finders/cluster";
import { subnetFinder } from "@container-platform/sdk/finders/vpc";
import type { Joined, Room } from "../../definition/definition.ts";
import type { Offer } from "../../definition/offers.ts";
import { recently } from "../../definition/recently.ts";

/** What subnets have to be, which a cluster or a pool is put into. One that does not exist yet is looked at once it does. */

type InVpc = Readonly<{ vpcId: string }>;

export const ofCluster: Offer<InVpc> = {
  beside: ["vpcId"],
  flaw: async (cloud, value, { vpcId }) => {
    const [found] = await subnetsOf(cloud.tolerating(recently), value);
    if (found && found.vpcId !== vpcId) return elsewhere(found, vpcId);
    const free = found?.availableIpAddressCount ?? leastAddresses;
    return free < leastAddresses ? `${found?.subnetId} has ${free} free addresses: a cluster needs ${leastAddresses} or more` : undefined;
  },
};

export const ofPods: Offer<InVpc> = {
  beside: ["vpcId"],
  flaw: async (cloud, value, { vpcId }) => elsewhereIn(await placesOf(cloud, value), vpcId),
};

/** Of nodes, and of the access to the API server from the VPC. */
export const ofNodes: Offer<Readonly<{ clusterId: string }>> = {
  beside: ["clusterId"],
  flaw: async (cloud, value, { clusterId }) => {
    const cluster = await clusterFinder.seen(cloud, clusterId);
    return cluster && elsewhereIn(await placesOf(cloud, value), cluster.clusterNetworkSettings.vpcId);
  },
};

/** Addresses of a subnet that nobody can have: the network's, the gateway's and the broadcast address. */
const reserved = 3;

/** The free addresses of a subnet that is still to be made. */
function freeInNew({ cidrBlock }: Readonly<Record<string, unknown>>): number | undefined {
  const range = typeof cidrBlock === "string" ? parseCidr(cidrBlock) : undefined;
  return range && 2 ** (32 - range.prefix) - reserved;
}

export const room: Room<Readonly<{ subnetId: string }>> = {
  by: "subnetId",
  least: leastAddresses,
  takes: ownAddresses,
  freeIn: async (cloud, subnetId) => (await subnetFinder.find(cloud, subnetId))?.availableIpAddressCount,
  freeInNew,
};

/** A subnet that is still to be made can hold a cluster. */
export const largeEnough: NonNullable<Joined["flaw"]> = (subnet) => {
  const free = freeInNew(subnet) ?? leastAddresses;
  return free < leastAddresses ? `has ${free} addresses: a cluster needs ${leastAddresses} or more` : undefined;
};

/** Pods of a cluster with both address families can be in a subnet of the program. */
export const dualStack: NonNullable<Joined["flaw"]> = (subnet, { isDualStack }) =>
  isDualStack === true && subnet["ipv6SubnetCidrBlock"] === undefined
    ? "has no IPv6 range: with isDualStack, it takes subnets with ipv6SubnetCidrBlock"
    : undefined;

function subnetsOf(cloud: Cloud, value: unknown) {
  return each(value, (id) => subnetFinder.find(cloud, id));
}

/** The same, for their VPCs alone: neither a subnet nor a cluster ever goes to another one. */
function placesOf(cloud: Cloud, value: unknown) {
  return each(value, (id) => subnetFinder.seen(cloud, id));
}

async function each<T>(value: unknown, find: (id: string) => Promise<T | undefined>): Promise<T[]> {
  const ids: readonly unknown[] = Array.isArray(value) ? value : [value];
  const found = await Promise.all(ids.map((id) => (typeof id === "string" ? find(id) : Promise.resolve(undefined))));
  return found.filter((one) => one !== undefined);
}

type Found = Awaited<ReturnType<typeof subnetsOf>>[number];

function elsewhereIn(found: readonly Found[], vpcId: string): string | undefined {
  const [first] = found.filter((one) => one.vpcId !== vpcId);
  return first && elsewhere(first, vpcId);
}

const elsewhere = ({ subnetId, vpcId }: Found, own: string): string => `${subnetId} is in ${vpcId}: it takes a subnet of ${own}`;
