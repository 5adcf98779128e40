import { z } from "zod";
import { operations, sensitive } from "../../operation/operation.ts";
import { listingErrors, offsetPaging } from "../shared.ts";
import { makingErrors, insideErrors, registryId } from "./structures.ts";

const operation = operations("registry", "2019-09-24");

export const tokenTypes = ["temp", "longterm"] as const;
const tokenId = z.string().describe("ID of the long-term token.");
const desc = z.string().describe("Description of the token.");

export const createInstanceToken = operation("CreateInstanceToken", () => ({
  summary: "Creates a token for the log-in of container clients. Its password is only returned here.",
  input: {
    registryId,
    tokenType: z
      .enum(tokenTypes)
      .optional()
      .describe("`temp`, the default: valid for one hour. `longterm`: until it is disabled or deleted."),
    desc: desc.optional().describe("Description of a long-term token."),
  },
  output: {
    username: z.string().describe("User name for the log-in."),
    token: sensitive(z.string()).describe("Password for the log-in."),
    expTime: z.int().describe("Time of expiry, milliseconds since 1970."),
    tokenId: z.string().describe("ID of a long-term token; empty for a temporary one."),
  },
  errors: makingErrors,
  effect: "write",
  source: "specification",
}));

export const describeInstanceToken = operation("DescribeInstanceToken", () => ({
  summary: "Lists the long-term tokens of a registry, without their passwords.",
  input: { registryId, ...offsetPaging(z.int()) },
  output: {
    totalCount: z.int().describe("Number of long-term tokens on all pages."),
    tokens: z
      .array(
        z.object({
          id: tokenId,
          desc,
          registryId,
          enabled: z.boolean().describe("Whether it is enabled: it can be used to log in."),
          createdAt: z.string().describe("Time of creation, ISO 8601."),
          expiredAt: z.int().describe("Time of expiry, milliseconds since 1970."),
        }),
      )
      .describe("The tokens."),
  },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "tokens", key: "id" },
  source: "specification",
}));

export const modifyInstanceToken = operation("ModifyInstanceToken", () => ({
  summary: "Enables or disables a long-term token, or changes its description; only one of them in a call.",
  input: {
    registryId,
    tokenId,
    enable: z.boolean().optional().describe("Whether it can be used to log in; required with `ModifyFlag` 2."),
    desc: desc.optional().describe("Description of the token; required with `ModifyFlag` 1."),
    modifyFlag: z.literal([1, 2]).optional().describe("1: changes the description. 2, the default: enables or disables."),
  },
  output: {},
  errors: insideErrors,
  effect: "write",
  repeatable: true,
  source: "specification",
}));

export const deleteInstanceToken = operation("DeleteInstanceToken", () => ({
  summary: "Deletes a long-term token. A temporary one expires by itself.",
  input: { registryId, tokenId },
  output: {},
  errors: insideErrors,
  effect: "write",
  source: "specification",
}));
