import { z } from "zod";
import type { ErrorCode } from "../operation/errors.ts";
import { int, objects, string, strings } from "../operation/operation.ts";

/** Structures that operations of several products share (specification, "Shared structures"). */

export const tags = z.array(z.object({ key: string("Key of the tag."), value: string("Value of the tag.") }));

/** Of a list that is answered page by page. */
export const totalCount = int("Number of matches on all pages.");
export const createdTime = string("Time of creation, ISO 8601.");

/** Several values of one filter are alternatives; several filters must all match. */
export function filters(description: string) {
  return objects(description, {
    name: string("Name of the filter; each operation has its own."),
    values: strings("Values, any of which may match."),
  }).optional();
}

/** The parameters of a page. The private-network service takes the numbers as text. */
export function offsetPaging<Count extends z.ZodString | z.ZodInt>(count: Count) {
  return {
    offset: z.optional(count).describe("Number of items to skip; 0 unless given."),
    limit: z.optional(count).describe("The most items to return, up to 100; 20 unless given."),
  };
}

/** The error codes of operations that list by ids, filters and page, besides `InvalidParameter` for a wrong filter. */
export const listingErrors = [
  "InvalidParameter.Coexist",
  "InvalidParameterValue.LimitExceeded",
  "InvalidParameterValue.Malformed",
  "InvalidParameterValue.Range",
  "ResourceNotFound",
] as const satisfies readonly ErrorCode[];

/** The error codes of operations that set tags. */
export const taggingErrors = [
  "InvalidParameterValue.TooLong",
  "InvalidParameterValue.Empty",
  "InvalidParameterValue.Duplicate",
  "LimitExceeded.ResourceAttachedTags",
] as const satisfies readonly ErrorCode[];
