import { z } from "zod";
import { boolean, int, object, objects, operations, spelt, string } from "../../operation/operation.ts";
import { totalCount } from "../shared.ts";
import { changeErrors, insideErrors, registryId } from "./structures.ts";

const { operation, publicApiOperation } = operations("registry", "2019-09-24");

export const replicationFilterTypes = ["name", "tag", "resource"] as const;
const ruleName = string("Name of the rule.");
const destNamespace = string("Namespace of the destination to which images are copied.");
const override = boolean("Whether an image of the same name at the destination is overwritten.");
const deletion = boolean("Whether deleting an image deletes its copy.");
const enabled = boolean("Whether the rule is in use. A rule that is not in use copies nothing.");
const description = string("Description of the rule.");
const sourceRegistryId = registryId.describe("ID of the registry from which images are copied.");

export const replicationFilters = z.array(
  z.object({
    type: z
      .enum(replicationFilterTypes)
      .describe("Part to match: `name` (`<namespace>/<repository>`), `tag` (the version) or `resource` (the type of artifact)."),
    value: string("Pattern: `*` matches anything but `/`, `**` matches anything. Empty: anything.").optional(),
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
    destinationRegionId: int(
      "Number of the destination's region; the source's unless given. Another one needs the premium edition.",
    ).optional(),
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
    page: int("Number of the page, counted from 1; 1 unless given.").optional(),
    pageSize: int("Number of rules on a page, 1 to 100; 100 unless given.").optional(),
  },
  output: {
    replicationPolicyInfoList: objects("The rules.", {
      id: spelt("ID", int("Number of the rule.")),
      name: ruleName,
      description,
      filters: objects("Filters of the images to copy.", {
        type: string("Part to match."),
        value: string("Pattern of the filter."),
      }),
      override,
      enabled,
      srcResource: string("ID of the registry from which images are copied."),
      destResource: string("Destination of the copies: `<registry>/<namespace> <region>`; the namespace may be followed by a repository."),
      creationTime: string("Time of creation, ISO 8601."),
      updateTime: string("Time of the last change, ISO 8601."),
    }),
    totalCount,
  },
  errors: ["ResourceNotFound"],
  pages: { by: "number", items: "replicationPolicyInfoList", key: "id", number: "page", size: "pageSize" },
}));

export const deleteReplicationRule = publicApiOperation("DeleteReplicationRule", () => ({
  summary: "Deletes a replication rule. Existing copies remain.",
  input: { sourceRegistryId, ruleName, description: string("Reason for the deletion.").optional() },
  errors: insideErrors,
}));
