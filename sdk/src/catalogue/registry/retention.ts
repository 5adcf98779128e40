import { z } from "zod";
import { operations } from "../../operation/operation.ts";
import { changeErrors, insideErrors, namespaceName, pagePaging, registryId, totalCount } from "./structures.ts";

const operation = operations("registry", "2019-09-24");

export const retentionKeys = ["latestPushedK", "nDaysSinceLastPush"] as const;
export const cronSettings = ["manual", "daily", "weekly", "monthly"] as const;

const namespaceId = z.int().describe("Number of the namespace, as DescribeNamespaces tells it.");
const retentionId = z.int().describe("Number of the rule.");
const cronSetting = z.enum(cronSettings).describe("When it is carried out: `manual`, `daily`, `weekly` or `monthly`.");
const disabled = z.boolean().optional().describe("Whether it is not carried out by itself; false unless given.");

const retentionRule = z.object({
  key: z
    .enum(retentionKeys)
    .describe("What is kept: `latestPushedK`, the newest ones of a repository; `nDaysSinceLastPush`, those of the last days."),
  value: z.int().describe("How many images, or how many days; 1 or more."),
});

export const createTagRetentionRule = operation("CreateTagRetentionRule", () => ({
  summary: "Gives a namespace its retention rule: which images of each repository are kept. The others are deleted. One rule a namespace.",
  input: { registryId, namespaceId, cronSetting, retentionRule: retentionRule.describe("What is kept."), disabled },
  output: {},
  errors: [...changeErrors, "InvalidParameter.ErrorTcrInvalidParameter", "InternalError.ErrConflict"],
  effect: "write",
  source: "specification",
}));

export const modifyTagRetentionRule = operation("ModifyTagRetentionRule", () => ({
  summary: "Changes a retention rule; what may be left out stays as it is.",
  input: { registryId, namespaceId, cronSetting, retentionId, retentionRule: retentionRule.optional().describe("What is kept."), disabled },
  output: {},
  errors: [...insideErrors, "InvalidParameter.ErrorTcrInvalidParameter"],
  effect: "write",
  repeatable: true,
  source: "specification",
}));

export const describeTagRetentionRules = operation("DescribeTagRetentionRules", () => ({
  summary: "Lists the retention rules of a registry.",
  input: { registryId, namespaceName: namespaceName.optional().describe("Name of the namespace; all unless given."), ...pagePaging },
  output: {
    retentionPolicyList: z
      .array(
        z.object({
          retentionId,
          namespaceName,
          retentionRuleList: z.array(retentionRule).describe("What is kept; one entry."),
          cronSetting: z.string().describe("When it is carried out."),
          disabled: z.boolean().describe("Whether it is not carried out by itself."),
          nextExecutionTime: z.string().describe("When it is carried out next, ISO 8601; empty if it is not by itself."),
        }),
      )
      .describe("The rules."),
    totalCount,
  },
  errors: ["ResourceNotFound"],
  effect: "read",
  pages: { by: "number", items: "retentionPolicyList", number: "offset", size: "limit" },
  source: "public-api",
}));

export const deleteTagRetentionRule = operation("DeleteTagRetentionRule", () => ({
  summary: "Deletes a retention rule.",
  input: { registryId, retentionId },
  output: {},
  errors: insideErrors,
  effect: "write",
  source: "public-api",
}));

export const createTagRetentionExecution = operation("CreateTagRetentionExecution", () => ({
  summary: "Carries a retention rule out now, whatever its time.",
  input: {
    registryId,
    retentionId,
    dryRun: z.boolean().optional().describe("Whether nothing is deleted; false unless given."),
  },
  output: {},
  errors: insideErrors,
  effect: "write",
  source: "public-api",
}));
