import { z } from "zod";
import { object, objects, operations, spelt } from "../operation/operation.ts";
import { createdTime, filters, listingErrors, offsetPaging, tags, totalCount } from "./shared.ts";

const { operation, publicApiOperation } = operations("compute", "2017-03-12");

export const describeZones = operation("DescribeZones", () => ({
  summary: "Lists the availability zones of a region.",
  input: {},
  output: {
    totalCount: z.int().optional().describe("Number of zones."),
    zoneSet: objects("The zones.", {
      zone: z.string().describe("Name of the zone, such as `eu-frankfurt-1`."),
      zoneName: z.string().optional().describe("Display name of the zone."),
      zoneId: z.string().optional().describe("Number of the zone, as text."),
      zoneState: z.string().describe("`AVAILABLE` when usable, otherwise `UNAVAILABLE`."),
    }),
  },
}));

const keyPair = z.object({
  keyId: z.string().describe("ID of the key pair, such as `skey-4c1d9e20`."),
  keyName: z.string().describe("Name of the key pair."),
  projectId: z.int().optional().describe("Project of the key pair."),
  description: z.string().optional().describe("Description of the key pair."),
  publicKey: z.string().optional().describe("The public key, in OpenSSH format."),
  associatedInstanceIds: z.array(z.string()).optional().describe("IDs of the instances that accept it."),
  createdTime: createdTime.optional(),
  tags: tags.optional().describe("Tags of the key pair."),
});

export const describeKeyPairs = operation("DescribeKeyPairs", () => ({
  summary: "Lists key pairs. Private keys are never returned.",
  input: {
    keyIds: z.array(z.string()).optional().describe("IDs, at most 100; not together with `Filters`."),
    filters: filters("Filters: `key-name`, `project-id`, `tag-key`, `tag:<key>`."),
    ...offsetPaging(z.int()),
  },
  output: { totalCount, keyPairSet: z.array(keyPair).describe("The key pairs.") },
  errors: listingErrors,
  pages: { by: "offset", items: "keyPairSet" },
}));

const instance = z.object({
  instanceId: z.string().describe("ID of the instance, such as `ins-77aa0b1c`."),
  instanceName: z.string().describe("Name of the instance."),
  instanceType: z.string().describe("Model, such as `SA2.MEDIUM4`."),
  instanceChargeType: z.string().describe("`POSTPAID_BY_HOUR`, or `PREPAID`."),
  instanceState: z.string().describe("State, such as `RUNNING`."),
  placement: object("Location of the instance.", { zone: z.string().describe("Availability zone.") }),
  imageId: z.string().describe("ID of its image."),
  osName: z.string().optional().describe("Operating system of that image."),
  systemDisk: object("Its system disk.", {
    diskType: z.string().describe("Kind of disk."),
    diskSize: z.int().describe("Size in GiB."),
  }).optional(),
  virtualPrivateCloud: object("The network it is in.", {
    vpcId: z.string().describe("Its VPC."),
    subnetId: z.string().describe("Its subnet."),
  }),
  privateIpAddresses: z.array(z.string()).describe("IPv4 addresses in its subnet."),
  publicIpAddresses: z.array(z.string()).optional().describe("Public IPv4 addresses."),
  ipv6Addresses: spelt("IPv6Addresses", z.array(z.string()).optional()).describe("IPv6 addresses in its subnet."),
  securityGroupIds: z.array(z.string()).describe("IDs of its security groups."),
  loginSettings: object("Log-in settings; passwords are never returned.", {
    keyIds: z.array(z.string()).optional().describe("IDs of the key pairs that it accepts."),
  }).optional(),
  createdTime,
  tags: tags.optional().describe("Tags of the instance."),
});

export const describeInstances = publicApiOperation("DescribeInstances", () => ({
  summary: "Lists instances.",
  input: {
    instanceIds: z.array(z.string()).optional().describe("IDs, at most 100; not together with `Filters`."),
    filters: filters(
      "Filters: `instance-id`, `instance-name` (a part suffices), `instance-state`, `instance-type`, `instance-charge-type`, `zone`, `vpc-id`, `subnet-id`, `security-group-id`, `image-id`, `private-ip-address`, `tag-key`, `tag-value`, `tag:<key>`.",
    ),
    ...offsetPaging(z.int()),
  },
  output: { totalCount, instanceSet: z.array(instance).describe("The instances.") },
  errors: listingErrors,
  pages: { by: "offset", items: "instanceSet" },
}));

const instanceTypeQuota = z.object({
  zone: z.string().describe("Availability zone."),
  instanceType: z.string().describe("Type of instance, such as `SA5.MEDIUM4`."),
  instanceChargeType: z.string().describe("How it is charged: `POSTPAID_BY_HOUR` or `PREPAID`."),
  networkCard: z.int().optional().describe("Kind of network card; 25: one of 25 Gbit/s."),
  cpu: z.int().describe("Cores."),
  memory: z.int().describe("Memory, GB."),
  instanceFamily: z.string().describe("Family, such as `SA5`."),
  typeName: z.string().describe("Display name of the family."),
  status: z.string().describe("`SELL`: to be had; `SOLD_OUT`: not now."),
  soldOutReason: z.string().optional().describe("Why it is not to be had."),
  instanceBandwidth: z.number().optional().describe("Private bandwidth, Gbit/s."),
  instancePps: z.int().optional().describe("The most packets per second, in units of 10,000."),
  storageBlockAmount: z.int().optional().describe("Number of local disks."),
  cpuType: z.string().optional().describe("Model of its processors."),
  gpu: z.int().describe("Number of GPUs."),
  fpga: z.int().optional().describe("Number of FPGAs."),
  remark: z.string().optional().describe("Remark."),
  gpuCount: z.number().optional().describe("Physical GPUs; below 1: a part of one."),
  frequency: z.string().optional().describe("Clock rate of its processors."),
  statusCategory: z.string().optional().describe("How many there are, such as `EnoughStock`."),
});

export const describeZoneInstanceConfigInfos = publicApiOperation("DescribeZoneInstanceConfigInfos", () => ({
  summary: "Lists the types of instance that zones have.",
  input: {
    filters: filters("Filters: `zone`, `instance-charge-type`, `instance-family`, `instance-type`."),
  },
  output: { instanceTypeQuotaSet: z.array(instanceTypeQuota).describe("The types, each for one zone and charge type.") },
  errors: ["InvalidZone.MismatchRegion"],
  remoteErrors: [
    "InvalidFilter",
    "InvalidFilterValue.LimitExceeded",
    "InvalidInstanceType.Malformed",
    "InvalidParameterValue.ZoneNotSupported",
    "ResourceInsufficient.AvailabilityZoneSoldOut",
    "UnsupportedOperation",
  ],
}));
