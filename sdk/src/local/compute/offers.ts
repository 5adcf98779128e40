import type { DiskUsage } from "../../catalogue/disk.ts";
import { zonesOf } from "../regions.ts";

/** What the zones of every region have, as data: types of instance, and of disk. */

interface Family {
  readonly name: string;
  /** The sizes: what follows the family's name in a type. */
  readonly sizes: readonly string[];
  readonly cpuType: string;
  /** Kind of network card: 25 has 25 Gbit/s. */
  readonly networkCard: number;
  /** The numbers of the zones that have it. */
  readonly zones: readonly number[];
  /** The numbers of the zones where it is sold out. */
  readonly soldOut?: readonly number[];
}

const standard = ["SMALL2", "MEDIUM2", "MEDIUM4", "MEDIUM8", "LARGE8", "LARGE16", "2XLARGE16", "2XLARGE32", "4XLARGE32", "4XLARGE64"];

const families: Readonly<Record<string, Family>> = {
  S5: { name: "Standard S5", sizes: standard, cpuType: "Intel Xeon Cascade Lake", networkCard: 25, zones: [1, 2, 3] },
  SA2: { name: "Standard SA2", sizes: standard, cpuType: "AMD EPYC Rome", networkCard: 25, zones: [1, 2, 3], soldOut: [3] },
  SA5: { name: "Standard SA5", sizes: standard, cpuType: "AMD EPYC Bergamo", networkCard: 100, zones: [1, 2, 3] },
  MA5: {
    name: "Memory-optimized MA5",
    sizes: ["MEDIUM16", "LARGE32", "2XLARGE64", "4XLARGE128"],
    cpuType: "AMD EPYC Bergamo",
    networkCard: 100,
    zones: [1, 2],
  },
  C6: {
    name: "Compute-optimized C6",
    sizes: ["MEDIUM4", "LARGE8", "2XLARGE16", "4XLARGE32"],
    cpuType: "Intel Xeon Ice Lake",
    networkCard: 100,
    zones: [1, 3],
  },
  GN7: {
    name: "GPU-based GN7",
    sizes: ["2XLARGE32", "5XLARGE80"],
    cpuType: "Intel Xeon Cascade Lake",
    networkCard: 25,
    zones: [1, 2],
  },
};

/** The types of instance in all zones of a region, those too that are sold out. */
export function instanceTypesIn(region: string) {
  return zonesOf(region).flatMap(({ zone }, index) =>
    Object.entries(families).flatMap(([family, { name, sizes, cpuType, networkCard, zones, soldOut = [] }]) => {
      if (!zones.includes(index + 1)) return [];
      const offer = { zone, family, typeName: name, cpuType, networkCard, soldOut: soldOut.includes(index + 1) };
      return sizes.map((size) => ({ ...offer, instanceType: `${family}.${size}` }));
    }),
  );
}

/** Cores by the size in a type's name; `2XLARGE` as in `SA5.2XLARGE16` has twice as many as `XLARGE`. */
const cores: Readonly<Record<string, number>> = { SMALL: 1, MEDIUM: 2, LARGE: 4, XLARGE: 4 };

/** Family, cores and GB of memory of a type such as `SA5.MEDIUM4`; a name of another form has the smallest size. */
export function sizeOf(instanceType: string) {
  const [, family = instanceType, times = "", word = "", memory = "2"] = /^([A-Z0-9]+)\.(\d*)([A-Z]+)(\d+)$/.exec(instanceType) ?? [];
  return { family, cpu: Number(times || 1) * (cores[word] ?? 1), memory: Number(memory), gpu: family.startsWith("G") ? 1 : 0 };
}

export function hasGpu(instanceType: string): boolean {
  return sizeOf(instanceType).gpu > 0;
}

/** The types of instance of a region that have a GPU. */
export function gpuTypesIn(region: string): string[] {
  return [...new Set(instanceTypesIn(region).flatMap(({ instanceType }) => (hasGpu(instanceType) ? [instanceType] : [])))];
}

interface DiskType {
  readonly usages: readonly DiskUsage[];
  /** The smallest and the largest size, GB. */
  readonly sizes: readonly [least: number, most: number];
  /** The least and the most of the additional throughput, MB/s. */
  readonly extraPerformance?: readonly [least: number, most: number];
  readonly zones: readonly number[];
}

const both = ["SYSTEM_DISK", "DATA_DISK"] as const;

const diskTypes: Readonly<Record<string, DiskType>> = {
  CLOUD_PREMIUM: { usages: both, sizes: [10, 32_000], zones: [1, 2, 3] },
  CLOUD_BSSD: { usages: both, sizes: [20, 32_000], zones: [1, 2, 3] },
  CLOUD_SSD: { usages: both, sizes: [20, 32_000], zones: [1, 2, 3] },
  CLOUD_HSSD: { usages: both, sizes: [20, 32_000], extraPerformance: [1, 350], zones: [1, 2, 3] },
  CLOUD_TSSD: { usages: ["DATA_DISK"], sizes: [20, 32_000], extraPerformance: [1, 850], zones: [1] },
};

/** The sizes of a system disk, GB. */
const systemDiskSizes = [20, 2048] as const;

/** The types of disk in all zones of a region, each for one usage. */
export function diskTypesIn(region: string) {
  return zonesOf(region).flatMap(({ zone }, index) =>
    Object.entries(diskTypes).flatMap(([diskType, { usages, sizes, extraPerformance = [], zones }]) => {
      if (!zones.includes(index + 1)) return [];
      return usages.map((usage) => {
        const [least, most] = usage === "SYSTEM_DISK" ? systemDiskSizes : sizes;
        return { zone, diskType, usage, least, most, extraPerformance };
      });
    }),
  );
}
