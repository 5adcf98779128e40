import * as compute from "@container-platform/sdk/compute";
import { oneOfList } from "../../definition/offers.ts";

/** A zone of the region that can be used now. */
export const zone = oneOfList({
  noun: "zone",
  from: "DescribeZones",
  read: async (cloud) => {
    const { zoneSet } = await cloud.call(compute.describeZones, {});
    return zoneSet.flatMap((one) => (one.zoneState === "AVAILABLE" ? [one.zone] : [])).toSorted();
  },
});
