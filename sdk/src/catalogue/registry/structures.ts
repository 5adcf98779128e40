import { z } from "zod";
import type { ErrorCode } from "../../operation/errors.ts";
import { int, spelt, string } from "../../operation/operation.ts";
import { tags } from "../shared.ts";

/** Structures that several operations of the registry service share (specification, "Registry resources"). */

export const registryId = string("ID of the registry, such as `tcr-3f8a0c1e`.");
export const namespaceName = string("Name of the namespace.");
export const repositoryName = string("Name of the repository, without its namespace.");

/** The registry service takes a single specification of tags, not a list of them. */
export const tagSpecification = z.object({
  resourceType: z.string().default("instance").describe("Type of the tagged resource; `instance` unless given."),
  tags: tags.describe("The tags, at most 50."),
});

/** The parameters of a page. Here, `Offset` is the number of the page. */
export const pagePaging = {
  offset: int("Number of the page, counted from 1; 1 unless given, 0 is the same as 1.").optional(),
  limit: int("Number of items on a page, 1 to 100; 20 unless given.").optional(),
};

export const severities = ["low", "medium", "high"] as const;
export const severity = z.enum(severities);

export const cveWhitelistItems = z.array(
  z.object({ cveId: spelt("CVEID", string("Number of a vulnerability, such as `CVE-2026-12345`.")) }),
);

/** The error codes of operations on resources in a registry. */
export const insideErrors = ["ResourceNotFound", "ResourceNotFound.TcrResourceNotFound"] as const satisfies readonly ErrorCode[];

/** The error codes of operations that create resources in a registry. */
export const makingErrors = ["ResourceNotFound", "ResourceInsufficient.ErrorInstanceNotRunning"] as const satisfies readonly ErrorCode[];

/** The error codes of operations that change resources in a registry. */
export const changeErrors = [...insideErrors, "ResourceInsufficient.ErrorInstanceNotRunning"] as const satisfies readonly ErrorCode[];
