import * as compute from "@container-platform/sdk/compute";
import { listedOnce, type Offer } from "../../definition/offers.ts";

/** A zone of the region that can be used now. */
export const zone: Offer<unknown> = {
  takes: "one of the zones that the platform offers",
  reads: ["<value> is no zone that <region> offers: it takes <zones>", "<value> cannot be used at present: it takes <zones>"],
  from: "DescribeZones",
  flaw: async (cloud, value) => {
    const zones = await listedOnce(cloud, "zones", async (of) => (await of.call(compute.describeZones, {})).zoneSet);
    const usable = zones.flatMap((one) => (one.zoneState === "AVAILABLE" ? [one.zone] : [])).toSorted();
    if (typeof value !== "string" || usable.includes(value)) return undefined;
    const isThere = zones.some((one) => one.zone === value);
    const why = isThere ? "cannot be used at present" : `is no zone that ${cloud.region} offers`;
    return `${JSON.stringify(value)} ${why}: it takes ${usable.join(", ")}`;
  },
};
