import * as compute from "@container-platform/sdk/compute";
import { contains } from "@container-platform/sdk";
import { vpcFinder } from "@container-platform/sdk/finders/vpc";
import { type Offer, oneOfList } from "../../definition/offers.ts";

/** A zone of the region that can be used now. */
export const zone = oneOfList({
  noun: "zone",
  from: "DescribeZones",
  read: async (cloud) => {
    const { zoneSet } = await cloud.call(compute.describeZones, {});
    return zoneSet.flatMap((one) => (one.zoneState === "AVAILABLE" ? [one.zone] : [])).toSorted();
  },
});

/** The platform chooses the block, so only what has one already can be held against it. */
export const partOfBlock: Offer<Readonly<{ vpcId: string }>> = {
  takes: "a /64 inside the IPv6 block that its VPC has",
  from: "DescribeVpcs",
  beside: ["vpcId"],
  flaw: async (cloud, value, { vpcId }) => {
    const found = await vpcFinder.find(cloud.tolerating(2000), vpcId);
    if (!found) return undefined;
    const block = found.ipv6CidrBlock;
    if (block === undefined) return `${vpcId} has no IPv6 block: make an Ipv6Block, and take its subnetCidrBlock(0)`;
    return contains(block, String(value)) ? undefined : `${String(value)} is not inside ${block}, the IPv6 block of ${vpcId}`;
  },
};
