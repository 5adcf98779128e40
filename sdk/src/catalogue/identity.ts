import { operations, string } from "../operation/operation.ts";

const { publicApiOperation } = operations("identity", "2018-08-13");

export const getCallerIdentity = publicApiOperation("GetCallerIdentity", () => ({
  summary: "Returns the caller's identity. It needs no region and no permission.",
  input: {},
  output: {
    accountId: string("ID of the main account."),
    userId: string("ID of the caller: the main account, or one of its sub-accounts."),
  },
}));
