import { z } from "zod";
import { operations, spelt } from "../operation/operation.ts";
import { filters, listingErrors, offsetPaging, taggingErrors, tags } from "./shared.ts";

const operation = operations("vpc", "2017-03-12");

const vpcId = z.string().describe("Id of the VPC, such as `vpc-3f8a0c1e`.");
const subnetId = z.string().describe("Id of the subnet, such as `subnet-5d20b7c4`.");
const routeTableId = z.string().describe("Id of the route table, such as `rtb-91c3e07a`.");
const securityGroupId = z.string().describe("Id of the security group, such as `sg-0b6e4f2d`.");
const totalCount = z.int().describe("How many match, on this page or not.");
const createdTime = z.string().describe("When it was made, ISO 8601.");
const flag = (what: string) => z.enum(["true", "false"]).describe(`${what}: \`true\` or \`false\`, as text.`);
const addressType = z.enum(["GUA", "ULA"]);

const vpc = z.object({
  vpcId,
  vpcName: z.string().describe("Name of the VPC."),
  cidrBlock: z.string().describe("IPv4 range of the VPC."),
  ipv6CidrBlock: z.string().optional().describe("IPv6 range of the VPC, a /56; absent while none is assigned."),
  ipv6CidrBlockSet: z
    .array(
      z.object({
        ipv6CidrBlock: spelt("IPv6CidrBlock", z.string()).describe("The range, a /56."),
        ispType: spelt("ISPType", z.string()).describe("Network operator."),
        addressType: z.string().describe("`GUA`: global unicast. `ULA`: unique local."),
      }),
    )
    .optional()
    .describe("The IPv6 range with what is known of it; empty while none is assigned."),
  isDefault: z.boolean().describe("Whether it is the account's default VPC."),
  enableMulticast: z.boolean().optional().describe("Whether multicast is on."),
  dnsServerSet: z.array(z.string()).describe("Addresses of the DNS servers."),
  domainName: z.string().optional().describe("DHCP domain name; empty when none was given."),
  dhcpOptionsId: z.string().optional().describe("Id of its DHCP options; empty: the usual ones."),
  enableDhcp: z.boolean().optional().describe("Whether DHCP is on."),
  assistantCidrSet: z
    .array(
      z.object({
        vpcId,
        cidrBlock: z.string().describe("The range."),
        assistantType: z.int().describe("Kind of range: 0 is a common one, 1 one of containers."),
      }),
    )
    .optional()
    .describe("Further IPv4 ranges of the VPC; a local platform gives none."),
  enableRouteVpcPublish: z.boolean().optional().describe("Whether IPv4 routes are published by the VPC's range rather than by subnet."),
  enableRouteVpcPublishIpv6: z.boolean().describe("Whether IPv6 routes are published by the VPC's range rather than by subnet."),
  createdTime,
  tagSet: tags.describe("Tags of the VPC."),
});

const publishIpv4 = z
  .boolean()
  .describe("True: IPv4 routes are published by the VPC's range in a cloud network. False, the default: by subnet.");
const publishIpv6 = z.boolean().describe("True: CIDR route publish, needs allow-listing. False, the default: subnet route publish.");
const dnsServers = z
  .array(z.string())
  .describe("IPv4 addresses of 1 to 4 DNS servers, the first of them primary; the platform's unless given.");
const domainName = z.string().describe("DHCP domain name, at most 60 characters.");

export const createVpc = operation("CreateVpc", () => ({
  summary: "Creates a VPC, with its main route table.",
  input: {
    vpcName: z.string().describe("Name, 1 to 60 characters."),
    cidrBlock: z
      .string()
      .describe("IPv4 range inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, a /12 to /28; overlaps no other VPC of the region."),
    enableMulticast: flag("Whether multicast is on; `false` unless given").optional(),
    dnsServers: dnsServers.optional(),
    domainName: domainName.optional(),
    tags: tags.optional().describe("Tags of the VPC, at most 50."),
    enableRouteVpcPublish: publishIpv4.optional(),
    enableRouteVpcPublishIpv6: publishIpv6.optional(),
  },
  output: { vpc: vpc.describe("The VPC.") },
  errors: ["InvalidParameter.VpcCidrConflict", "InvalidParameterValue.Malformed", "InvalidParameterValue.LimitExceeded", ...taggingErrors],
  effect: "write",
  source: "specification",
}));

