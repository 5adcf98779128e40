import { z } from "zod";
import { int, object, objects, operations, spelt, string, strings } from "../operation/operation.ts";
import { createdTime, filters, listingErrors, offsetPaging, tags, totalCount } from "./shared.ts";

const { operation, publicApiOperation } = operations("compute", "2017-03-12");

export const describeZones = operation("DescribeZones", () => ({
  summary: "Lists the availability zones of a region.",
  input: {},
  output: {
    totalCount: int("Number of zones.").optional(),
    zoneSet: objects("The zones.", {
      zone: string("Name of the zone, such as `eu-frankfurt-1`."),
      zoneName: string("Display name of the zone.").optional(),
      zoneId: string("Number of the zone, as text.").optional(),
      zoneState: string("`AVAILABLE` when usable, otherwise `UNAVAILABLE`."),
    }),
  },
}));

const keyPair = z.object({
  keyId: string("ID of the key pair, such as `skey-4c1d9e20`."),
  keyName: string("Name of the key pair."),
  projectId: int("Project of the key pair.").optional(),
  description: string("Description of the key pair.").optional(),
  publicKey: string("The public key, in OpenSSH format.").optional(),
  associatedInstanceIds: strings("IDs of the instances that accept it.").optional(),
  createdTime: createdTime.optional(),
  tags: tags.optional().describe("Tags of the key pair."),
});

export const describeKeyPairs = operation("DescribeKeyPairs", () => ({
  summary: "Lists key pairs. Private keys are never returned.",
  input: {
    keyIds: strings("IDs, at most 100; not together with `Filters`.").optional(),
    filters: filters("Filters: `key-name`, `project-id`, `tag-key`, `tag:<key>`."),
    ...offsetPaging(z.int()),
  },
  output: { totalCount, keyPairSet: z.array(keyPair).describe("The key pairs.") },
  errors: listingErrors,
  pages: { by: "offset", items: "keyPairSet" },
}));

const instance = z.object({
  instanceId: string("ID of the instance, such as `ins-77aa0b1c`."),
  instanceName: string("Name of the instance."),
  instanceType: string("Model, such as `SA2.MEDIUM4`."),
  instanceChargeType: string("`POSTPAID_BY_HOUR`, or `PREPAID`."),
  instanceState: string("State, such as `RUNNING`."),
  placement: object("Location of the instance.", { zone: string("Availability zone.") }),
  imageId: string("ID of its image."),
  osName: string("Operating system of that image.").optional(),
  systemDisk: object("Its system disk.", {
    diskType: string("Kind of disk."),
    diskSize: int("Size in GiB."),
  }).optional(),
  virtualPrivateCloud: object("The network it is in.", {
    vpcId: string("Its VPC."),
    subnetId: string("Its subnet."),
  }),
  privateIpAddresses: strings("IPv4 addresses in its subnet."),
  publicIpAddresses: strings("Public IPv4 addresses.").optional(),
  ipv6Addresses: spelt("IPv6Addresses", strings("IPv6 addresses in its subnet.").optional()),
  securityGroupIds: strings("IDs of its security groups."),
  loginSettings: object("Log-in settings; passwords are never returned.", {
    keyIds: strings("IDs of the key pairs that it accepts.").optional(),
  }).optional(),
  createdTime,
  tags: tags.optional().describe("Tags of the instance."),
});

export const describeInstances = publicApiOperation("DescribeInstances", () => ({
  summary: "Lists instances.",
  input: {
    instanceIds: strings("IDs, at most 100; not together with `Filters`.").optional(),
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
  zone: string("Availability zone."),
  instanceType: string("Type of instance, such as `SA5.MEDIUM4`."),
  instanceChargeType: string("How it is charged: `POSTPAID_BY_HOUR` or `PREPAID`."),
  networkCard: int("Kind of network card; 25: one of 25 Gbit/s.").optional(),
  cpu: int("Cores."),
  memory: int("Memory, GB."),
  instanceFamily: string("Family, such as `SA5`."),
  typeName: string("Display name of the family."),
  status: string("`SELL`: to be had; `SOLD_OUT`: not now."),
  soldOutReason: string("Why it is not to be had.").optional(),
  instanceBandwidth: z.number().optional().describe("Private bandwidth, Gbit/s."),
  instancePps: int("The most packets per second, in units of 10,000.").optional(),
  storageBlockAmount: int("Number of local disks.").optional(),
  cpuType: string("Model of its processors.").optional(),
  gpu: int("Number of GPUs."),
  fpga: int("Number of FPGAs.").optional(),
  remark: string("Remark.").optional(),
  gpuCount: z.number().optional().describe("Physical GPUs; below 1: a part of one."),
  frequency: string("Clock rate of its processors.").optional(),
  statusCategory: string("How many there are, such as `EnoughStock`.").optional(),
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
