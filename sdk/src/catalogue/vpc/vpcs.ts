import { z } from "zod";
import { boolean, int, objects, once, operations, spelt, string, strings } from "../../operation/operation.ts";
import { createdTime, filters, listingErrors, offsetPaging, taggingErrors, tags, totalCount } from "../shared.ts";

/** Fields of several operations of the VPC service. */

export const vpcId = string("ID of the VPC, such as `vpc-3f8a0c1e`.");
export const subnetId = string("ID of the subnet, such as `subnet-5d20b7c4`.");
export const routeTableId = string("ID of the route table, such as `rtb-91c3e07a`.");
export const securityGroupId = string("ID of the security group, such as `sg-0b6e4f2d`.");
export const clientToken = string(
  "A text of at most 64 ASCII characters. The same call with the same token is only carried out once, and has the same answer.",
);
const flag = (what: string) => z.enum(["true", "false"]).describe(`${what}: \`true\` or \`false\`, as text.`);
const addressType = z.enum(["GUA", "ULA"]);

const { operation, publicApiOperation } = operations("vpc", "2017-03-12");

const vpc = once(() =>
  z.object({
    vpcId,
    vpcName: string("Name of the VPC."),
    cidrBlock: string("IPv4 CIDR block of the VPC."),
    ipv6CidrBlock: string("IPv6 CIDR block of the VPC, a /56; absent if none is assigned.").optional(),
    ipv6CidrBlockSet: objects("The IPv6 CIDR block with its attributes; empty if none is assigned.", {
      ipv6CidrBlock: spelt("IPv6CidrBlock", string("The CIDR block, a /56.")),
      ispType: spelt("ISPType", string("Network operator.")),
      addressType: string("`GUA`: global unicast. `ULA`: unique local."),
    }).optional(),
    isDefault: boolean("Whether it is the account's default VPC."),
    enableMulticast: boolean("Whether multicast is on.").optional(),
    dnsServerSet: strings("Addresses of the DNS servers."),
    domainName: string("DHCP domain name; empty if none was given.").optional(),
    dhcpOptionsId: string("ID of its DHCP options; empty: the default ones.").optional(),
    enableDhcp: boolean("Whether DHCP is on.").optional(),
    assistantCidrSet: objects("More IPv4 CIDR blocks of the VPC; always empty on the emulator.", {
      vpcId,
      cidrBlock: string("The CIDR block."),
      assistantType: int("Type of the CIDR block: 0 is a common CIDR block, 1 a CIDR block for containers."),
    }).optional(),
    enableRouteVpcPublish: boolean("Whether IPv4 routes are published by the VPC's CIDR block rather than by subnet.").optional(),
    enableRouteVpcPublishIpv6: boolean("Whether IPv6 routes are published by the VPC's CIDR block rather than by subnet."),
    createdTime,
    tagSet: tags.describe("Tags of the VPC."),
  }),
);

const publishIpv4 = boolean("True: IPv4 routes are published by the VPC's CIDR block in a cloud network. False, the default: by subnet.");
const publishIpv6 = boolean("True: CIDR route publish, needs allow-listing. False, the default: subnet route publish.");
const dnsServers = strings("IPv4 addresses of 1 to 4 DNS servers, the first is the primary one; the platform's unless given.");
const domainName = string("DHCP domain name, at most 60 characters.");