export const describeVpcs = operation("DescribeVpcs", () => ({
  summary: "Lists VPCs.",
  input: {
    vpcIds: z.array(z.string()).optional().describe("Ids, at most 100; not together with `Filters`."),
    filters: filters
      .optional()
      .describe("Filters: `vpc-id`, `vpc-name` (a part suffices), `is-default`, `cidr-block`, `tag-key`, `tag:<key>`."),
    ...offsetPaging(z.string()),
  },
  output: { totalCount, vpcSet: z.array(vpc).describe("The VPCs.") },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "vpcSet" },
  source: "specification",
}));

export const modifyVpcAttribute = operation("ModifyVpcAttribute", () => ({
  summary: "Changes attributes of a VPC; those not given stay as they are.",
  input: {
    vpcId,
    vpcName: z.string().optional().describe("Name, 1 to 60 characters."),
    enableMulticast: flag("Whether multicast is on").optional(),
    dnsServers: dnsServers.optional().describe("IPv4 addresses of 1 to 4 DNS servers, the first of them primary. They cannot be emptied."),
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
  summary: "Deletes a VPC with its main route table. Subnets, other route tables and whatever lives in it have to be gone.",
  input: { vpcId },
  output: {},
  errors: ["ResourceNotFound", "ResourceInUse"],
  effect: "write",
  source: "specification",
}));

export const assignIpv6CidrBlock = operation("AssignIpv6CidrBlock", () => ({
  summary: "Gives a VPC its IPv6 block, a /56 that the platform chooses. One block a VPC.",
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
  summary: "Takes the IPv6 block from a VPC. No subnet may have a part of it any more.",
  input: { vpcId, ipv6CidrBlock: z.string().optional().describe("The block; the VPC's only one unless given.") },
  output: {},
  errors: ["ResourceNotFound", "ResourceInUse", "InvalidParameterValue.Malformed"],
  remoteErrors: ["UnsupportedOperation.ResourceProcessing"],
  effect: "write",
  source: "public-api",
}));

const subnet = z.object({
  vpcId,
  subnetId,
  subnetName: z.string().describe("Name of the subnet."),
  cidrBlock: z.string().describe("IPv4 range of the subnet."),
  ipv6SubnetCidrBlock: z.string().optional().describe("IPv6 range of the subnet, a /64; absent while none is assigned."),
  ipv6CidrBlock: z.string().optional().describe("The same, by its name in the public API."),
  isDefault: z.boolean().optional().describe("Whether it is the account's default subnet."),
  enableBroadcast: z.boolean().optional().describe("Whether broadcast is on."),
  zone: z.string().describe("Availability zone of the subnet."),
  routeTableId: routeTableId.optional(),
  networkAclId: z.string().optional().describe("Id of its network ACL; empty: none."),
  isRemoteVpcSnat: z.boolean().optional().describe("Whether its addresses are those of a NAT of another VPC."),
  cdcId: z.string().optional().describe("Id of the dedicated cluster of machines it is on; empty: none."),
  isCdcSubnet: z.int().optional().describe("1: it is on a dedicated cluster of machines. 0: it is not."),
  createdTime,
  availableIpAddressCount: z.int().describe("IPv4 addresses that are free."),
  totalIpAddressCount: z.int().optional().describe("IPv4 addresses that can be used: all but those of network, gateway and broadcast."),
  tagSet: tags.describe("Tags of the subnet."),
});

export const createSubnet = operation("CreateSubnet", () => ({
  summary: "Creates a subnet: a part of a VPC's range, in one zone.",
  input: {
    vpcId,
    subnetName: z.string().describe("Name, 1 to 60 characters."),
    cidrBlock: z.string().describe("IPv4 range inside the VPC's, /29 or larger; overlaps no other subnet of the VPC."),
    zone: z.string().describe("Availability zone, such as `eu-frankfurt-1`."),
    tags: tags.optional().describe("Tags of the subnet, at most 50."),
  },
  output: { subnet: subnet.describe("The subnet.") },
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
    subnetIds: z.array(z.string()).optional().describe("Ids, at most 100; not together with `Filters`."),
    filters: filters
      .optional()
      .describe(
        "Filters: `subnet-id`, `vpc-id`, `subnet-name` (a part suffices), `cidr-block`, `ipv6-cidr-block`, `zone`, `is-default`, `tag-key`, `tag:<key>`.",
      ),
    ...offsetPaging(z.string()),
    maxResults: z
      .int()
      .optional()
      .describe("Pages by token instead of `Offset` and `Limit`: subnets to answer at most, 1 to 100; 100 unless given."),
    nextToken: z.string().optional().describe("Where to go on, as answered with the page before; not together with `Offset` and `Limit`."),
  },
  output: {
    totalCount,
    subnetSet: z.array(subnet).describe("The subnets."),
    nextToken: z.string().optional().describe("Where to go on, of pages by token; absent after the last one."),
  },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "subnetSet" },
  source: "specification",
}));

