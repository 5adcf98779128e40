import { z } from "zod";
import { operations, spelt } from "../../operation/operation.ts";
import { changeErrors, insideErrors, registryId, totalCount } from "./structures.ts";

const operation = operations("registry", "2019-09-24");

export const replicationFilterTypes = ["name", "tag", "resource"] as const;
const ruleName = z.string().describe("Name of the rule.");
const destNamespace = z.string().describe("Namespace of the destination to which images are copied.");
const override = z.boolean().describe("Whether an image of the same name at the destination is overwritten.");
const deletion = z.boolean().describe("Whether deleting an image deletes its copy.");
const enabled = z.boolean().describe("Whether the rule is in use; while it is not, nothing is copied.");
const description = z.string().describe("What the rule is for.");
const sourceRegistryId = registryId.describe("Id of the registry from which images are copied.");

export const replicationFilters = z.array(
  z.object({
    type: z
      .enum(replicationFilterTypes)
      .describe("What it looks at: `name` (`<namespace>/<repository>`), `tag` (the version) or `resource` (the kind)."),
    value: z.string().optional().describe("Pattern: `*` stands for anything but `/`, `**` for anything. Empty: anything."),
  }),
);

export const manageReplication = operation("ManageReplication", () => ({
  summary: "Creates or changes a rule by which images that are pushed to a registry are copied to another.",
  input: {
    sourceRegistryId,
    destinationRegistryId: registryId.describe("Id of the registry to which images are copied."),
    rule: z
      .object({
        name: ruleName,
        destNamespace,
        override,
        filters: replicationFilters.describe("Which images are copied: those for which every filter holds."),
        deletion: deletion.optional().describe("Whether deleting an image deletes its copy; false unless given."),
      })
      .describe("The rule, a single object."),
    description: description.optional(),
    destinationRegionId: z
      .int()
      .optional()
      .describe("Number of the destination's region; the source's unless given. Another one needs the premium edition."),
  },
  output: {},
  errors: [...changeErrors, "InvalidParameter.ErrorTcrInvalidParameter", "UnsupportedOperation"],
  remoteErrors: ["InternalError.ErrorTcrResourceConflict"],
  effect: "write",
  repeatable: true,
  source: "specification",
}));

export const modifyReplication = operation("ModifyReplication", () => ({
  summary: "Changes a replication rule, but not where it copies from and to which registry; what is not given stays as it is.",
  input: {
    sourceRegistryId,
    ruleName,
    rule: z
      .object({
        destNamespace: destNamespace.optional(),
        override: override.optional(),
        deletion: deletion.optional(),
        filters: replicationFilters.optional().describe("Which images are copied: those for which every filter holds; the whole list."),
        enabled: enabled.optional(),
      })
      .describe("What to change, a single object."),
    description: description.optional(),
  },
  output: {},
  errors: [...changeErrors, "InvalidParameter.ErrorTcrInvalidParameter"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const describeReplicationPolicies = operation("DescribeReplicationPolicies", () => ({
  summary: "Lists the replication rules of a registry.",
  input: {
    registryId,
    page: z.int().optional().describe("Number of the page, counted from 1; 1 unless given."),
    pageSize: z.int().optional().describe("Rules on a page, 1 to 100; 100 unless given."),
  },
  output: {
    replicationPolicyInfoList: z
      .array(
        z.object({
          id: spelt("ID", z.int()).describe("Number of the rule."),
          name: ruleName,
          description,
          filters: z
            .array(z.object({ type: z.string().describe("What it looks at."), value: z.string().describe("Its pattern.") }))
            .describe("Which images are copied."),
          override,
          enabled,
          srcResource: z.string().describe("Id of the registry from which images are copied."),
          destResource: z
            .string()
            .describe("Where images are copied to: `<registry>/<namespace> <region>`; a repository may stand behind the namespace."),
          creationTime: z.string().describe("When it was made, ISO 8601."),
          updateTime: z.string().describe("When it was last changed, ISO 8601."),
        }),
      )
      .describe("The rules."),
    totalCount,
  },
  errors: ["ResourceNotFound"],
  effect: "read",
  pages: { by: "number", items: "replicationPolicyInfoList", number: "page", size: "pageSize" },
  source: "public-api",
}));

export const deleteReplicationRule = operation("DeleteReplicationRule", () => ({
  summary: "Deletes a replication rule. Copies that were made stay.",
  input: { sourceRegistryId, ruleName, description: z.string().optional().describe("Why it is deleted.") },
  output: {},
  errors: insideErrors,
  effect: "write",
  source: "public-api",
}));
