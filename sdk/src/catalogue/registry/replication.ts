import { z } from "zod";
import { object, objects, operations, spelt } from "../../operation/operation.ts";
import { totalCount } from "../shared.ts";
import { changeErrors, insideErrors, registryId } from "./structures.ts";

const { operation, publicApiOperation } = operations("registry", "2019-09-24");

export const replicationFilterTypes = ["name", "tag", "resource"] as const;
const ruleName = z.string().describe("Name of the rule.");
const destNamespace = z.string().describe("Namespace of the destination to which images are copied.");
const override = z.boolean().describe("Whether an image of the same name at the destination is overwritten.");
const deletion = z.boolean().describe("Whether deleting an image deletes its copy.");
const enabled = z.boolean().describe("Whether the rule is in use. A rule that is not in use copies nothing.");
const description = z.string().describe("Description of the rule.");
const sourceRegistryId = registryId.describe("ID of the registry from which images are copied.");

export const replicationFilters = z.array(
  z.object({
    type: z
      .enum(replicationFilterTypes)
      .describe("Part to match: `name` (`<namespace>/<repository>`), `tag` (the version) or `resource` (the type of artifact)."),
    value: z.string().optional().describe("Pattern: `*` matches anything but `/`, `**` matches anything. Empty: anything."),
  }),
);

export const manageReplication = operation("ManageReplication", () => ({
  summary: "Creates or changes a rule by which images that are pushed to a registry are copied to another.",
  input: {
    sourceRegistryId,
    destinationRegistryId: registryId.describe("ID of the registry to which images are copied."),
    rule: object("The rule, a single object.", {
      name: ruleName,
      destNamespace,
      override,
      filters: replicationFilters.describe("Filters of the images to copy; all of them must match."),
      deletion: deletion.optional().describe("Whether deleting an image deletes its copy; false unless given."),
    }),
    description: description.optional(),
    destinationRegionId: z
      .int()
      .optional()
      .describe("Number of the destination's region; the source's unless given. Another one needs the premium edition."),
  },
  errors: [...changeErrors, "InvalidParameter.ErrorTcrInvalidParameter", "UnsupportedOperation"],
  remoteErrors: ["InternalError.ErrorTcrResourceConflict"],
  repeatable: true,
}));

export const modifyReplication = publicApiOperation("ModifyReplication", () => ({
  summary: "Changes a replication rule, except its source and its destination registry; fields that are not given remain unchanged.",
  input: {
    sourceRegistryId,
    ruleName,
    rule: object("The changes, a single object.", {
      destNamespace: destNamespace.optional(),
      override: override.optional(),
      deletion: deletion.optional(),
      filters: replicationFilters
        .optional()
        .describe("Filters of the images to copy; all of them must match. They replace the rule's earlier filters."),
      enabled: enabled.optional(),
    }),
    description: description.optional(),
  },
  errors: [...changeErrors, "InvalidParameter.ErrorTcrInvalidParameter"],
  repeatable: true,
}));

export const describeReplicationPolicies = publicApiOperation("DescribeReplicationPolicies", () => ({
  summary: "Lists the replication rules of a registry.",
  input: {
    registryId,
    page: z.int().optional().describe("Number of the page, counted from 1; 1 unless given."),
    pageSize: z.int().optional().describe("Number of rules on a page, 1 to 100; 100 unless given."),
  },
  output: {
    replicationPolicyInfoList: objects("The rules.", {
      id: spelt("ID", z.int()).describe("Number of the rule."),
      name: ruleName,
      description,
      filters: objects("Filters of the images to copy.", {
        type: z.string().describe("Part to match."),
        value: z.string().describe("Pattern of the filter."),
      }),
      override,
      enabled,
      srcResource: z.string().describe("ID of the registry from which images are copied."),
      destResource: z
        .string()
        .describe("Destination of the copies: `<registry>/<namespace> <region>`; the namespace may be followed by a repository."),
      creationTime: z.string().describe("Time of creation, ISO 8601."),
      updateTime: z.string().describe("Time of the last change, ISO 8601."),
    }),
    totalCount,
  },
  errors: ["ResourceNotFound"],
  pages: { by: "number", items: "replicationPolicyInfoList", key: "id", number: "page", size: "pageSize" },
}));

export const deleteReplicationRule = publicApiOperation("DeleteReplicationRule", () => ({
  summary: "Deletes a replication rule. Existing copies remain.",
  input: { sourceRegistryId, ruleName, description: z.string().optional().describe("Reason for the deletion.") },
  errors: insideErrors,
}));
