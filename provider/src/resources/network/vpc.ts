import * as vpc from "@container-platform/sdk/vpc";
import { mostDnsServers, networkRules } from "@container-platform/sdk";
import { everyVpc, vpcFinder } from "@container-platform/sdk/finders/vpc";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import { allowed, cleared, ipv4Range, name, named, refusedOnceSet, tagPairs, usually } from "../../definition/inputs.ts";
import { joined } from "../../definition/ids.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { resource } from "../../definition/resource.ts";
import { retagged, tagList, tagRecord } from "../tags.ts";
import { protectedInVpc } from "./clusters-on.ts";

/** The arguments of `Vpc`. */
export interface VpcArgs {
  /** IPv4 CIDR block: a /12 to /28 inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16. A change replaces the VPC. */
  cidrBlock: Input<string>;
  /** Name in the console, 1 to 60 characters. Default: the resource's name and a short suffix. */
  vpcName?: Input<string | undefined>;
  /**
   * Whether the VPC publishes one IPv6 route for its whole /56 instead of one for each subnet. The platform must allow it for the
   * account. Default: false.
   */
  enableRouteVpcPublishIpv6?: Input<boolean | undefined>;
  /** IPv4 addresses of 1 to 4 DNS servers. Once set, they cannot be removed. Default: the platform's. */
  dnsServers?: Input<readonly Input<string>[] | undefined>;
  /** Tags by key: at most 47, with keys of up to 127 and values of up to 255 characters. */
  tags?: Input<Record<string, Input<string>> | undefined>;
}

/** The properties of a `Vpc` once they are known. */
export interface VpcState extends ResolvedWithDefaults<VpcArgs, "vpcName" | "enableRouteVpcPublishIpv6"> {
  /** ID of the VPC, such as `vpc-3f8a0c1e`. */
  vpcId: string;
}

/**
 * A virtual private cloud (VPC): a private network with its own IPv4 CIDR block.
 *
 * @example
 * const vpc = new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
 */
export class Vpc extends resource<VpcArgs, VpcState>()("Vpc", {
  inputs: {
    vpcName: named(name),
    cidrBlock: ipv4Range("10.0.0.0/16", networkRules.vpcRange),
    enableRouteVpcPublishIpv6: z.boolean().default(false),
    dnsServers: usually(refusedOnceSet(z.array(allowed(z.string(), networkRules.dnsServer)).min(1).max(mostDnsServers)), [
      "192.0.2.53",
      "192.0.2.54",
    ]),
    tags: cleared(tagPairs),
  },
  outputs: { vpcId: z.string() },
  id: joined("vpc-3f8a0c1e", "vpcId"),
}).managed({
  create: async (cloud, { tags, ...desired }) => (await cloud.call(vpc.createVpc, { ...desired, tags: tagList(tags) })).vpc,
  owned: "vpc",
  read: async (cloud, { vpcId }) => {
    const found = await vpcFinder.find(cloud, vpcId);
    return found && { ...found, dnsServers: found.dnsServerSet, tags: tagRecord(found.tagSet) };
  },
  list: everyVpc,
  delete: (cloud, { vpcId }) => cloud.call(vpc.deleteVpc, { vpcId }),

  changes: {
    cidrBlock: "replace",
    vpcName: (cloud, { vpcId, vpcName }) => cloud.call(vpc.modifyVpcAttribute, { vpcId, vpcName }),
    enableRouteVpcPublishIpv6: (cloud, { vpcId, enableRouteVpcPublishIpv6 }) =>
      cloud.call(vpc.modifyVpcAttribute, { vpcId, enableRouteVpcPublishIpv6 }),
    dnsServers: (cloud, { vpcId, dnsServers }) => cloud.call(vpc.modifyVpcAttribute, { vpcId, dnsServers }),
    tags: (cloud, { vpcId, tags }, live) => retagged(cloud, "vpc", vpcId, tags, live.tags),
  },
  holdsWorkloads: true,
  // Overlapping VPCs of one account and region cannot exist at the same time.
  unique: [{ by: "cidrBlock", as: "range" }],
  protectedOn: (cloud, { vpcId }) => protectedInVpc(cloud, vpcId),
}) {}
export interface Vpc extends Outputs<VpcState> {}
