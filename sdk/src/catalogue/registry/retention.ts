import { z } from "zod";
import { boolean, int, objects, operations, string } from "../../operation/operation.ts";
import { totalCount } from "../shared.ts";
import { changeErrors, insideErrors, namespaceName, pagePaging, registryId } from "./structures.ts";

const { operation, publicApiOperation } = operations("registry", "2019-09-24");

export const retentionKeys = ["latestPushedK", "nDaysSinceLastPush"] as const;
export const cronSettings = ["manual", "daily", "weekly", "monthly"] as const;

const namespaceId = int("Number of the namespace, as in DescribeNamespaces.");
const retentionId = int("Number of the rule.");
const cronSetting = z.enum(cronSettings).describe("Schedule: `manual`, `daily`, `weekly` or `monthly`.");
const disabled = boolean("Whether the schedule is off; false unless given.").optional();

const retentionRule = z.object({
  key: z
    .enum(retentionKeys)
    .describe("Images to keep: `latestPushedK`, the newest ones of each repository; `nDaysSinceLastPush`, those of the last days."),
  value: int("Number of images or days; 1 or more."),
});

export const createTagRetentionRule = operation("CreateTagRetentionRule", () => ({
  summary:
    "Creates the retention rule of a namespace, which says which images of each repository are kept; the others are deleted. A namespace has one rule.",
  input: { registryId, namespaceId, cronSetting, retentionRule: retentionRule.describe("The images to keep."), disabled },
  errors: [...changeErrors, "InvalidParameter.ErrorTcrInvalidParameter", "InternalError.ErrConflict"],
}));

export const modifyTagRetentionRule = operation("ModifyTagRetentionRule", () => ({
  summary: "Changes a retention rule; optional fields that are not given remain unchanged.",
  input: {
    registryId,
    namespaceId,
    cronSetting,
    retentionId,
    retentionRule: retentionRule.optional().describe("The images to keep."),
    disabled,
  },
  errors: [...insideErrors, "InvalidParameter.ErrorTcrInvalidParameter"],
  repeatable: true,
}));

export const describeTagRetentionRules = publicApiOperation("DescribeTagRetentionRules", () => ({
  summary: "Lists the retention rules of a registry.",
  input: { registryId, namespaceName: namespaceName.optional().describe("Name of the namespace; all unless given."), ...pagePaging },
  output: {
    retentionPolicyList: objects("The rules.", {
      retentionId,
      namespaceName,
      retentionRuleList: z.array(retentionRule).describe("The images to keep; one entry."),
      cronSetting: string("Schedule of the rule."),
      disabled: boolean("Whether the schedule is off."),
      nextExecutionTime: string("Time of the next scheduled run, ISO 8601; empty: none."),
    }),
    totalCount,
  },
  errors: ["ResourceNotFound"],
  pages: { by: "number", items: "retentionPolicyList", key: "retentionId", number: "offset", size: "limit" },
}));

export const deleteTagRetentionRule = publicApiOperation("DeleteTagRetentionRule", () => ({
  summary: "Deletes a retention rule.",
  input: { registryId, retentionId },
  errors: insideErrors,
}));

export const createTagRetentionExecution = publicApiOperation("CreateTagRetentionExecution", () => ({
  summary: "Carries out a retention rule now, whatever its schedule.",
  input: {
    registryId,
    retentionId,
    dryRun: boolean("Whether to delete nothing; false unless given.").optional(),
  },
  errors: insideErrors,
}));