export const modifySubnetAttribute = operation("ModifySubnetAttribute", () => ({
  summary: "Changes attributes of a subnet; those not given stay as they are.",
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
  summary: "Deletes a subnet. Nothing may have addresses of it any more.",
  input: { subnetId },
  output: {},
  errors: ["ResourceNotFound", "ResourceInUse"],
  effect: "write",
  source: "specification",
}));

const ipv6SubnetCidrBlock = z.string().describe("IPv6 range of the subnet, a /64 inside the VPC's block.");
const ipv6Errors = [
  "ResourceNotFound",
  "InvalidParameterValue.Malformed",
  "InvalidParameterValue.Duplicate",
  "InvalidParameterValue.Empty",
] as const;

export const assignIpv6SubnetCidrBlock = operation("AssignIpv6SubnetCidrBlock", () => ({
  summary: "Gives subnets of a VPC their IPv6 ranges, each a /64 inside the VPC's block. One range a subnet; all of them, or none.",
  input: {
    vpcId,
    ipv6SubnetCidrBlocks: z.array(z.object({ subnetId, ipv6SubnetCidrBlock })).describe("The subnets and their ranges."),
    clientToken: z
      .string()
      .optional()
      .describe("A text of at most 64 ASCII characters: the same call with the same one is carried out once, and answered again."),
  },
  output: {
    ipv6SubnetCidrBlockSet: z
      .array(
        z.object({
          subnetId,
          ipv6SubnetCidrBlock,
          ipv6CidrBlock: z.string().optional().describe("The same range, by its name in the public API."),
        }),
      )
      .describe("What was assigned."),
  },
  errors: [...ipv6Errors, "InvalidParameterValue.SubnetRange", "InvalidParameter.SubnetConflict", "LimitExceeded.SubnetCidrBlock"],
  effect: "write",
  source: "specification",
}));

export const unassignIpv6SubnetCidrBlock = operation("UnassignIpv6SubnetCidrBlock", () => ({
  summary: "Takes the IPv6 ranges from subnets of a VPC. Nothing may have addresses of them any more; all of them, or none.",
  input: {
    vpcId,
    ipv6SubnetCidrBlocks: z
      .array(z.object({ subnetId, ipv6SubnetCidrBlock: ipv6SubnetCidrBlock.optional() }))
      .describe("The subnets, and their ranges if these are to be checked."),
  },
  output: {},
  errors: [...ipv6Errors, "ResourceInUse"],
  effect: "write",
  source: "public-api",
}));

const routeTable = z.object({
  vpcId,
  routeTableId,
  routeTableName: z.string().describe("Name of the route table."),
  associationSet: z.array(z.object({ subnetId, routeTableId })).describe("The subnets that use it."),
  main: z.boolean().describe("Whether it is the VPC's default one."),
  createdTime,
  tagSet: tags.describe("Tags of the route table."),
});

export const describeRouteTables = operation("DescribeRouteTables", () => ({
  summary: "Lists route tables.",
  input: {
    routeTableIds: z.array(z.string()).optional().describe("Ids, at most 100; not together with `Filters`."),
    filters: filters
      .optional()
      .describe("Filters: `route-table-id`, `route-table-name` (a part suffices), `vpc-id`, `association.main`, `tag-key`, `tag:<key>`."),
    ...offsetPaging(z.string()),
  },
  output: { totalCount, routeTableSet: z.array(routeTable).describe("The route tables.") },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "routeTableSet" },
  source: "public-api",
}));

