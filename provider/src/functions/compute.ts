import * as cluster from "@container-platform/sdk/cluster";
import * as compute from "@container-platform/sdk/compute";
import * as disk from "@container-platform/sdk/disk";
import * as z from "@container-platform/sdk/zod";
import type { Output } from "@pulumi/pulumi";
import { type FunctionInputs, type FunctionOptions, type NoArgs, outputOf, reading } from "./definition.ts";
import { listed, missingZone } from "./existing.ts";
import type { DiskTypeRecord, InstanceTypeRecord, KeyPairRecord, RegionRecord, ZoneRecord } from "./results.ts";

/**
 * Returns the platform's regions.
 *
 * @example
 * const regions = getRegions().then((all) => all.map(({ regionName }) => regionName));
 */
export const getRegions: (args?: NoArgs, opts?: FunctionOptions) => Promise<RegionRecord[]> = reading({
  name: "getRegions",
  args: {},
  read: async (cloud) => (await cloud.call(cluster.describeRegions, {})).regionInstanceSet,
});

/** {@link getRegions}, for Outputs. */
export const getRegionsOutput: (args?: FunctionInputs<NoArgs>, opts?: FunctionOptions) => Output<RegionRecord[]> = outputOf(getRegions);

export interface GetZonesArgs {
  /** Whether to list unavailable zones as well. Default: false. */
  readonly all?: boolean;
}

/**
 * Returns the available zones of the region, sorted by name.
 *
 * @example
 * const zones = await getZones();
 * zones.map(({ zone }, index) => new Subnet(zone, { vpcId: vpc.vpcId, zone, cidrBlock: cidrSubnet("10.0.0.0/16", 20, index) }));
 */
export const getZones: (args?: GetZonesArgs, opts?: FunctionOptions) => Promise<ZoneRecord[]> = reading({
  name: "getZones",
  args: { all: z.boolean().optional() },
  read: async (cloud, { all = false }) => {
    const { zoneSet } = await cloud.call(compute.describeZones, {});
    return zoneSet
      .filter(({ zoneState }) => all || zoneState === "AVAILABLE")
      .sort((one, other) => one.zone.localeCompare(other.zone, "en", { numeric: true }));
  },
});

/** {@link getZones}, for Outputs. */
export const getZonesOutput: (args?: FunctionInputs<GetZonesArgs>, opts?: FunctionOptions) => Output<ZoneRecord[]> = outputOf(getZones);

export interface GetInstanceTypesArgs {
  /** Availability zone, such as `eu-frankfurt-1`. */
  readonly zone: string;
  /** Billing of the instances. Default: `POSTPAID_BY_HOUR`. */
  readonly instanceChargeType?: "POSTPAID_BY_HOUR" | "PREPAID";
  /** Whether to list types that are sold out as well. Default: false. */
  readonly all?: boolean;
}

/**
 * Returns the instance types of a zone, for `native.instanceTypes` of a node pool.
 *
 * @throws Error if the region does not have this zone
 *
 * @example
 * const types = await getInstanceTypes({ zone: "eu-frankfurt-1" });
 * const small = types.filter(({ cpu, memory, gpu }) => cpu === 2 && memory >= 4 && gpu === 0).map(({ instanceType }) => instanceType);
 */
export const getInstanceTypes: (args: GetInstanceTypesArgs, opts?: FunctionOptions) => Promise<InstanceTypeRecord[]> = reading({
  name: "getInstanceTypes",
  args: { zone: z.string().min(1), instanceChargeType: z.enum(cluster.instanceChargeTypes).optional(), all: z.boolean().optional() },
  read: async (cloud, { zone, instanceChargeType = "POSTPAID_BY_HOUR", all = false }) => {
    const filters = [
      { name: "zone", values: [zone] },
      { name: "instance-charge-type", values: [instanceChargeType] },
    ];
    const asked = cloud.call(compute.describeZoneInstanceConfigInfos, { filters }).then((told) => told.instanceTypeQuotaSet);
    const types = await listed(asked, () => missingZone(cloud, zone));
    return types.filter(({ status }) => all || status !== "SOLD_OUT");
  },
});

/** {@link getInstanceTypes}, for Outputs. */
export const getInstanceTypesOutput: (args: FunctionInputs<GetInstanceTypesArgs>, opts?: FunctionOptions) => Output<InstanceTypeRecord[]> =
  outputOf(getInstanceTypes);

export interface GetDiskTypesArgs {
  /** Availability zone, such as `eu-frankfurt-1`. */
  readonly zone: string;
  /** Usage of the disk. Default: `SYSTEM_DISK`. */
  readonly diskUsage?: "SYSTEM_DISK" | "DATA_DISK";
  /** Billing of the disks. Default: `POSTPAID_BY_HOUR`. */
  readonly diskChargeType?: "POSTPAID_BY_HOUR" | "PREPAID";
  /** Whether to list types that are sold out as well. Default: false. */
  readonly all?: boolean;
}

/**
 * Returns the disk types of a zone with their sizes, for `native.systemDisk` and `native.dataDisks` of a node pool.
 *
 * @throws Error if the region does not have this zone
 *
 * @example
 * const dataDisks = await getDiskTypes({ zone: "eu-frankfurt-1", diskUsage: "DATA_DISK" });
 * const fastest = dataDisks.at(-1)?.diskType;
 */
export const getDiskTypes: (args: GetDiskTypesArgs, opts?: FunctionOptions) => Promise<DiskTypeRecord[]> = reading({
  name: "getDiskTypes",
  args: {
    zone: z.string().min(1),
    diskUsage: z.enum(disk.diskUsages).optional(),
    diskChargeType: z.enum(cluster.instanceChargeTypes).optional(),
    all: z.boolean().optional(),
  },
  read: async (cloud, { zone, diskUsage = "SYSTEM_DISK", diskChargeType = "POSTPAID_BY_HOUR", all = false }) => {
    const question = { inquiryType: "INQUIRY_CBS_CONFIG" as const, zones: [zone], diskUsage, diskChargeType };
    const asked = cloud.call(disk.describeDiskConfigQuota, question).then((told) => told.diskConfigSet);
    const types = await listed(asked, () => missingZone(cloud, zone));
    return types.filter(({ available }) => all || available);
  },
});

/** {@link getDiskTypes}, for Outputs. */
export const getDiskTypesOutput: (args: FunctionInputs<GetDiskTypesArgs>, opts?: FunctionOptions) => Output<DiskTypeRecord[]> =
  outputOf(getDiskTypes);

/**
 * Returns the key pairs for the login to nodes.
 *
 * @example
 * const keyIds = getKeyPairs().then((pairs) => pairs.map(({ keyId }) => keyId));
 */
export const getKeyPairs: (args?: NoArgs, opts?: FunctionOptions) => Promise<KeyPairRecord[]> = reading({
  name: "getKeyPairs",
  args: {},
  read: (cloud) => cloud.all(compute.describeKeyPairs, {}),
});

/** {@link getKeyPairs}, for Outputs. */
export const getKeyPairsOutput: (args?: FunctionInputs<NoArgs>, opts?: FunctionOptions) => Output<KeyPairRecord[]> = outputOf(getKeyPairs);
