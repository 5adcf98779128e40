import * as vpc from "@container-platform/sdk/vpc";
import { mostDnsServers, networkRules } from "@container-platform/sdk";
import { everyVpc, vpcFinder } from "@container-platform/sdk/finders/vpc";
import * as z from "@container-platform/sdk/zod";
import { allowed } from "../../definition/allowed.ts";
import { cleared, name, named, refusedOnceSet, tagPairs, usually, vpcRange } from "../../definition/inputs.ts";
import { joined } from "../../definition/id.ts";
import { type ArgsOf, resource } from "../../definition/resource.ts";
import { retagged, tagList, tagRecord } from "../../definition/tags.ts";
import { protectedInVpc } from "./clusters-on.ts";

/**
 * A private network with its own IPv4 range.
 *
 * @example
 * const vpc = new Vpc("platform", { cidrBlock: "10.0.0.0/16" });
 */
export class Vpc extends resource("Vpc", {
  inputs: {
    /** Name shown in the console, 1 to 60 characters. Default: the resource's name and a short suffix. */
    vpcName: named(name),
    /** IPv4 range inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, a /12 to /28. A change makes a new VPC. */
    cidrBlock: vpcRange,
    /** Publishes IPv6 routes for the VPC's whole range, which needs allow-listing, instead of for each subnet. Default: false. */
    enableRouteVpcPublishIpv6: z.boolean().default(false),
    /** IPv4 addresses of 1 to 4 DNS servers. Once set, they cannot be taken out. Default: the platform's. */
    dnsServers: usually(refusedOnceSet(z.array(allowed(z.string(), networkRules.dnsServer)).min(1).max(mostDnsServers)), [
      "192.0.2.53",
      "192.0.2.54",
    ]),
    /** Tags, by key. */
    tags: cleared(tagPairs),
  },
  outputs: {
    /** The platform's id, such as `vpc-3f8a0c1e`. */
    vpcId: z.string(),
  },
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
  sole: [{ by: "cidrBlock", as: "range" }],
  neighbours: async (cloud) => (await everyVpc(cloud)).map(({ vpcId, cidrBlock }) => ({ vpcId, cidrBlock })),
  protectedOn: (cloud, { vpcId }) => protectedInVpc(cloud, vpcId),
}) {}

export type VpcArgs = ArgsOf<typeof Vpc>;
