import { z } from "zod";
import { boolean, int, object, objects, once, operations, spelt, string, strings, unexposed } from "../../operation/operation.ts";
import { createdTime, filters, listingErrors, offsetPaging, taggingErrors, tags, totalCount } from "../shared.ts";
import { securityGroupId } from "./vpcs.ts";

const { operation, publicApiOperation } = operations("vpc", "2017-03-12");

const securityGroup = once(() =>
  z.object({
    securityGroupId,
    groupName: string("Name of the group."),
    groupDescription: string("Description of the group."),
    securityGroupName: string("The same as `GroupName`, as the public API names it.").optional(),
    securityGroupDesc: string("The same as `GroupDescription`, as the public API names it.").optional(),
    projectId: string("Project of the group.").optional(),
    isDefault: boolean("Whether it is the account's default group, which cannot be deleted.").optional(),
    createdTime: createdTime.optional(),
    updateTime: string("Time of the last change of the group or its rules, ISO 8601.").optional(),
    tagSet: tags.optional().describe("Tags of the group."),
  }),
);

export const createSecurityGroup = operation("CreateSecurityGroup", () => ({
  summary: "Creates a security group. It has no rules, and so denies all inbound and outbound traffic.",
  input: {
    groupName: string("Name, 1 to 60 characters."),
    groupDescription: string("Description, at most 100 characters."),
    projectId: string("Project; `0` unless given.").optional(),
    tags: tags.optional().describe("Tags of the group, at most 50."),
  },
  output: { securityGroup: securityGroup().describe("The group.") },
  errors: taggingErrors,
}));

export const describeSecurityGroups = publicApiOperation("DescribeSecurityGroups", () => ({
  summary: "Lists security groups.",
  input: {
    securityGroupIds: strings("IDs, at most 100; not together with `Filters`.").optional(),
    filters: filters("Filters: `security-group-id`, `security-group-name` (a part suffices), `project-id`, `tag-key`, `tag:<key>`."),
    ...offsetPaging(z.string()),
    orderField: z.enum(["CreatedTime", "UpdateTime"]).optional().describe("Field to sort by: `CreatedTime` or `UpdateTime`."),
    orderDirection: z.enum(["ASC", "DESC"]).optional().describe("`ASC`, the default: oldest first. `DESC`: newest first."),
  },
  output: { totalCount, securityGroupSet: z.array(securityGroup()).describe("The groups.") },
  errors: listingErrors,
  pages: { by: "offset", items: "securityGroupSet" },
}));

export const modifySecurityGroupAttribute = publicApiOperation("ModifySecurityGroupAttribute", () => ({
  summary: "Changes the name or description of a security group; a field that is not given remains unchanged.",
  input: {
    securityGroupId,
    groupName: string("Name, 1 to 60 characters.").optional(),
    groupDescription: string("Description, at most 100 characters.").optional(),
  },
  errors: ["ResourceNotFound", "InvalidParameterValue.TooLong", "InvalidParameterValue.Empty"],
  repeatable: true,
}));

export const deleteSecurityGroup = publicApiOperation("DeleteSecurityGroup", () => ({
  summary: "Deletes a security group. No resource may use it, and no rule of another group may name it.",
  input: { securityGroupId },
  errors: ["ResourceNotFound", "ResourceInUse"],
}));

export const describeSecurityGroupAssociationStatistics = publicApiOperation("DescribeSecurityGroupAssociationStatistics", () => ({
  summary: "Counts the resources that use security groups.",
  input: { securityGroupIds: strings("IDs, 1 to 100.") },
  output: {
    securityGroupAssociationStatisticsSet: objects("One entry per group, in the order of the IDs.", {
      securityGroupId,
      cvm: spelt("CVM", int("Number of instances that use it.")),
      cdb: spelt("CDB", int("Number of databases that use it.")),
      eni: spelt("ENI", int("Number of network interfaces of other resources that use it.")),
      sg: spelt("SG", int("Number of other groups whose rules name it.")),
      clb: spelt("CLB", int("Number of load balancers that use it.")),
      instanceStatistics: objects("The same numbers by type, without types that do not use it.", {
        instanceType: string("Type of resource: `CVM`, `ENI` or `CLB`."),
        instanceCount: int("Number of resources that use the group."),
      }),
      totalCount: int("Number of resources that use it, without other groups."),
    }),
  },
  errors: ["ResourceNotFound", "InvalidParameterValue.LimitExceeded", "InvalidParameterValue.Empty"],
}));

