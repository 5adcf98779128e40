import { z } from "zod";
import type { ErrorCode } from "../operation/errors.ts";

/** Structures that operations of several products share (specification, "Shared structures"). */

export const tags = z.array(z.object({ key: z.string().describe("Key of the tag."), value: z.string().describe("Value of the tag.") }));

/** Several values of one filter are alternatives; several filters must all hold. */
export const filters = z.array(
  z.object({
    name: z.string().describe("What to filter by; the names differ from operation to operation."),
    values: z.array(z.string()).describe("Values, any of which may match."),
  }),
);

/** Which part of a long list to answer. The private-network service takes these numbers as text. */
export function offsetPaging<Count extends z.ZodString | z.ZodInt>(count: Count) {
  return {
    offset: z.optional(count).describe("Items to leave out at the beginning; 0 unless given."),
    limit: z.optional(count).describe("Items to answer at most; 20 unless given, 100 at most."),
  };
}

/** Error codes of operations that list by ids, filters and page, besides `InvalidParameter` for a wrong filter. */
export const listingErrors = [
  "InvalidParameter.Coexist",
  "InvalidParameterValue.LimitExceeded",
  "InvalidParameterValue.Malformed",
  "InvalidParameterValue.Range",
  "ResourceNotFound",
] as const satisfies readonly ErrorCode[];

/** Error codes of operations that set tags. */
export const taggingErrors = [
  "InvalidParameterValue.TooLong",
  "InvalidParameterValue.Empty",
  "InvalidParameterValue.Duplicate",
  "LimitExceeded.ResourceAttachedTags",
] as const satisfies readonly ErrorCode[];
