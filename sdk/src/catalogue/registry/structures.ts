import { z } from "zod";
import type { ErrorCode } from "../../operation/errors.ts";
import { spelt } from "../../operation/operation.ts";
import { tags } from "../shared.ts";

/** Structures in inputs and answers of several operations of the registry service (specification, "Registry resources"). */

export const registryId = z.string().describe("Id of the registry, such as `tcr-3f8a0c1e`.");
export const namespaceName = z.string().describe("Name of the namespace.");
export const repositoryName = z.string().describe("Name of the repository, without that of its namespace.");
export const totalCount = z.int().describe("How many match, on this page or not.");

/** The registry service takes one specification of tags, not a list of them. */
export const tagSpecification = z.object({
  resourceType: z.string().default("instance").describe("What the tags are for; `instance` unless given."),
  tags: tags.describe("The tags, at most 50."),
});

/** Which page of a long list to answer: `Offset` is the number of the page here. */
export const pagePaging = {
  offset: z.int().optional().describe("Number of the page, counted from 1; 1 unless given, and 0 means the same."),
  limit: z.int().optional().describe("Items on a page, 1 to 100; 20 unless given."),
};

export const severities = ["low", "medium", "high"] as const;
export const severity = z.enum(severities);

export const cveWhitelistItems = z.array(
  z.object({ cveId: spelt("CVEID", z.string()).describe("Number of a vulnerability, such as `CVE-2026-12345`.") }),
);

/** Error codes of operations on what is inside of a registry. */
export const insideErrors = ["ResourceNotFound", "ResourceNotFound.TcrResourceNotFound"] as const satisfies readonly ErrorCode[];

/** Error codes of operations that create something in a registry. */
export const makingErrors = ["ResourceNotFound", "ResourceInsufficient.ErrorInstanceNotRunning"] as const satisfies readonly ErrorCode[];

/** Error codes of operations that change something in a registry. */
export const changeErrors = [...insideErrors, "ResourceInsufficient.ErrorInstanceNotRunning"] as const satisfies readonly ErrorCode[];
