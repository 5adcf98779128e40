import { z } from "zod";
import { once, operations, spelt } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, taggingErrors, tags } from "../shared.ts";
import { createdTime, securityGroupId, totalCount } from "./fields.ts";

const operation = operations("vpc", "2017-03-12");

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
    securityGroupIds: z.array(z.string()).optional().describe("IDs, at most 100; not together with `Filters`."),
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
  summary: "Changes the name or description of a security group; a field that is not given remains unchanged.",
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

export const describeSecurityGroupAssociationStatistics = operation("DescribeSecurityGroupAssociationStatistics", () => ({
  summary: "Counts the resources that use security groups.",
  input: { securityGroupIds: z.array(z.string()).describe("IDs, 1 to 100.") },
  output: {
    securityGroupAssociationStatisticsSet: z
      .array(
        z.object({
          securityGroupId,
          cvm: spelt("CVM", z.int()).describe("Number of instances that use it."),
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
      .describe("One entry per group, in the order of the IDs."),
  },
  errors: ["ResourceNotFound", "InvalidParameterValue.LimitExceeded", "InvalidParameterValue.Empty"],
  effect: "read",
  source: "public-api",
}));
