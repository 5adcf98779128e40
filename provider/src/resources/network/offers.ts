import * as compute from "@container-platform/sdk/compute";
import { contains } from "@container-platform/sdk";
import { vpcFinder } from "@container-platform/sdk/finders/vpc";
import { listedOnce, type Offer } from "../../definition/offers.ts";
import { recently } from "../../definition/context.ts";

/** A zone of the region that can be used now. */
export const zone: Offer<unknown> = {
  flaw: async (cloud, value) => {
    const zones = await listedOnce(cloud, "zones", async (of) => (await of.call(compute.describeZones, {})).zoneSet);
    const usable = zones.flatMap((one) => (one.zoneState === "AVAILABLE" ? [one.zone] : [])).toSorted();
    if (typeof value !== "string" || usable.includes(value)) return undefined;
    const isThere = zones.some((one) => one.zone === value);
    const why = isThere ? "cannot be used at present" : `is no zone that ${cloud.region} offers`;
    return `${JSON.stringify(value)} ${why}: it takes ${usable.join(", ")}`;
  },
};

/** The platform chooses the block, so only what has one already can be held against it. */
export const partOfBlock: Offer<Readonly<{ vpcId: string }>> = {
  beside: ["vpcId"],
  flaw: async (cloud, value, { vpcId }) => {
    const found = await vpcFinder.find(cloud.tolerating(recently), vpcId);
    if (!found) return undefined;
    const block = found.ipv6CidrBlock;
    if (block === undefined) return `${vpcId} has no IPv6 block: make an Ipv6Block, and take its subnetCidrBlock(0)`;
    return contains(block, String(value)) ? undefined : `${String(value)} is not inside ${block}, the IPv6 block of ${vpcId}`;
  },
};
