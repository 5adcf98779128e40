import { z } from "zod";
import { operations, spelt } from "../operation/operation.ts";

const { publicApiOperation } = operations("disk", "2017-03-12");

export const diskUsages = ["SYSTEM_DISK", "DATA_DISK"] as const;
export type DiskUsage = (typeof diskUsages)[number];

/** What `InquiryType` asks for: the disks alone, or each with the families of instances that it can be attached to. */
const inquiryTypes = ["INQUIRY_CBS_CONFIG", "INQUIRY_CVM_CONFIG"] as const;

const diskConfig = z.object({
  available: z.boolean().describe("Whether new disks can be had."),
  diskChargeType: z.string().describe("How it is charged: `POSTPAID_BY_HOUR` or `PREPAID`."),
  zone: z.string().describe("Availability zone."),
  instanceFamily: z.string().optional().describe("Family of instances that it can be attached to; for `INQUIRY_CVM_CONFIG`."),
  diskType: z.string().describe("Type of the disk, such as `CLOUD_PREMIUM`."),
  stepSize: z.int().optional().describe("Sizes are multiples of it, GB."),
  extraPerformanceRange: z.array(z.int()).optional().describe("Least and most of the additional throughput, MB/s."),
  deviceClass: z.string().optional().describe("Model of instance; for `INQUIRY_CVM_CONFIG`."),
  diskUsage: z.enum(diskUsages).describe("Usage of the disk: `SYSTEM_DISK` or `DATA_DISK`."),
  minDiskSize: z.int().describe("The smallest size, GB."),
  maxDiskSize: z.int().describe("The largest size, GB."),
});

export const describeDiskConfigQuota = publicApiOperation("DescribeDiskConfigQuota", () => ({
  summary: "Lists the types of disk that a zone has, with their sizes.",
  input: {
    inquiryType: z.enum(inquiryTypes).describe("`INQUIRY_CBS_CONFIG`: the disks; `INQUIRY_CVM_CONFIG`: with the instances they fit."),
    zones: z.array(z.string()).optional().describe("Availability zones; all of the region unless given."),
    diskChargeType: z.enum(["PREPAID", "POSTPAID_BY_HOUR"]).optional().describe("How it is charged; both unless given."),
    diskTypes: z.array(z.string()).optional().describe("Types of disk; all unless given."),
    diskUsage: z.enum(diskUsages).optional().describe("Usage of the disk; both unless given."),
    instanceFamilies: z.array(z.string()).optional().describe("Families of instances, such as `SA5`; all unless given."),
    cpu: spelt("CPU", z.int().min(1).optional().describe("Cores of the instance.")),
    memory: z.int().min(1).optional().describe("Memory of the instance, GB."),
  },
  output: { diskConfigSet: z.array(diskConfig).describe("The types, each for one zone, charge type and usage.") },
  errors: ["InvalidParameterValue"],
  remoteErrors: ["UnsupportedOperation"],
}));
