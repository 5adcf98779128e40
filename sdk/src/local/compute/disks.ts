import { describeDiskConfigQuota } from "../../catalogue/disk.ts";
import { type Behaviour, on } from "../behaviour.ts";
import { zonesOf } from "../regions.ts";
import { diskTypesIn, instanceTypesIn, sizeOf } from "./offers.ts";

export const diskBehaviours: readonly Behaviour[] = [
  on(describeDiskConfigQuota, (call, asked) => {
    const all = zonesOf(call.region).map(({ zone }) => zone);
    const { zones = all, diskTypes, diskUsage, diskChargeType, inquiryType } = asked;
    const strange = zones.find((zone) => !all.includes(zone));
    if (strange !== undefined)
      throw call.error("InvalidParameterValue", `Zones has ${strange}, which is no zone of ${call.region}; it takes ${all.join(", ")}`);
    const offers = diskTypesIn(call.region).filter(
      ({ zone, diskType, usage }) => zones.includes(zone) && (diskTypes?.includes(diskType) ?? true) && usage === (diskUsage ?? usage),
    );
    const charged = diskChargeType === undefined ? ["POSTPAID_BY_HOUR", "PREPAID"] : [diskChargeType];
    const records = offers.flatMap(({ zone, diskType, usage, least, most, extraPerformance }) =>
      charged.map((chargeType) => ({
        available: true,
        diskChargeType: chargeType,
        zone,
        diskType,
        stepSize: 10,
        extraPerformanceRange: [...extraPerformance],
        diskUsage: usage,
        minDiskSize: least,
        maxDiskSize: most,
      })),
    );
    if (inquiryType === "INQUIRY_CBS_CONFIG") return { diskConfigSet: records };
    return {
      diskConfigSet: records.flatMap((record) =>
        familiesIn(call.region, record.zone, asked).map((instanceFamily) => ({ ...record, instanceFamily })),
      ),
    };
  }),
];

/** The families of a zone that have an instance of the size asked for. */
function familiesIn(
  region: string,
  place: string,
  { instanceFamilies, cpu, memory }: { instanceFamilies?: string[] | undefined; cpu?: number | undefined; memory?: number | undefined },
): string[] {
  const fitting = instanceTypesIn(region).filter(({ zone, family, instanceType }) => {
    const size = sizeOf(instanceType);
    const asked = (instanceFamilies?.includes(family) ?? true) && size.cpu === (cpu ?? size.cpu) && size.memory === (memory ?? size.memory);
    return zone === place && asked;
  });
  return [...new Set(fitting.map(({ family }) => family))];
}
