import type { z } from "zod";
import { describeInstances, describeKeyPairs, describeZoneInstanceConfigInfos, describeZones } from "../../catalogue/compute.ts";
import { describeDiskConfigQuota } from "../../catalogue/disk.ts";
import { type Behaviour, on } from "../behaviour.ts";
import { zonesOf } from "../regions.ts";
import { byId, byParent, exactly, listed, type Listing, partly, tagFilters } from "../requests/listing.ts";
import { diskTypesIn, instanceTypesIn, sizeOf } from "./offers.ts";
import { instances, keyPairs } from "./tables.ts";

type InstanceRow = z.output<typeof instances.row>;
type KeyPairRow = z.output<typeof keyPairs.row>;

const instanceListing: Listing<InstanceRow> = {
  table: instances,
  noun: "machine",
  ids: "InstanceIds",
  filters: {
    "instance-id": byId,
    "instance-name": partly(({ name }) => [name]),
    "instance-state": exactly(({ state }) => [state]),
    "instance-type": exactly(({ instanceType }) => [instanceType]),
    "instance-charge-type": exactly(({ chargeType }) => [chargeType]),
    zone: exactly(({ zone }) => [zone]),
    "vpc-id": byParent(({ vpcId }) => vpcId),
    "subnet-id": exactly(({ subnetId }) => [subnetId]),
    "security-group-id": exactly(({ securityGroupIds }) => securityGroupIds),
    "image-id": exactly(({ imageId }) => [imageId]),
    "private-ip-address": exactly(({ privateIpAddress }) => [privateIpAddress]),
    "tag-value": exactly(({ tags }) => tags.map(({ value }) => value)),
    ...tagFilters,
  },
};

const keyPairListing: Listing<KeyPairRow> = {
  table: keyPairs,
  noun: "key pair",
  ids: "KeyIds",
  filters: {
    "key-name": exactly(({ name }) => [name]),
    "project-id": exactly(() => ["0"]),
    ...tagFilters,
  },
};

/** The behaviours of the compute service. */
export const computeBehaviours: readonly Behaviour[] = [
  on(describeZones, ({ region }) => {
    const zones = zonesOf(region);
    return {
      totalCount: zones.length,
      zoneSet: zones.map(({ zone, available }, index) => ({
        zone,
        zoneName: `${region} zone ${index + 1}`,
        zoneId: String(index + 1),
        zoneState: available ? "AVAILABLE" : "UNAVAILABLE",
      })),
    };
  }),

  on(describeKeyPairs, (call, { keyIds, ...asked }) => {
    const { totalCount, rows } = listed(call, keyPairListing, { ids: keyIds, ...asked });
    const machines = rows.length > 0 ? call.list(instances) : [];
    return {
      totalCount,
      keyPairSet: rows.map(({ id, name, ...row }) => ({
        keyId: id,
        keyName: name,
        projectId: 0,
        description: row.description,
        publicKey: row.publicKey,
        associatedInstanceIds: machines.filter((machine) => machine.keyIds.includes(id)).map((machine) => machine.id),
        createdTime: row.createdTime,
        tags: row.tags,
      })),
    };
  }),

  on(describeInstances, (call, { instanceIds, ...asked }) => {
    const { totalCount, rows } = listed(call, instanceListing, { ids: instanceIds, ...asked });
    return { totalCount, instanceSet: rows.map(recordOf) };
  }),

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

function recordOf({ id, name, vpcId, subnetId, keyIds, ...row }: InstanceRow) {
  return {
    instanceId: id,
    instanceName: name,
    instanceType: row.instanceType,
    instanceChargeType: row.chargeType,
    instanceState: row.state,
    placement: { zone: row.zone },
    imageId: row.imageId,
    osName: row.osName,
    systemDisk: row.systemDisk,
    virtualPrivateCloud: { vpcId, subnetId },
    privateIpAddresses: [row.privateIpAddress],
    securityGroupIds: row.securityGroupIds,
    loginSettings: { keyIds },
    createdTime: row.createdTime,
    tags: row.tags,
  };
}

type Record = ReturnType<typeof recordsOf>[number];

/** The values by which the filters select. */
const filterValues: Readonly<{ [name: string]: (record: Record) => string }> = {
  zone: ({ zone }) => zone,
  "instance-charge-type": ({ instanceChargeType }) => instanceChargeType,
  "instance-family": ({ instanceFamily }) => instanceFamily,
  "instance-type": ({ instanceType }) => instanceType,
};

/** A type is listed once for each way to charge it. */
function recordsOf({ family: instanceFamily, soldOut, ...offer }: ReturnType<typeof instanceTypesIn>[number]) {
  const { cpu, memory, gpu } = sizeOf(offer.instanceType);
  const [status, statusCategory] = soldOut ? ["SOLD_OUT", "WithoutStock"] : ["SELL", "EnoughStock"];
  const common = { ...offer, instanceFamily, cpu, memory, gpu, gpuCount: gpu, fpga: 0, status, statusCategory };
  return ["POSTPAID_BY_HOUR", "PREPAID"].map((instanceChargeType) => ({ ...common, instanceChargeType }));
}

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
function familiesIn(region: string, place: string, { instanceFamilies, cpu, memory }: z.output<typeof describeDiskConfigQuota.input>) {
  const fitting = instanceTypesIn(region).filter(({ zone, family, instanceType }) => {
    const size = sizeOf(instanceType);
    const asked = (instanceFamilies?.includes(family) ?? true) && size.cpu === (cpu ?? size.cpu) && size.memory === (memory ?? size.memory);
    return zone === place && asked;
  });
  return [...new Set(fitting.map(({ family }) => family))];
}
