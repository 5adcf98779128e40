import { z } from "zod";
import { boolean, int, objects, operations, spelt, string, strings } from "../operation/operation.ts";

const { publicApiOperation } = operations("disk", "2017-03-12");

export const diskUsages = ["SYSTEM_DISK", "DATA_DISK"] as const;
export type DiskUsage = (typeof diskUsages)[number];

/** What `InquiryType` asks for: the disks alone, or each with the families of instances that it can be attached to. */
const inquiryTypes = ["INQUIRY_CBS_CONFIG", "INQUIRY_CVM_CONFIG"] as const;

export const describeDiskConfigQuota = publicApiOperation("DescribeDiskConfigQuota", () => ({
  summary: "Lists the types of disk that a zone has, with their sizes.",
  input: {
    inquiryType: z.enum(inquiryTypes).describe("`INQUIRY_CBS_CONFIG`: the disks; `INQUIRY_CVM_CONFIG`: with the instances they fit."),
    zones: strings("Availability zones; all of the region unless given.").optional(),
    diskChargeType: z.enum(["PREPAID", "POSTPAID_BY_HOUR"]).optional().describe("How it is charged; both unless given."),
    diskTypes: strings("Types of disk; all unless given.").optional(),
    diskUsage: z.enum(diskUsages).optional().describe("Usage of the disk; both unless given."),
    instanceFamilies: strings("Families of instances, such as `SA5`; all unless given.").optional(),
    cpu: spelt("CPU", z.int().min(1).optional().describe("Cores of the instance.")),
    memory: z.int().min(1).optional().describe("Memory of the instance, GB."),
  },
  output: {
    diskConfigSet: objects("The types, each for one zone, charge type and usage.", {
      available: boolean("Whether new disks can be had."),
      diskChargeType: string("How it is charged: `POSTPAID_BY_HOUR` or `PREPAID`."),
      zone: string("Availability zone."),
      instanceFamily: string("Family of instances that it can be attached to; for `INQUIRY_CVM_CONFIG`.").optional(),
      diskType: string("Type of the disk, such as `CLOUD_PREMIUM`."),
      stepSize: int("Sizes are multiples of it, GB.").optional(),
      extraPerformanceRange: z.array(z.int()).optional().describe("Least and most of the additional throughput, MB/s."),
      deviceClass: string("Model of instance; for `INQUIRY_CVM_CONFIG`.").optional(),
      diskUsage: z.enum(diskUsages).describe("Usage of the disk: `SYSTEM_DISK` or `DATA_DISK`."),
      minDiskSize: int("The smallest size, GB."),
      maxDiskSize: int("The largest size, GB."),
    }),
  },
  errors: ["InvalidParameterValue"],
  remoteErrors: ["UnsupportedOperation"],
}));