export const createVpc = operation("CreateVpc", () => ({
  summary: "Creates a VPC, with its main route table.",
  input: {
    vpcName: string("Name, 1 to 60 characters."),
    cidrBlock: string(
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
}));

export const describeVpcs = operation("DescribeVpcs", () => ({
  summary: "Lists VPCs.",
  input: {
    vpcIds: strings("IDs, at most 100; not together with `Filters`.").optional(),
    filters: filters("Filters: `vpc-id`, `vpc-name` (a part suffices), `is-default`, `cidr-block`, `tag-key`, `tag:<key>`."),
    ...offsetPaging(z.string()),
  },
  output: { totalCount, vpcSet: z.array(vpc()).describe("The VPCs.") },
  errors: listingErrors,
  pages: { by: "offset", items: "vpcSet" },
}));

export const modifyVpcAttribute = publicApiOperation("ModifyVpcAttribute", () => ({
  summary: "Changes attributes of a VPC; those not given remain unchanged.",
  input: {
    vpcId,
    vpcName: string("Name, 1 to 60 characters.").optional(),
    enableMulticast: flag("Whether multicast is on").optional(),
    dnsServers: dnsServers
      .optional()
      .describe("IPv4 addresses of 1 to 4 DNS servers, the first is the primary one. The list cannot be emptied."),
    domainName: domainName.optional(),
    enableRouteVpcPublish: publishIpv4.optional(),
    enableRouteVpcPublishIpv6: publishIpv6.optional(),
  },
  errors: [
    "ResourceNotFound",
    "InvalidParameterValue.Malformed",
    "InvalidParameterValue.LimitExceeded",
    "InvalidParameterValue.TooLong",
    "InvalidParameterValue.Empty",
  ],
  repeatable: true,
}));

export const deleteVpc = operation("DeleteVpc", () => ({
  summary: "Deletes a VPC with its main route table. It must have no subnets, no other route tables and no addresses in use.",
  input: { vpcId },
  errors: ["ResourceNotFound", "ResourceInUse"],
}));

export const assignIpv6CidrBlock = operation("AssignIpv6CidrBlock", () => ({
  summary: "Assigns an IPv6 block to a VPC, a /56 that the platform chooses. A VPC has one block.",
  input: { vpcId, addressType: addressType.optional().describe("`GUA`, the default: global unicast. `ULA`: unique local.") },
  output: {
    ipv6CidrBlock: string("The block, a /56."),
    addressType: string("`GUA` or `ULA`.").optional(),
  },
  errors: ["ResourceNotFound", "LimitExceeded.CidrBlock"],
  remoteErrors: ["UnsupportedOperation.ResourceProcessing"],
}));

export const unassignIpv6CidrBlock = publicApiOperation("UnassignIpv6CidrBlock", () => ({
  summary: "Unassigns the IPv6 block of a VPC. No subnet may have a part of it.",
  input: { vpcId, ipv6CidrBlock: string("The block; the VPC's only one unless given.").optional() },
  errors: ["ResourceNotFound", "ResourceInUse", "InvalidParameterValue.Malformed"],
  remoteErrors: ["UnsupportedOperation.ResourceProcessing"],
}));

const subnet = once(() =>
  z.object({
    vpcId,
    subnetId,
    subnetName: string("Name of the subnet."),
    cidrBlock: string("IPv4 CIDR block of the subnet."),
    ipv6SubnetCidrBlock: string("IPv6 CIDR block of the subnet, a /64; absent if none is assigned.").optional(),
    ipv6CidrBlock: string("The same as `Ipv6SubnetCidrBlock`, as the public API names it.").optional(),
    isDefault: boolean("Whether it is the account's default subnet.").optional(),
    enableBroadcast: boolean("Whether broadcast is on.").optional(),
    zone: string("Availability zone of the subnet."),
    routeTableId: routeTableId.optional(),
    networkAclId: string("ID of its network ACL; empty: none.").optional(),
    isRemoteVpcSnat: boolean("Whether it is a pool of addresses for the SNAT of another VPC.").optional(),
    cdcId: string("ID of the dedicated host cluster of the subnet; empty: none.").optional(),
    isCdcSubnet: int("1: it is on a dedicated host cluster. 0: it is not.").optional(),
    createdTime,
    availableIpAddressCount: int("Number of free IPv4 addresses."),
    totalIpAddressCount: int("Number of usable IPv4 addresses: all but those of the network, the gateway and broadcasts.").optional(),
    tagSet: tags.describe("Tags of the subnet."),
  }),
);

export const createSubnet = operation("CreateSubnet", () => ({
  summary: "Creates a subnet, which has a part of the VPC's CIDR block in one zone.",
  input: {
    vpcId,
    subnetName: string("Name, 1 to 60 characters."),
    cidrBlock: string("IPv4 CIDR block inside the VPC's, /29 or larger; must not overlap another subnet of the VPC."),
    zone: string("Availability zone, such as `eu-frankfurt-1`."),
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
}));

export const describeSubnets = operation("DescribeSubnets", () => ({
  summary: "Lists subnets.",
  input: {
    subnetIds: strings("IDs, at most 100; not together with `Filters`.").optional(),
    filters: filters(
      "Filters: `subnet-id`, `vpc-id`, `subnet-name` (a part suffices), `cidr-block`, `ipv6-cidr-block`, `zone`, `is-default`, `tag-key`, `tag:<key>`.",
    ),
    ...offsetPaging(z.string()),
    maxResults: int(
      "For pages by token instead of `Offset` and `Limit`: the most subnets to return, 1 to 100; 100 unless given.",
    ).optional(),
    nextToken: string(
      "Token of the next page, from the response with the previous page; not together with `Offset` and `Limit`.",
    ).optional(),
  },
  output: {
    totalCount,
    subnetSet: z.array(subnet()).describe("The subnets."),
    nextToken: string("Token of the next page; absent with the last page.").optional(),
  },
  errors: listingErrors,
  pages: { by: "offset", items: "subnetSet" },
}));

export const modifySubnetAttribute = publicApiOperation("ModifySubnetAttribute", () => ({
  summary: "Changes attributes of a subnet; those not given remain unchanged.",
  input: {
    subnetId,
    subnetName: string("Name, 1 to 60 characters.").optional(),
    enableBroadcast: flag("Whether broadcast is on").optional(),
  },
  errors: ["ResourceNotFound", "InvalidParameterValue.TooLong", "InvalidParameterValue.Empty"],
  repeatable: true,
}));

export const deleteSubnet = operation("DeleteSubnet", () => ({
  summary: "Deletes a subnet. No resource may have addresses of it.",
  input: { subnetId },
  errors: ["ResourceNotFound", "ResourceInUse"],
}));

const ipv6SubnetCidrBlock = string("IPv6 CIDR block of the subnet, a /64 inside the VPC's block.");
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
    ipv6SubnetCidrBlocks: objects("The subnets and their CIDR blocks.", { subnetId, ipv6SubnetCidrBlock }),
    clientToken: clientToken.optional(),
  },
  output: {
    ipv6SubnetCidrBlockSet: objects("The assigned CIDR blocks.", {
      subnetId,
      ipv6SubnetCidrBlock,
      ipv6CidrBlock: string("The same as `Ipv6SubnetCidrBlock`, as the public API names it.").optional(),
    }),
  },
  errors: [...ipv6Errors, "InvalidParameterValue.SubnetRange", "InvalidParameter.SubnetConflict", "LimitExceeded.SubnetCidrBlock"],
}));

export const unassignIpv6SubnetCidrBlock = publicApiOperation("UnassignIpv6SubnetCidrBlock", () => ({
  summary:
    "Unassigns the IPv6 CIDR blocks of subnets of a VPC, of all subnets of the call or of none. No resource may have addresses of them.",
  input: {
    vpcId,
    ipv6SubnetCidrBlocks: objects("The subnets. A CIDR block that is given is checked against the subnet's.", {
      subnetId,
      ipv6SubnetCidrBlock: ipv6SubnetCidrBlock.optional(),
    }),
  },
  errors: [...ipv6Errors, "ResourceInUse"],
}));
