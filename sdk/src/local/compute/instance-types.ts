import { describeZoneInstanceConfigInfos } from "../../catalogue/compute.ts";
import { on } from "../behaviour.ts";
import { zonesOf } from "../regions.ts";
import { type InstanceTypeOffer, instanceTypesIn, sizeOf } from "./offers.ts";

type Record = ReturnType<typeof recordsOf>[number];

/** The values by which the filters select. */
const filterValues: Readonly<{ [name: string]: (record: Record) => string }> = {
  zone: ({ zone }) => zone,
  "instance-charge-type": ({ instanceChargeType }) => instanceChargeType,
  "instance-family": ({ instanceFamily }) => instanceFamily,
  "instance-type": ({ instanceType }) => instanceType,
};

export const instanceTypeBehaviours = [
  on(describeZoneInstanceConfigInfos, (call, { filters = [] }) => {
    const odd = filters.find(({ name }) => !(name in filterValues));
    if (odd)
      throw call.error("InvalidParameter", `${JSON.stringify(odd.name)} is no filter; it takes ${Object.keys(filterValues).join(", ")}`);
    const zones = zonesOf(call.region).map(({ zone }) => zone);
    const strange = filters.flatMap(({ name, values }) => (name === "zone" ? values : [])).find((zone) => !zones.includes(zone));
    if (strange !== undefined)
      throw call.error("InvalidZone.MismatchRegion", `${strange} is no zone of ${call.region}; it takes ${zones.join(", ")}`);
    return {
      instanceTypeQuotaSet: instanceTypesIn(call.region)
        .flatMap(recordsOf)
        .filter((record) => filters.every(({ name, values }) => values.includes(filterValues[name]?.(record) ?? ""))),
    };
  }),
];

/** A type is listed once for each way to charge it. */
function recordsOf({ zone, instanceType, family, typeName, cpuType, networkCard, soldOut }: InstanceTypeOffer) {
  const { cpu, memory, gpu } = sizeOf(instanceType);
  return ["POSTPAID_BY_HOUR", "PREPAID"].map((instanceChargeType) => ({
    zone,
    instanceType,
    instanceChargeType,
    networkCard,
    cpu,
    memory,
    instanceFamily: family,
    typeName,
    status: soldOut ? "SOLD_OUT" : "SELL",
    cpuType,
    gpu,
    gpuCount: gpu,
    fpga: 0,
    statusCategory: soldOut ? "WithoutStock" : "EnoughStock",
  }));
}
