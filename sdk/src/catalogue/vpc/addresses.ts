import { z } from "zod";
import { boolean, int, object, objects, operations, state, string, strings } from "../../operation/operation.ts";
import { createdTime, filters, listingErrors, offsetPaging, taggingErrors, tags, totalCount } from "../shared.ts";
import { clientToken } from "./vpcs.ts";

const { publicApiOperation } = operations("vpc", "2017-03-12");

export const addressStatuses = ["CREATING", "BINDING", "BIND", "UNBINDING", "UNBIND", "OFFLINING", "BIND_ENI"] as const;
export type AddressStatus = (typeof addressStatuses)[number];

/** Network operators. `BGP` has the routes of all of them. */
export const serviceProviders = ["BGP", "CMCC", "CTCC", "CUCC"] as const;

export const chargeTypes = [
  "TRAFFIC_POSTPAID_BY_HOUR",
  "BANDWIDTH_POSTPAID_BY_HOUR",
  "BANDWIDTH_PREPAID_BY_MONTH",
  "BANDWIDTH_PACKAGE",
] as const;
export type ChargeType = (typeof chargeTypes)[number];

const addressId = string("ID of the elastic IP, such as `eip-3f8a0c1e`.");
const addressName = string("Name, at most 128 letters, digits, `-` and `_`.");
const taskId = string("ID of the task.").optional();
const bandwidthOut = int("Bandwidth to the internet in Mbps: 1 to 100, or 1 to 200 if prepaid; 1 unless given.");
const chargeType = z
  .enum(chargeTypes)
  .describe("`TRAFFIC_POSTPAID_BY_HOUR`, the default: by traffic. The others: by bandwidth, hourly, prepaid by month, or in a package.");
const prepaid = object("The prepaid period. Required with `BANDWIDTH_PREPAID_BY_MONTH`.", {
  period: int("Months."),
  autoRenewFlag: int("0: renewed by hand, with a notice. 1: renewed automatically. 2: neither.").optional(),
});

export const allocateAddresses = publicApiOperation("AllocateAddresses", () => ({
  summary: "Allocates elastic IPs.",
  input: {
    addressCount: int("Number of elastic IPs; 1 unless given.").optional(),
    internetServiceProvider: z.enum(serviceProviders).optional().describe("Network operator; `BGP` unless given."),
    internetChargeType: chargeType.optional(),
    internetMaxBandwidthOut: bandwidthOut.optional(),
    addressChargePrepaid: prepaid.optional(),
    addressName: addressName.optional(),
    tags: tags.optional().describe("Tags of the elastic IPs, at most 50."),
    clientToken: clientToken.optional(),
  },
  output: { addressSet: z.array(addressId).describe("IDs of the elastic IPs."), taskId },
  errors: [
    "AddressQuotaLimitExceeded",
    "InvalidParameterValue.BandwidthOutOfRange",
    "InvalidParameterValue.Combination",
    "InvalidParameterValue.Malformed",
    "InvalidParameterValue.Range",
    "UnsupportedOperation.BandwidthPackageIdNotSupported",
    ...taggingErrors,
  ],
}));

export const describeAddresses = publicApiOperation("DescribeAddresses", () => ({
  summary: "Lists elastic IPs.",
  input: {
    addressIds: strings("IDs, at most 100; not together with `Filters`.").optional(),
    filters: filters(
      "Filters: `address-id`, `address-name`, `address-ip`, `address-status`, `instance-id`, `instance-type`, `tag-key`, `tag:<key>`.",
    ),
    ...offsetPaging(z.int()),
  },
  output: {
    totalCount,
    addressSet: objects("The elastic IPs.", {
      addressId,
      addressName: string("Name of the elastic IP."),
      addressStatus: state(addressStatuses).describe("State of the elastic IP."),
      addressIp: string("The IPv4 address."),
      instanceId: string("ID of the machine or gateway that it is bound to; empty: none.").optional(),
      instanceType: string("Type of the resource that it is bound to, such as `NAT`.").optional(),
      addressType: string("Type of the elastic IP, such as `EIP`.").optional(),
      internetServiceProvider: string("Network operator."),
      bandwidth: int("Bandwidth to the internet in Mbps.").optional(),
      internetChargeType: string("How it is billed.").optional(),
      isArrears: boolean("Whether it is suspended for arrears.").optional(),
      isBlocked: boolean("Whether it is blocked.").optional(),
      cascadeRelease: boolean("Whether it is released as soon as it is unbound.").optional(),
      deadlineDate: string("End of the prepaid period.").optional(),
      renewFlag: string("What follows the prepaid period.").optional(),
      createdTime,
      tagSet: tags.describe("Tags of the elastic IP."),
    }),
  },
  errors: listingErrors,
  pages: { by: "offset", items: "addressSet" },
}));

export const modifyAddressAttribute = publicApiOperation("ModifyAddressAttribute", () => ({
  summary: "Renames an elastic IP.",
  input: { addressId, addressName: addressName.optional() },
  errors: ["ResourceNotFound", "InvalidParameterValue.Malformed"],
  repeatable: true,
}));

export const modifyAddressesBandwidth = publicApiOperation("ModifyAddressesBandwidth", () => ({
  summary: "Changes the bandwidth of elastic IPs.",
  input: { addressIds: z.array(addressId).describe("IDs of the elastic IPs."), internetMaxBandwidthOut: bandwidthOut },
  output: { taskId },
  errors: ["ResourceNotFound", "InvalidParameterValue.BandwidthOutOfRange"],
  repeatable: true,
}));

export const modifyAddressInternetChargeType = publicApiOperation("ModifyAddressInternetChargeType", () => ({
  summary: "Changes how an elastic IP is billed: by traffic, or prepaid by month. An elastic IP can be changed twice.",
  input: {
    addressId,
    internetChargeType: chargeType,
    internetMaxBandwidthOut: bandwidthOut,
    addressChargePrepaid: prepaid.optional(),
  },
  errors: [
    "ResourceNotFound",
    "InvalidParameterValue.BandwidthOutOfRange",
    "InvalidParameterValue.Combination",
    "InvalidParameterValue.InternetChargeTypeNotChanged",
    "LimitExceeded.ModifyAddressInternetChargeTypeQuota",
    "UnsupportedOperation.NatNotSupported",
  ],
}));

export const releaseAddresses = publicApiOperation("ReleaseAddresses", () => ({
  summary: "Releases elastic IPs, which must not be bound. It cannot be undone.",
  input: { addressIds: z.array(addressId).describe("IDs of the elastic IPs.") },
  output: { taskId },
  errors: ["ResourceNotFound", "UnsupportedOperation.AddressStatusNotPermit"],
  remoteErrors: ["LimitExceeded.AccountReturnQuota"],
}));
