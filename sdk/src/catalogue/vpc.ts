import { z } from "zod";
import { once, operations, spelt } from "../operation/operation.ts";
import { filters, listingErrors, offsetPaging, taggingErrors, tags } from "./shared.ts";

const operation = operations("vpc", "2017-03-12");

const vpcId = z.string().describe("Id of the VPC, such as `vpc-3f8a0c1e`.");
const subnetId = z.string().describe("Id of the subnet, such as `subnet-5d20b7c4`.");
const routeTableId = z.string().describe("Id of the route table, such as `rtb-91c3e07a`.");
const securityGroupId = z.string().describe("Id of the security group, such as `sg-0b6e4f2d`.");
const totalCount = z.int().describe("Number of matches on all pages.");
const createdTime = z.string().describe("Time of creation, ISO 8601.");
const flag = (what: string) => z.enum(["true", "false"]).describe(`${what}: \`true\` or \`false\`, as text.`);
const addressType = z.enum(["GUA", "ULA"]);

const vpc = once(() =>
  z.object({
    vpcId,
    vpcName: z.string().describe("Name of the VPC."),
    cidrBlock: z.string().describe("IPv4 range of the VPC."),
    ipv6CidrBlock: z.string().optional().describe("IPv6 range of the VPC, a /56; absent if none is assigned."),
    ipv6CidrBlockSet: z
      .array(
        z.object({
          ipv6CidrBlock: spelt("IPv6CidrBlock", z.string()).describe("The range, a /56."),
          ispType: spelt("ISPType", z.string()).describe("Network operator."),
          addressType: z.string().describe("`GUA`: global unicast. `ULA`: unique local."),
        }),
      )
      .optional()
      .describe("The IPv6 range with its attributes; empty if none is assigned."),
    isDefault: z.boolean().describe("Whether it is the account's default VPC."),
    enableMulticast: z.boolean().optional().describe("Whether multicast is on."),
    dnsServerSet: z.array(z.string()).describe("Addresses of the DNS servers."),
    domainName: z.string().optional().describe("DHCP domain name; empty if none was given."),
    dhcpOptionsId: z.string().optional().describe("Id of its DHCP options; empty: the default ones."),
    enableDhcp: z.boolean().optional().describe("Whether DHCP is on."),
    assistantCidrSet: z
      .array(
        z.object({
          vpcId,
          cidrBlock: z.string().describe("The range."),
          assistantType: z.int().describe("Type of the range: 0 is a common range, 1 a range for containers."),
        }),
      )
      .optional()
      .describe("More IPv4 ranges of the VPC; always empty on a local platform."),
    enableRouteVpcPublish: z.boolean().optional().describe("Whether IPv4 routes are published by the VPC's range rather than by subnet."),
    enableRouteVpcPublishIpv6: z.boolean().describe("Whether IPv6 routes are published by the VPC's range rather than by subnet."),
    createdTime,
    tagSet: tags.describe("Tags of the VPC."),
  }),
);

const publishIpv4 = z
  .boolean()
  .describe("True: IPv4 routes are published by the VPC's range in a cloud network. False, the default: by subnet.");
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
      .describe("IPv4 range inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, a /12 to /28; must not overlap another VPC of the region."),
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
    vpcIds: z.array(z.string()).optional().describe("Ids, at most 100; not together with `Filters`."),
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
  summary: "Changes attributes of a VPC; those not given stay as they are.",
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