const policyIndex = int("Position of the rule in its direction, from 0. The first rule that matches decides.");
const protocol = string("`TCP`, `UDP`, `ICMP`, `ICMPV6`, `GRE` or `ALL`, in upper or lower case.");
const port = string(
  "With TCP and UDP: a port, a range or several (`443`, `8000-9000`, `80,443`), or `ALL`, the default. Otherwise `ALL` only.",
);
const sources = {
  cidrBlock: string("IPv4 CIDR block of the peer, without host bits.").optional(),
  ipv6CidrBlock: string("IPv6 CIDR block of the peer, without host bits.").optional(),
  securityGroupId: string("Security group of the peer; may be the rule's own.").optional(),
};
const action = string("`ACCEPT` or `DROP`.");
const policyDescription = string("Description of the rule, at most 100 characters.");
const version = string("Version of the group's rules. It grows with every change of them.");

export const policySetInput = once(() =>
  object("Rules of one direction: `Egress` or `Ingress`, never both in one call.", {
    version: version.optional().describe("Version of the rules that the caller has read; the call is rejected if they have changed since."),
    ...directions({
      policyIndex: policyIndex.optional().describe("Position of the rule, from 0; the same for all rules that a call creates."),
      protocol: protocol.optional(),
      port: port.optional(),
      ...sources,
      action: action.optional(),
      policyDescription: policyDescription.optional(),
      ...templates(),
    }),
  }),
);

const policySet = once(() =>
  object("The rules of both directions.", {
    version: version.optional(),
    ...directions({
      policyIndex,
      protocol,
      port,
      ...sources,
      action,
      policyDescription: policyDescription.optional(),
      ...templates(),
      modifyTime: string("Time of the last change of the rule, ISO 8601.").optional(),
    }),
    policyStatistics: object("Numbers of rules. A rule that names a group counts for IPv4.", {
      ingressIPv4TotalCount: int("Inbound rules for IPv4."),
      ingressIPv6TotalCount: int("Inbound rules for IPv6."),
      egressIPv4TotalCount: int("Outbound rules for IPv4."),
      egressIPv6TotalCount: int("Outbound rules for IPv6."),
    }).optional(),
  }),
);

function directions<Policy extends z.core.$ZodLooseShape>(policy: Policy) {
  return {
    egress: objects("Outbound rules, in order.", policy).optional(),
    ingress: objects("Inbound rules, in order.", policy).optional(),
  };
}

/** Only the public API's form takes them. */
function templates() {
  return {
    serviceTemplate: unexposed(
      object("Template in the place of protocol and port; of no rule of the emulator.", {
        serviceId: string("ID of a template of protocols and ports.").optional(),
        serviceGroupId: string("ID of a group of such templates.").optional(),
      }).optional(),
    ),
    addressTemplate: unexposed(
      object("Template in the place of a CIDR block; of no rule of the emulator.", {
        addressId: string("ID of a template of addresses.").optional(),
        addressGroupId: string("ID of a group of such templates.").optional(),
      }).optional(),
    ),
  };
}

/** The error codes of all operations on rules. */
export const policyErrors = [
  "ResourceNotFound",
  "InvalidParameter.Coexist",
  "InvalidParameterValue",
  "InvalidParameterValue.Empty",
  "InvalidParameterValue.Malformed",
  "InvalidParameterValue.Range",
  "InvalidParameterValue.TooLong",
  "UnsupportedOperation.VersionMismatch",
] as const;

export const describeSecurityGroupPolicies = publicApiOperation("DescribeSecurityGroupPolicies", () => ({
  summary: "Lists the rules of a security group.",
  input: {
    securityGroupId,
    filters: filters(
      "Filters: `security-group-id`, `ip` and `port` (a part suffices), `protocol-type`, `poly` (`ACCEPT`, `DROP`), `direction` (`egress`, `ingress`). `ALL` of the last two and of `port` matches each rule.",
    ),
  },
  output: { securityGroupPolicySet: policySet() },
  errors: ["ResourceNotFound"],
}));

export const createSecurityGroupPolicies = operation("CreateSecurityGroupPolicies", () => ({
  summary: "Adds rules to one direction of a security group: in front of the rule at their index, or at the end without one.",
  input: { securityGroupId, securityGroupPolicySet: policySetInput() },
  errors: [...policyErrors, "UnsupportedOperation.DuplicatePolicy", "LimitExceeded.SecurityGroupPolicySet"],
}));

export const deleteSecurityGroupPolicies = publicApiOperation("DeleteSecurityGroupPolicies", () => ({
  summary: "Deletes rules of one direction of a security group: all by index, or all by their content.",
  input: { securityGroupId, securityGroupPolicySet: policySetInput() },
  errors: policyErrors,
}));

export const replaceSecurityGroupPolicies = publicApiOperation("ReplaceSecurityGroupPolicies", () => ({
  summary: "Replaces the rules at given indexes in one direction of a security group.",
  input: { securityGroupId, securityGroupPolicySet: policySetInput() },
  errors: [...policyErrors, "UnsupportedOperation.DuplicatePolicy"],
}));