export const replaceRouteTableAssociation = operation("ReplaceRouteTableAssociation", () => ({
  summary: "Lets a subnet use another route table of its VPC.",
  input: { routeTableId, subnetId },
  output: {},
  errors: ["ResourceNotFound", "UnsupportedOperation.VpcMismatch"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

const securityGroup = z.object({
  securityGroupId,
  groupName: z.string().describe("Name of the group."),
  groupDescription: z.string().describe("What the group is for."),
  securityGroupName: z.string().optional().describe("The name, by its name in the public API."),
  securityGroupDesc: z.string().optional().describe("The description, by its name in the public API."),
  projectId: z.string().optional().describe("Project of the group."),
  isDefault: z.boolean().optional().describe("Whether it is the account's default group, which cannot be deleted."),
  createdTime: createdTime.optional(),
  updateTime: z.string().optional().describe("When the group or its rules were last changed, ISO 8601."),
  tagSet: tags.optional().describe("Tags of the group."),
});

export const createSecurityGroup = operation("CreateSecurityGroup", () => ({
  summary: "Creates a security group. It has no rules and so denies everything, in and out.",
  input: {
    groupName: z.string().describe("Name, 1 to 60 characters."),
    groupDescription: z.string().describe("What it is for, at most 100 characters."),
    projectId: z.string().optional().describe("Project; `0` unless given."),
    tags: tags.optional().describe("Tags of the group, at most 50."),
  },
  output: { securityGroup: securityGroup.describe("The group.") },
  errors: taggingErrors,
  effect: "write",
  source: "specification",
}));

export const describeSecurityGroups = operation("DescribeSecurityGroups", () => ({
  summary: "Lists security groups.",
  input: {
    securityGroupIds: z.array(z.string()).optional().describe("Ids, at most 100; not together with `Filters`."),
    filters: filters
      .optional()
      .describe("Filters: `security-group-id`, `security-group-name` (a part suffices), `project-id`, `tag-key`, `tag:<key>`."),
    ...offsetPaging(z.string()),
    orderField: z.enum(["CreatedTime", "UpdateTime"]).optional().describe("What to sort by: `CreatedTime` or `UpdateTime`."),
    orderDirection: z.enum(["ASC", "DESC"]).optional().describe("`ASC`, the default: oldest first. `DESC`: newest first."),
  },
  output: { totalCount, securityGroupSet: z.array(securityGroup).describe("The groups.") },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "securityGroupSet" },
  source: "public-api",
}));

export const modifySecurityGroupAttribute = operation("ModifySecurityGroupAttribute", () => ({
  summary: "Changes name or description of a security group; what is not given stays as it is.",
  input: {
    securityGroupId,
    groupName: z.string().optional().describe("Name, 1 to 60 characters."),
    groupDescription: z.string().optional().describe("What it is for, at most 100 characters."),
  },
  output: {},
  errors: ["ResourceNotFound", "InvalidParameterValue.TooLong", "InvalidParameterValue.Empty"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const deleteSecurityGroup = operation("DeleteSecurityGroup", () => ({
  summary: "Deletes a security group that nothing uses and no other group's rule names.",
  input: { securityGroupId },
  output: {},
  errors: ["ResourceNotFound", "ResourceInUse"],
  effect: "write",
  source: "public-api",
}));

const policyIndex = z.int().describe("Place of the rule among those of its direction, from 0; the first one that matches decides.");
const protocol = z.string().describe("`TCP`, `UDP`, `ICMP`, `ICMPV6`, `GRE` or `ALL`, in any case.");
const port = z
  .string()
  .describe("With TCP and UDP: a port, a range or several (`443`, `8000-9000`, `80,443`), or `ALL`, the default. Otherwise `ALL` only.");
const sources = {
  cidrBlock: z.string().optional().describe("IPv4 range at the other end, without host bits."),
  ipv6CidrBlock: z.string().optional().describe("IPv6 range at the other end, without host bits."),
  securityGroupId: z.string().optional().describe("Security group at the other end; may be this one."),
};
const action = z.string().describe("`ACCEPT` or `DROP`.");
const policyDescription = z.string().describe("What the rule is for, at most 100 characters.");
const version = z.string().describe("Version of the group's rules. Grows with every change of them.");

const policySetInput = z
  .object({
    version: version.optional().describe("Version of the rules that the caller has read; the call is refused if they have changed since."),
    ...directions({
      policyIndex: policyIndex.optional().describe("Place of the rule, from 0; the same one for all rules that are created in a call."),
      protocol: protocol.optional(),
      port: port.optional(),
      ...sources,
      action: action.optional(),
      policyDescription: policyDescription.optional(),
    }),
  })
  .describe("Rules of one direction: `Egress` or `Ingress`, never both in one call.");

const policySet = z
  .object({
    version: version.optional(),
    ...directions({
      policyIndex,
      protocol,
      port,
      ...sources,
      action,
      policyDescription: policyDescription.optional(),
      modifyTime: z.string().optional().describe("When the rule was last changed, ISO 8601."),
    }),
    policyStatistics: z
      .object({
        ingressIPv4TotalCount: z.int().describe("Inbound rules for IPv4."),
        ingressIPv6TotalCount: z.int().describe("Inbound rules for IPv6."),
        egressIPv4TotalCount: z.int().describe("Outbound rules for IPv4."),
        egressIPv6TotalCount: z.int().describe("Outbound rules for IPv6."),
      })
      .optional()
      .describe("How many rules there are. A rule that names a group counts for IPv4."),
  })
  .describe("The rules of both directions.");

function directions<Policy extends z.core.$ZodLooseShape>(policy: Policy) {
  return {
    egress: z.array(z.object(policy)).optional().describe("Outbound rules, in order."),
    ingress: z.array(z.object(policy)).optional().describe("Inbound rules, in order."),
  };
}

/** Error codes of all operations on rules. */
const policyErrors = [
  "ResourceNotFound",
  "InvalidParameter.Coexist",
  "InvalidParameterValue",
  "InvalidParameterValue.Empty",
  "InvalidParameterValue.Malformed",
  "InvalidParameterValue.Range",
  "InvalidParameterValue.TooLong",
  "UnsupportedOperation.VersionMismatch",
] as const;

export const describeSecurityGroupPolicies = operation("DescribeSecurityGroupPolicies", () => ({
  summary: "Tells the rules of a security group.",
  input: {
    securityGroupId,
    filters: filters
      .optional()
      .describe(
        "Filters: `security-group-id`, `ip` (a part suffices), `protocol-type`, `port`, `poly` (the action), `direction` (`egress`, `ingress`).",
      ),
  },
  output: { securityGroupPolicySet: policySet },
  errors: ["ResourceNotFound"],
  effect: "read",
  source: "public-api",
}));

export const createSecurityGroupPolicies = operation("CreateSecurityGroupPolicies", () => ({
  summary: "Adds rules to one direction of a security group: in front of the rule at their index, or at the end.",
  input: { securityGroupId, securityGroupPolicySet: policySetInput },
  output: {},
  errors: [...policyErrors, "UnsupportedOperation.DuplicatePolicy", "LimitExceeded.SecurityGroupPolicySet"],
  effect: "write",
  source: "specification",
}));

export const deleteSecurityGroupPolicies = operation("DeleteSecurityGroupPolicies", () => ({
  summary: "Takes rules out of one direction of a security group: all by index, or all by what they say.",
  input: { securityGroupId, securityGroupPolicySet: policySetInput },
  output: {},
  errors: policyErrors,
  effect: "write",
  source: "public-api",
}));

export const replaceSecurityGroupPolicies = operation("ReplaceSecurityGroupPolicies", () => ({
  summary: "Puts rules of one direction of a security group in the place of those at their indexes.",
  input: { securityGroupId, securityGroupPolicySet: policySetInput },
  output: {},
  errors: [...policyErrors, "UnsupportedOperation.DuplicatePolicy"],
  effect: "write",
  source: "public-api",
}));

export const describeSecurityGroupAssociationStatistics = operation("DescribeSecurityGroupAssociationStatistics", () => ({
  summary: "Counts what uses security groups.",
  input: { securityGroupIds: z.array(z.string()).describe("Ids, 1 to 100.") },
  output: {
    securityGroupAssociationStatisticsSet: z
      .array(
        z.object({
          securityGroupId,
          cvm: spelt("CVM", z.int()).describe("Machines that use it."),
          cdb: spelt("CDB", z.int()).describe("Databases that use it."),
          eni: spelt("ENI", z.int()).describe("Network interfaces of other resources that use it."),
          sg: spelt("SG", z.int()).describe("Other groups whose rules name it."),
          clb: spelt("CLB", z.int()).describe("Load balancers that use it."),
          instanceStatistics: z
            .array(
              z.object({
                instanceType: z.string().describe("Kind of resource: `CVM`, `ENI` or `CLB`."),
                instanceCount: z.int().describe("How many use the group."),
              }),
            )
            .describe("The same by kind, without kinds that do not use it."),
          totalCount: z.int().describe("Resources that use it, other groups not counted."),
        }),
      )
      .describe("One entry a group, in the order of the ids."),
  },
  errors: ["ResourceNotFound", "InvalidParameterValue.LimitExceeded", "InvalidParameterValue.Empty"],
  effect: "read",
  source: "public-api",
}));
