import { z } from "zod";
import { operations } from "../operation/operation.ts";

const operation = operations("identity", "2018-08-13");

export const getCallerIdentity = operation("GetCallerIdentity", () => ({
  summary: "Tells who calls. It belongs to no region and needs no permission.",
  input: {},
  output: {
    accountId: z.string().describe("The main account's id."),
    userId: z.string().describe("Who calls: the main account's id, or that of one of its sub-accounts."),
  },
  errors: [],
  effect: "read",
  source: "public-api",
}));
