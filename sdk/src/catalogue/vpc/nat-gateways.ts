import { z } from "zod";
import { boolean, int, objects, once, operations, state, string, strings } from "../../operation/operation.ts";
import { createdTime, filters, listingErrors, offsetPaging, taggingErrors, tags, totalCount } from "../shared.ts";
import { vpcId } from "./vpcs.ts";

const { publicApiOperation } = operations("vpc", "2017-03-12");

export const natGatewayStates = ["PENDING", "AVAILABLE", "UPDATING", "DELETING", "PENDFAILURE", "DELETEFAILURE", "DENIED"] as const;
export type NatGatewayState = (typeof natGatewayStates)[number];

/** The bandwidths to the internet that a gateway can have, in Mbps. */
export const natBandwidths = [20, 50, 100, 200, 500, 1000, 2000, 5000] as const;
/** How many connections a gateway can hold at the same time. */
export const natConnections = [1_000_000, 3_000_000, 10_000_000] as const;

const natGatewayId = string("ID of the NAT gateway, such as `nat-3f8a0c1e`.");
const natGatewayName = string("Name, 1 to 60 characters.");
const publicIpAddresses = strings("IPv4 addresses of elastic IPs (BGP, billed by traffic), which are bound to it.");
const bandwidthOut = int(`Bandwidth to the internet in Mbps: ${natBandwidths.join(", ")}; 100 unless given.`);
const connections = int(`The most connections at the same time: ${natConnections.join(", ")}; 1000000 unless given.`);

const natGateway = once(() =>
  z.object({
    natGatewayId,
    natGatewayName: string("Name of the NAT gateway."),
    state: state(natGatewayStates).describe("State of the NAT gateway. It can only be changed while it is `AVAILABLE`."),
    networkState: string("`AVAILABLE`, `UNAVAILABLE`, or `INSUFFICIENT` in arrears.").optional(),
    vpcId,
    zone: string("Availability zone of the NAT gateway."),
    internetMaxBandwidthOut: int("Bandwidth to the internet in Mbps."),
    maxConcurrentConnection: int("The most connections at the same time."),
    publicIpAddressSet: objects("Its elastic IPs.", {
      addressId: string("ID of the elastic IP."),
      publicIpAddress: string("The IPv4 address."),
      isBlocked: boolean("Whether it is blocked.").optional(),
    }),
    natProductVersion: int("1: classic. 2: standard.").optional(),
    createdTime,
    tagSet: tags.describe("Tags of the NAT gateway."),
  }),
);

export const addressErrors = [
  "ResourceInUse.Address",
  "LimitExceeded.PublicIpAddressPerNatGatewayLimitExceeded",
  "UnsupportedOperation.PublicIpAddressIsNotExisted",
  "UnsupportedOperation.PublicIpAddressIsNotBGPIp",
  "UnsupportedOperation.PublicIpAddressNotBilledByTraffic",
] as const;

export const createNatGateway = publicApiOperation("CreateNatGateway", () => ({
  summary: "Creates a NAT gateway in a VPC, with elastic IPs.",
  input: {
    natGatewayName,
    vpcId,
    publicIpAddresses: publicIpAddresses.optional(),
    zone: string("Availability zone; one of the region unless given.").optional(),
    internetMaxBandwidthOut: bandwidthOut.optional(),
    maxConcurrentConnection: connections.optional(),
    tags: tags.optional().describe("Tags of the NAT gateway, at most 50."),
  },
  output: { totalCount, natGatewaySet: z.array(natGateway()).describe("The NAT gateway.") },
  errors: [
    ...addressErrors,
    "ResourceNotFound",
    "InvalidParameterValue.Range",
    "LimitExceeded.NatGatewayPerVpcLimitExceeded",
    "UnsupportedOperation.NotSupportZone",
    ...taggingErrors,
  ],
}));

export const describeNatGateways = publicApiOperation("DescribeNatGateways", () => ({
  summary: "Lists NAT gateways.",
  input: {
    natGatewayIds: strings("IDs, at most 100; not together with `Filters`.").optional(),
    filters: filters("Filters: `nat-gateway-id`, `vpc-id`, `nat-gateway-name` (a part suffices), `nat-state`, `tag-key`, `tag:<key>`."),
    ...offsetPaging(z.int()),
  },
  output: { totalCount, natGatewaySet: z.array(natGateway()).describe("The NAT gateways.") },
  errors: listingErrors,
  pages: { by: "offset", items: "natGatewaySet" },
}));

export const modifyNatGatewayAttribute = publicApiOperation("ModifyNatGatewayAttribute", () => ({
  summary: "Changes the name and the bandwidth of a NAT gateway; those not given remain unchanged.",
  input: { natGatewayId, natGatewayName: natGatewayName.optional(), internetMaxBandwidthOut: bandwidthOut.optional() },
  errors: [
    "ResourceNotFound",
    "InvalidParameterValue.Range",
    "InvalidParameterValue.TooLong",
    "InvalidParameterValue.Empty",
    "UnsupportedOperation.InvalidState",
  ],
  repeatable: true,
}));

export const resetNatGatewayConnection = publicApiOperation("ResetNatGatewayConnection", () => ({
  summary: "Changes how many connections a NAT gateway can hold at the same time.",
  input: { natGatewayId, maxConcurrentConnection: connections },
  errors: ["ResourceNotFound", "InvalidParameterValue.Range", "UnsupportedOperation.NatGatewayIsBusy"],
  repeatable: true,
}));

export const associateNatGatewayAddress = publicApiOperation("AssociateNatGatewayAddress", () => ({
  summary: "Binds elastic IPs to a NAT gateway.",
  input: { natGatewayId, publicIpAddresses: publicIpAddresses.optional() },
  errors: [...addressErrors, "ResourceNotFound", "UnsupportedOperation.InvalidState"],
}));

export const disassociateNatGatewayAddress = publicApiOperation("DisassociateNatGatewayAddress", () => ({
  summary: "Unbinds elastic IPs from a NAT gateway. It keeps one at least.",
  input: { natGatewayId, publicIpAddresses },
  errors: [
    "ResourceNotFound",
    "UnsupportedOperation.InvalidState",
    "UnsupportedOperation.PublicIpAddressIsNotExisted",
    "UnsupportedOperation.PublicIpAddressDisassociate",
  ],
}));

export const deleteNatGateway = publicApiOperation("DeleteNatGateway", () => ({
  summary: "Deletes a NAT gateway, with the routes that lead to it. Its elastic IPs are unbound.",
  input: { natGatewayId },
  errors: ["ResourceNotFound", "UnsupportedOperation.MutexOperationTaskRunning"],
  remoteErrors: ["ResourceInUse", "UnsupportedOperation.NatGatewayHaveRoute", "UnsupportedOperation.DeletionProtectionEnabled"],
}));
