import { z } from "zod";
import { operations } from "../operation/operation.ts";

const { publicApiOperation } = operations("identity", "2018-08-13");

export const getCallerIdentity = publicApiOperation("GetCallerIdentity", () => ({
  summary: "Returns the caller's identity. It needs no region and no permission.",
  input: {},
  output: {
    accountId: z.string().describe("ID of the main account."),
    userId: z.string().describe("ID of the caller: the main account, or one of its sub-accounts."),
  },
}));
