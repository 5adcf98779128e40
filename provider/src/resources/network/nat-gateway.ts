import { addressFamily, networkQuotas, readinessOf } from "@container-platform/sdk";
import { everyNatGateway, natGatewayFinder } from "@container-platform/sdk/finders/vpc";
import * as vpc from "@container-platform/sdk/vpc";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import { StatePatch } from "../../definition/changes.ts";
import { ProviderError } from "../../definition/codes.ts";
import { noRemarks } from "../../definition/definition.ts";
import { idOf, joined } from "../../definition/ids.ts";
import { allowed, cleared, distinct, kept, name, named, tagPairs, unordered } from "../../definition/inputs.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { resource } from "../../definition/resource.ts";
import { without } from "../../schema/values.ts";
import { retagged, tagList, tagRecord } from "../tags.ts";
import { addressesFit } from "./nat-addresses.ts";
import { zone } from "./offers.ts";

/** The arguments of `NatGateway`. */
export interface NatGatewayArgs {
  /** The VPC of the gateway. A change replaces the gateway. */
  vpcId: Input<string>;
  /**
   * IPv4 addresses of 1 to 10 elastic IPs (`ElasticIp.addressIp`), which are BGP and billed by traffic. New ones are bound before old ones
   * are unbound. The order does not matter.
   */
  publicIpAddresses: Input<readonly Input<string>[]>;
  /** Availability zone (`getZones`). A change replaces the gateway. Default: the platform's choice. */
  zone?: Input<string | undefined>;
  /** Name in the console, 1 to 60 characters. Default: the resource's name and a short suffix. */
  natGatewayName?: Input<string | undefined>;
  /** Bandwidth to the internet in Mbps: 20, 50, 100, 200, 500, 1000, 2000 or 5000. */
  internetMaxBandwidthOut?: Input<number | undefined>;
  /** The most connections at the same time: 1000000, 3000000 or 10000000. */
  maxConcurrentConnection?: Input<number | undefined>;
  /** Tags by key: at most 47, with keys of up to 127 and values of up to 255 characters. */
  tags?: Input<Record<string, Input<string>> | undefined>;
}

/** The properties of a `NatGateway` once they are known. */
export interface NatGatewayState extends ResolvedWithDefaults<
  NatGatewayArgs,
  "natGatewayName" | "internetMaxBandwidthOut" | "maxConcurrentConnection"
> {
  /** ID of the NAT gateway, such as `nat-3f8a0c1e`. */
  natGatewayId: string;
}

const ipv4 = allowed(z.string(), { takes: "the IPv4 address of an elastic IP", allows: (text) => addressFamily(text) === 4 });

const oneOf = (values: readonly number[]) => ({ takes: values.join(", "), allows: (value: number) => values.includes(value) });

/**
 * A NAT gateway: private resources of a VPC reach the internet over IPv4 through its elastic IPs, and cannot be reached from there. A route
 * of a `RouteTable` leads to it. It has no effect on IPv6.
 *
 * @example
 * const gateway = new NatGateway("egress", { vpcId: vpc.vpcId, publicIpAddresses: [address.addressIp] });
 */
export class NatGateway extends resource<NatGatewayArgs, NatGatewayState>()("NatGateway", {
  inputs: {
    vpcId: idOf("vpc"),
    publicIpAddresses: unordered(distinct(z.array(ipv4).min(1).max(networkQuotas.addressesOfGateway))),
    zone: kept(z.string()),
    natGatewayName: named(name),
    internetMaxBandwidthOut: allowed(z.int(), oneOf(vpc.natBandwidths)).default(100),
    maxConcurrentConnection: allowed(z.int(), oneOf(vpc.natConnections)).default(1_000_000),
    tags: cleared(tagPairs),
  },
  outputs: { natGatewayId: z.string() },
  states: { state: readinessOf.natGateway },
  id: joined("nat-3f8a0c1e", "natGatewayId"),
}).managed({
  create: async (cloud, { tags, ...desired }) => {
    const [made] = (await cloud.call(vpc.createNatGateway, { ...desired, tags: tagList(tags) })).natGatewaySet;
    if (!made) throw new ProviderError("Failed", "the platform has created no NAT gateway, and gives no reason");
    return { natGatewayId: made.natGatewayId };
  },
  owned: "natGateway",
  read: async (cloud, { natGatewayId }) => {
    const found = await natGatewayFinder.find(cloud, natGatewayId);
    return found && { ...found, ...noRemarks, publicIpAddresses: addressesOf(found), tags: tagRecord(found.tagSet) };
  },
  list: async (cloud) => (await everyNatGateway(cloud)).map((found) => ({ ...found, publicIpAddresses: addressesOf(found) })),
  delete: (cloud, { natGatewayId }) => cloud.call(vpc.deleteNatGateway, { natGatewayId }),

  changes: {
    vpcId: "replace",
    zone: "replace",
    publicIpAddresses: async (cloud, { natGatewayId, publicIpAddresses: desired }, { publicIpAddresses: live = [] }) => {
      const [missing, gone] = [without(desired, live), without(live, desired)];
      if (missing.length === 0) return cloud.call(vpc.disassociateNatGatewayAddress, { natGatewayId, publicIpAddresses: gone });
      // A gateway keeps one address at least: the old ones are unbound in the next step.
      await cloud.call(vpc.associateNatGatewayAddress, { natGatewayId, publicIpAddresses: missing });
      return gone.length > 0 ? new StatePatch({ publicIpAddresses: [...live, ...missing] }) : undefined;
    },
    natGatewayName: (cloud, { natGatewayId, natGatewayName }) =>
      cloud.call(vpc.modifyNatGatewayAttribute, { natGatewayId, natGatewayName }),
    internetMaxBandwidthOut: (cloud, { natGatewayId, internetMaxBandwidthOut }) =>
      cloud.call(vpc.modifyNatGatewayAttribute, { natGatewayId, internetMaxBandwidthOut }),
    maxConcurrentConnection: (cloud, { natGatewayId, maxConcurrentConnection }) =>
      cloud.call(vpc.resetNatGatewayConnection, { natGatewayId, maxConcurrentConnection }),
    tags: (cloud, { natGatewayId, tags }, live) => retagged(cloud, "natGateway", natGatewayId, tags, live.tags),
  },
  offered: { zone },
  invariants: { check: [addressesFit] },
  // Two gateways with a common address cannot exist at the same time.
  unique: [{ by: "publicIpAddresses", as: "name" }],
  // Elastic IPs are named by their addresses.
  needsByName: true,
  holdsWorkloads: true,
}) {}
export interface NatGateway extends Outputs<NatGatewayState> {}

function addressesOf({ publicIpAddressSet }: Awaited<ReturnType<typeof everyNatGateway>>[number]): string[] {
  return publicIpAddressSet.map(({ publicIpAddress }) => publicIpAddress);
}