const subnet = once(() =>
  z.object({
    vpcId,
    subnetId,
    subnetName: z.string().describe("Name of the subnet."),
    cidrBlock: z.string().describe("IPv4 range of the subnet."),
    ipv6SubnetCidrBlock: z.string().optional().describe("IPv6 range of the subnet, a /64; absent if none is assigned."),
    ipv6CidrBlock: z.string().optional().describe("The same as `Ipv6SubnetCidrBlock`, as the public API names it."),
    isDefault: z.boolean().optional().describe("Whether it is the account's default subnet."),
    enableBroadcast: z.boolean().optional().describe("Whether broadcast is on."),
    zone: z.string().describe("Availability zone of the subnet."),
    routeTableId: routeTableId.optional(),
    networkAclId: z.string().optional().describe("Id of its network ACL; empty: none."),
    isRemoteVpcSnat: z.boolean().optional().describe("Whether it is a pool of addresses for the SNAT of another VPC."),
    cdcId: z.string().optional().describe("Id of the dedicated host cluster of the subnet; empty: none."),
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
  summary: "Creates a subnet, which has a part of the VPC's range in one zone.",
  input: {
    vpcId,
    subnetName: z.string().describe("Name, 1 to 60 characters."),
    cidrBlock: z.string().describe("IPv4 range inside the VPC's, /29 or larger; must not overlap another subnet of the VPC."),
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
      .describe("For pages by token instead of `Offset` and `Limit`: the most subnets to return, 1 to 100; 100 unless given."),
    nextToken: z
      .string()
      .optional()
      .describe("Token of the next page, as answered with the page before; not together with `Offset` and `Limit`."),
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
  summary: "Deletes a subnet. No resource may have addresses of it.",
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
  summary:
    "Assigns IPv6 ranges to subnets of a VPC, each a /64 inside the VPC's block, to all subnets of the call or to none. A subnet has one range.",
  input: {
    vpcId,
    ipv6SubnetCidrBlocks: z.array(z.object({ subnetId, ipv6SubnetCidrBlock })).describe("The subnets and their ranges."),
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
      .describe("The assigned ranges."),
  },
  errors: [...ipv6Errors, "InvalidParameterValue.SubnetRange", "InvalidParameter.SubnetConflict", "LimitExceeded.SubnetCidrBlock"],
  effect: "write",
  source: "specification",
}));

export const unassignIpv6SubnetCidrBlock = operation("UnassignIpv6SubnetCidrBlock", () => ({
  summary: "Unassigns the IPv6 ranges of subnets of a VPC, of all subnets of the call or of none. No resource may have addresses of them.",
  input: {
    vpcId,
    ipv6SubnetCidrBlocks: z
      .array(z.object({ subnetId, ipv6SubnetCidrBlock: ipv6SubnetCidrBlock.optional() }))
      .describe("The subnets. A range that is given is checked against the subnet's."),
  },
  output: {},
  errors: [...ipv6Errors, "ResourceInUse"],
  effect: "write",
  source: "public-api",
}));

const routeTable = once(() =>
  z.object({
    vpcId,
    routeTableId,
    routeTableName: z.string().describe("Name of the route table."),
    associationSet: z.array(z.object({ subnetId, routeTableId })).describe("The subnets that use it."),
    main: z.boolean().describe("Whether it is the VPC's main route table."),
    createdTime,
    tagSet: tags.describe("Tags of the route table."),
  }),
);

export const describeRouteTables = operation("DescribeRouteTables", () => ({
  summary: "Lists route tables.",
  input: {
    routeTableIds: z.array(z.string()).optional().describe("Ids, at most 100; not together with `Filters`."),
    filters: filters
      .optional()
      .describe("Filters: `route-table-id`, `route-table-name` (a part suffices), `vpc-id`, `association.main`, `tag-key`, `tag:<key>`."),
    ...offsetPaging(z.string()),
  },
  output: { totalCount, routeTableSet: z.array(routeTable()).describe("The route tables.") },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "routeTableSet" },
  source: "public-api",
}));

