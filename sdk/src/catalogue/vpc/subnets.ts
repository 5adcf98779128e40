import { z } from "zod";
import { once, operations } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, taggingErrors, tags } from "../shared.ts";
import { createdTime, flag, routeTableId, subnetId, totalCount, vpcId } from "./fields.ts";

const operation = operations("vpc", "2017-03-12");

const subnet = once(() =>
  z.object({
    vpcId,
    subnetId,
    subnetName: z.string().describe("Name of the subnet."),
    cidrBlock: z.string().describe("IPv4 CIDR block of the subnet."),
    ipv6SubnetCidrBlock: z.string().optional().describe("IPv6 CIDR block of the subnet, a /64; absent if none is assigned."),
    ipv6CidrBlock: z.string().optional().describe("The same as `Ipv6SubnetCidrBlock`, as the public API names it."),
    isDefault: z.boolean().optional().describe("Whether it is the account's default subnet."),
    enableBroadcast: z.boolean().optional().describe("Whether broadcast is on."),
    zone: z.string().describe("Availability zone of the subnet."),
    routeTableId: routeTableId.optional(),
    networkAclId: z.string().optional().describe("ID of its network ACL; empty: none."),
    isRemoteVpcSnat: z.boolean().optional().describe("Whether it is a pool of addresses for the SNAT of another VPC."),
    cdcId: z.string().optional().describe("ID of the dedicated host cluster of the subnet; empty: none."),
    isCdcSubnet: z.int().optional().describe("1: it is on a dedicated host cluster. 0: it is not."),
    createdTime,
    availableIpAddressCount: z.int().describe("Number of free IPv4 addresses."),
    totalIpAddressCount: z
      .int()
      .optional()
      .describe("Number of usable IPv4 addresses: all but those of the network, the gateway and broadcasts."),
    tagSet: tags.describe("Tags of the subnet."),
  }),
);

export const createSubnet = operation("CreateSubnet", () => ({
  summary: "Creates a subnet, which has a part of the VPC's CIDR block in one zone.",
  input: {
    vpcId,
    subnetName: z.string().describe("Name, 1 to 60 characters."),
    cidrBlock: z.string().describe("IPv4 CIDR block inside the VPC's, /29 or larger; must not overlap another subnet of the VPC."),
    zone: z.string().describe("Availability zone, such as `eu-frankfurt-1`."),
    tags: tags.optional().describe("Tags of the subnet, at most 50."),
  },
  output: { subnet: subnet().describe("The subnet.") },
  errors: [
    "ResourceNotFound",
    "InvalidParameter.SubnetConflict",
    "InvalidParameterValue.Malformed",
    "InvalidParameterValue.SubnetRange",
    "InvalidZone.ZoneNotAvailable",
    ...taggingErrors,
  ],
  effect: "write",
  source: "specification",
}));

export const describeSubnets = operation("DescribeSubnets", () => ({
  summary: "Lists subnets.",
  input: {
    subnetIds: z.array(z.string()).optional().describe("IDs, at most 100; not together with `Filters`."),
    filters: filters
      .optional()
      .describe(
        "Filters: `subnet-id`, `vpc-id`, `subnet-name` (a part suffices), `cidr-block`, `ipv6-cidr-block`, `zone`, `is-default`, `tag-key`, `tag:<key>`.",
      ),
    ...offsetPaging(z.string()),
    maxResults: z
      .int()
      .optional()
      .describe("For pages by token instead of `Offset` and `Limit`: the most subnets to return, 1 to 100; 100 unless given."),
    nextToken: z
      .string()
      .optional()
      .describe("Token of the next page, from the response with the previous page; not together with `Offset` and `Limit`."),
  },
  output: {
    totalCount,
    subnetSet: z.array(subnet()).describe("The subnets."),
    nextToken: z.string().optional().describe("Token of the next page; absent with the last page."),
  },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "subnetSet" },
  source: "specification",
}));

export const modifySubnetAttribute = operation("ModifySubnetAttribute", () => ({
  summary: "Changes attributes of a subnet; those not given remain unchanged.",
  input: {
    subnetId,
    subnetName: z.string().optional().describe("Name, 1 to 60 characters."),
    enableBroadcast: flag("Whether broadcast is on").optional(),
  },
  output: {},
  errors: ["ResourceNotFound", "InvalidParameterValue.TooLong", "InvalidParameterValue.Empty"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const deleteSubnet = operation("DeleteSubnet", () => ({
  summary: "Deletes a subnet. No resource may have addresses of it.",
  input: { subnetId },
  output: {},
  errors: ["ResourceNotFound", "ResourceInUse"],
  effect: "write",
  source: "specification",
}));

const ipv6SubnetCidrBlock = z.string().describe("IPv6 CIDR block of the subnet, a /64 inside the VPC's block.");
const ipv6Errors = [
  "ResourceNotFound",
  "InvalidParameterValue.Malformed",
  "InvalidParameterValue.Duplicate",
  "InvalidParameterValue.Empty",
] as const;

export const assignIpv6SubnetCidrBlock = operation("AssignIpv6SubnetCidrBlock", () => ({
  summary:
    "Assigns IPv6 CIDR blocks to subnets of a VPC, each a /64 inside the VPC's block, to all subnets of the call or to none. A subnet has one CIDR block.",
  input: {
    vpcId,
    ipv6SubnetCidrBlocks: z.array(z.object({ subnetId, ipv6SubnetCidrBlock })).describe("The subnets and their CIDR blocks."),
    clientToken: z
      .string()
      .optional()
      .describe(
        "A text of at most 64 ASCII characters. The same call with the same token is only carried out once, and has the same answer.",
      ),
  },
  output: {
    ipv6SubnetCidrBlockSet: z
      .array(
        z.object({
          subnetId,
          ipv6SubnetCidrBlock,
          ipv6CidrBlock: z.string().optional().describe("The same as `Ipv6SubnetCidrBlock`, as the public API names it."),
        }),
      )
      .describe("The assigned CIDR blocks."),
  },
  errors: [...ipv6Errors, "InvalidParameterValue.SubnetRange", "InvalidParameter.SubnetConflict", "LimitExceeded.SubnetCidrBlock"],
  effect: "write",
  source: "specification",
}));

export const unassignIpv6SubnetCidrBlock = operation("UnassignIpv6SubnetCidrBlock", () => ({
  summary:
    "Unassigns the IPv6 CIDR blocks of subnets of a VPC, of all subnets of the call or of none. No resource may have addresses of them.",
  input: {
    vpcId,
    ipv6SubnetCidrBlocks: z
      .array(z.object({ subnetId, ipv6SubnetCidrBlock: ipv6SubnetCidrBlock.optional() }))
      .describe("The subnets. A CIDR block that is given is checked against the subnet's."),
  },
  output: {},
  errors: [...ipv6Errors, "ResourceInUse"],
  effect: "write",
  source: "public-api",
}));
