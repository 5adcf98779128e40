import { z } from "zod";
import { once, operations, spelt } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, taggingErrors, tags } from "../shared.ts";
import { addressType, createdTime, flag, totalCount, vpcId } from "./fields.ts";

const operation = operations("vpc", "2017-03-12");

const vpc = once(() =>
  z.object({
    vpcId,
    vpcName: z.string().describe("Name of the VPC."),
    cidrBlock: z.string().describe("IPv4 CIDR block of the VPC."),
    ipv6CidrBlock: z.string().optional().describe("IPv6 CIDR block of the VPC, a /56; absent if none is assigned."),
    ipv6CidrBlockSet: z
      .array(
        z.object({
          ipv6CidrBlock: spelt("IPv6CidrBlock", z.string()).describe("The CIDR block, a /56."),
          ispType: spelt("ISPType", z.string()).describe("Network operator."),
          addressType: z.string().describe("`GUA`: global unicast. `ULA`: unique local."),
        }),
      )
      .optional()
      .describe("The IPv6 CIDR block with its attributes; empty if none is assigned."),
    isDefault: z.boolean().describe("Whether it is the account's default VPC."),
    enableMulticast: z.boolean().optional().describe("Whether multicast is on."),
    dnsServerSet: z.array(z.string()).describe("Addresses of the DNS servers."),
    domainName: z.string().optional().describe("DHCP domain name; empty if none was given."),
    dhcpOptionsId: z.string().optional().describe("ID of its DHCP options; empty: the default ones."),
    enableDhcp: z.boolean().optional().describe("Whether DHCP is on."),
    assistantCidrSet: z
      .array(
        z.object({
          vpcId,
          cidrBlock: z.string().describe("The CIDR block."),
          assistantType: z.int().describe("Type of the CIDR block: 0 is a common CIDR block, 1 a CIDR block for containers."),
        }),
      )
      .optional()
      .describe("More IPv4 CIDR blocks of the VPC; always empty on the emulator."),
    enableRouteVpcPublish: z
      .boolean()
      .optional()
      .describe("Whether IPv4 routes are published by the VPC's CIDR block rather than by subnet."),
    enableRouteVpcPublishIpv6: z.boolean().describe("Whether IPv6 routes are published by the VPC's CIDR block rather than by subnet."),
    createdTime,
    tagSet: tags.describe("Tags of the VPC."),
  }),
);

const publishIpv4 = z
  .boolean()
  .describe("True: IPv4 routes are published by the VPC's CIDR block in a cloud network. False, the default: by subnet.");
const publishIpv6 = z.boolean().describe("True: CIDR route publish, needs allow-listing. False, the default: subnet route publish.");
const dnsServers = z
  .array(z.string())
  .describe("IPv4 addresses of 1 to 4 DNS servers, the first is the primary one; the platform's unless given.");
const domainName = z.string().describe("DHCP domain name, at most 60 characters.");

export const createVpc = operation("CreateVpc", () => ({
  summary: "Creates a VPC, with its main route table.",
  input: {
    vpcName: z.string().describe("Name, 1 to 60 characters."),
    cidrBlock: z
      .string()
      .describe(
        "IPv4 CIDR block inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, a /12 to /28; must not overlap another VPC of the region.",
      ),
    enableMulticast: flag("Whether multicast is on; `false` unless given").optional(),
    dnsServers: dnsServers.optional(),
    domainName: domainName.optional(),
    tags: tags.optional().describe("Tags of the VPC, at most 50."),
    enableRouteVpcPublish: publishIpv4.optional(),
    enableRouteVpcPublishIpv6: publishIpv6.optional(),
  },
  output: { vpc: vpc().describe("The VPC.") },
  errors: ["InvalidParameter.VpcCidrConflict", "InvalidParameterValue.Malformed", "InvalidParameterValue.LimitExceeded", ...taggingErrors],
  effect: "write",
  source: "specification",
}));

export const describeVpcs = operation("DescribeVpcs", () => ({
  summary: "Lists VPCs.",
  input: {
    vpcIds: z.array(z.string()).optional().describe("IDs, at most 100; not together with `Filters`."),
    filters: filters
      .optional()
      .describe("Filters: `vpc-id`, `vpc-name` (a part suffices), `is-default`, `cidr-block`, `tag-key`, `tag:<key>`."),
    ...offsetPaging(z.string()),
  },
  output: { totalCount, vpcSet: z.array(vpc()).describe("The VPCs.") },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "vpcSet" },
  source: "specification",
}));

export const modifyVpcAttribute = operation("ModifyVpcAttribute", () => ({
  summary: "Changes attributes of a VPC; those not given remain unchanged.",
  input: {
    vpcId,
    vpcName: z.string().optional().describe("Name, 1 to 60 characters."),
    enableMulticast: flag("Whether multicast is on").optional(),
    dnsServers: dnsServers
      .optional()
      .describe("IPv4 addresses of 1 to 4 DNS servers, the first is the primary one. The list cannot be emptied."),
    domainName: domainName.optional(),
    enableRouteVpcPublish: publishIpv4.optional(),
    enableRouteVpcPublishIpv6: publishIpv6.optional(),
  },
  output: {},
  errors: [
    "ResourceNotFound",
    "InvalidParameterValue.Malformed",
    "InvalidParameterValue.LimitExceeded",
    "InvalidParameterValue.TooLong",
    "InvalidParameterValue.Empty",
  ],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const deleteVpc = operation("DeleteVpc", () => ({
  summary: "Deletes a VPC with its main route table. It must have no subnets, no other route tables and no addresses in use.",
  input: { vpcId },
  output: {},
  errors: ["ResourceNotFound", "ResourceInUse"],
  effect: "write",
  source: "specification",
}));

export const assignIpv6CidrBlock = operation("AssignIpv6CidrBlock", () => ({
  summary: "Assigns an IPv6 block to a VPC, a /56 that the platform chooses. A VPC has one block.",
  input: { vpcId, addressType: addressType.optional().describe("`GUA`, the default: global unicast. `ULA`: unique local.") },
  output: {
    ipv6CidrBlock: z.string().describe("The block, a /56."),
    addressType: z.string().optional().describe("`GUA` or `ULA`."),
  },
  errors: ["ResourceNotFound", "LimitExceeded.CidrBlock"],
  remoteErrors: ["UnsupportedOperation.ResourceProcessing"],
  effect: "write",
  source: "specification",
}));

export const unassignIpv6CidrBlock = operation("UnassignIpv6CidrBlock", () => ({
  summary: "Unassigns the IPv6 block of a VPC. No subnet may have a part of it.",
  input: { vpcId, ipv6CidrBlock: z.string().optional().describe("The block; the VPC's only one unless given.") },
  output: {},
  errors: ["ResourceNotFound", "ResourceInUse", "InvalidParameterValue.Malformed"],
  remoteErrors: ["UnsupportedOperation.ResourceProcessing"],
  effect: "write",
  source: "public-api",
}));