export const replaceRouteTableAssociation = operation("ReplaceRouteTableAssociation", () => ({
  summary: "Associates a subnet with another route table of its VPC.",
  input: { routeTableId, subnetId },
  output: {},
  errors: ["ResourceNotFound", "UnsupportedOperation.VpcMismatch"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

const securityGroup = once(() =>
  z.object({
    securityGroupId,
    groupName: z.string().describe("Name of the group."),
    groupDescription: z.string().describe("Description of the group."),
    securityGroupName: z.string().optional().describe("The same as `GroupName`, as the public API names it."),
    securityGroupDesc: z.string().optional().describe("The same as `GroupDescription`, as the public API names it."),
    projectId: z.string().optional().describe("Project of the group."),
    isDefault: z.boolean().optional().describe("Whether it is the account's default group, which cannot be deleted."),
    createdTime: createdTime.optional(),
    updateTime: z.string().optional().describe("Time of the last change of the group or its rules, ISO 8601."),
    tagSet: tags.optional().describe("Tags of the group."),
  }),
);

export const createSecurityGroup = operation("CreateSecurityGroup", () => ({
  summary: "Creates a security group. It has no rules, and so denies all inbound and outbound traffic.",
  input: {
    groupName: z.string().describe("Name, 1 to 60 characters."),
    groupDescription: z.string().describe("Description, at most 100 characters."),
    projectId: z.string().optional().describe("Project; `0` unless given."),
    tags: tags.optional().describe("Tags of the group, at most 50."),
  },
  output: { securityGroup: securityGroup().describe("The group.") },
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
    orderField: z.enum(["CreatedTime", "UpdateTime"]).optional().describe("Field to sort by: `CreatedTime` or `UpdateTime`."),
    orderDirection: z.enum(["ASC", "DESC"]).optional().describe("`ASC`, the default: oldest first. `DESC`: newest first."),
  },
  output: { totalCount, securityGroupSet: z.array(securityGroup()).describe("The groups.") },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "securityGroupSet" },
  source: "public-api",
}));

export const modifySecurityGroupAttribute = operation("ModifySecurityGroupAttribute", () => ({
  summary: "Changes the name or description of a security group; one that is not given stays as it is.",
  input: {
    securityGroupId,
    groupName: z.string().optional().describe("Name, 1 to 60 characters."),
    groupDescription: z.string().optional().describe("Description, at most 100 characters."),
  },
  output: {},
  errors: ["ResourceNotFound", "InvalidParameterValue.TooLong", "InvalidParameterValue.Empty"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const deleteSecurityGroup = operation("DeleteSecurityGroup", () => ({
  summary: "Deletes a security group. No resource may use it, and no rule of another group may name it.",
  input: { securityGroupId },
  output: {},
  errors: ["ResourceNotFound", "ResourceInUse"],
  effect: "write",
  source: "public-api",
}));

const policyIndex = z.int().describe("Position of the rule in its direction, from 0. The first rule that matches decides.");
const protocol = z.string().describe("`TCP`, `UDP`, `ICMP`, `ICMPV6`, `GRE` or `ALL`, in upper or lower case.");
const port = z
  .string()
  .describe("With TCP and UDP: a port, a range or several (`443`, `8000-9000`, `80,443`), or `ALL`, the default. Otherwise `ALL` only.");
const sources = {
  cidrBlock: z.string().optional().describe("IPv4 range at the other end, without host bits."),
  ipv6CidrBlock: z.string().optional().describe("IPv6 range at the other end, without host bits."),
  securityGroupId: z.string().optional().describe("Security group at the other end; may be the rule's own."),
};
const action = z.string().describe("`ACCEPT` or `DROP`.");
const policyDescription = z.string().describe("Description of the rule, at most 100 characters.");
const version = z.string().describe("Version of the group's rules. It grows with every change of them.");

const policySetInput = once(() =>
  z
    .object({
      version: version
        .optional()
        .describe("Version of the rules that the caller has read; the call is refused if they have changed since."),
      ...directions({
        policyIndex: policyIndex.optional().describe("Position of the rule, from 0; the same for all rules that a call creates."),
        protocol: protocol.optional(),
        port: port.optional(),
        ...sources,
        action: action.optional(),
        policyDescription: policyDescription.optional(),
      }),
    })
    .describe("Rules of one direction: `Egress` or `Ingress`, never both in one call."),
);

const policySet = once(() =>
  z
    .object({
      version: version.optional(),
      ...directions({
        policyIndex,
        protocol,
        port,
        ...sources,
        action,
        policyDescription: policyDescription.optional(),
        serviceTemplate: z
          .object({
            serviceId: z.string().optional().describe("Id of a template of protocols and ports."),
            serviceGroupId: z.string().optional().describe("Id of a group of such templates."),
          })
          .optional()
          .describe("Template in the place of protocol and port; of no rule of the local platform."),
        addressTemplate: z
          .object({
            addressId: z.string().optional().describe("Id of a template of addresses."),
            addressGroupId: z.string().optional().describe("Id of a group of such templates."),
          })
          .optional()
          .describe("Template in the place of a range; of no rule of the local platform."),
        modifyTime: z.string().optional().describe("Time of the last change of the rule, ISO 8601."),
      }),
      policyStatistics: z
        .object({
          ingressIPv4TotalCount: z.int().describe("Inbound rules for IPv4."),
          ingressIPv6TotalCount: z.int().describe("Inbound rules for IPv6."),
          egressIPv4TotalCount: z.int().describe("Outbound rules for IPv4."),
          egressIPv6TotalCount: z.int().describe("Outbound rules for IPv6."),
        })
        .optional()
        .describe("Numbers of rules. A rule that names a group counts for IPv4."),
    })
    .describe("The rules of both directions."),
);

function directions<Policy extends z.core.$ZodLooseShape>(policy: Policy) {
  return {
    egress: z.array(z.object(policy)).optional().describe("Outbound rules, in order."),
    ingress: z.array(z.object(policy)).optional().describe("Inbound rules, in order."),
  };
}

/** The error codes of all operations on rules. */
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
  summary: "Lists the rules of a security group.",
  input: {
    securityGroupId,
    filters: filters
      .optional()
      .describe(
        "Filters: `security-group-id`, `ip` (a part suffices), `protocol-type`, `port`, `poly` (the action), `direction` (`egress`, `ingress`).",
      ),
  },
  output: { securityGroupPolicySet: policySet() },
  errors: ["ResourceNotFound"],
  effect: "read",
  source: "public-api",
}));

export const createSecurityGroupPolicies = operation("CreateSecurityGroupPolicies", () => ({
  summary: "Adds rules to one direction of a security group: in front of the rule at their index, or at the end without one.",
  input: { securityGroupId, securityGroupPolicySet: policySetInput() },
  output: {},
  errors: [...policyErrors, "UnsupportedOperation.DuplicatePolicy", "LimitExceeded.SecurityGroupPolicySet"],
  effect: "write",
  source: "specification",
}));

export const deleteSecurityGroupPolicies = operation("DeleteSecurityGroupPolicies", () => ({
  summary: "Deletes rules of one direction of a security group: all by index, or all by their content.",
  input: { securityGroupId, securityGroupPolicySet: policySetInput() },
  output: {},
  errors: policyErrors,
  effect: "write",
  source: "public-api",
}));

export const replaceSecurityGroupPolicies = operation("ReplaceSecurityGroupPolicies", () => ({
  summary: "Replaces the rules at given indexes in one direction of a security group.",
  input: { securityGroupId, securityGroupPolicySet: policySetInput() },
  output: {},
  errors: [...policyErrors, "UnsupportedOperation.DuplicatePolicy"],
  effect: "write",
  source: "public-api",
}));

export const describeSecurityGroupAssociationStatistics = operation("DescribeSecurityGroupAssociationStatistics", () => ({
  summary: "Counts the resources that use security groups.",
  input: { securityGroupIds: z.array(z.string()).describe("Ids, 1 to 100.") },
  output: {
    securityGroupAssociationStatisticsSet: z
      .array(
        z.object({
          securityGroupId,
          cvm: spelt("CVM", z.int()).describe("Number of machines that use it."),
          cdb: spelt("CDB", z.int()).describe("Number of databases that use it."),
          eni: spelt("ENI", z.int()).describe("Number of network interfaces of other resources that use it."),
          sg: spelt("SG", z.int()).describe("Number of other groups whose rules name it."),
          clb: spelt("CLB", z.int()).describe("Number of load balancers that use it."),
          instanceStatistics: z
            .array(
              z.object({
                instanceType: z.string().describe("Type of resource: `CVM`, `ENI` or `CLB`."),
                instanceCount: z.int().describe("Number of resources that use the group."),
              }),
            )
            .describe("The same numbers by type, without types that do not use it."),
          totalCount: z.int().describe("Number of resources that use it, without other groups."),
        }),
      )
      .describe("One entry per group, in the order of the ids."),
  },
  errors: ["ResourceNotFound", "InvalidParameterValue.LimitExceeded", "InvalidParameterValue.Empty"],
  effect: "read",
  source: "public-api",
}));
