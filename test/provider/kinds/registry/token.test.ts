import * as registry from "@container-platform/sdk/registry";
import { unknown } from "../../../support/structs.ts";
import { laws, type Table } from "../../every-kind/change-laws.ts";
import { makeRegistry } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

/** What each input of a long-term Token does when it changes and when it is taken out. Temporary ones: temp-token.test.ts. */
async function tokenTable(stage: Stage): Promise<Table> {
  const { cloud } = stage;
  const registryId = await makeRegistry(stage, "laws-first");
  const other = await makeRegistry(stage, "laws-second");

  const base = { registryId };
  const described = { ...base, desc: "for nodes" };
  const disabled = { ...base, enabled: false };
  // While a token is being made, its description is one by which an orphan can be recognised.
  const create = ["CreateInstanceToken", "ModifyInstanceToken"];
  const modify = ["ModifyInstanceToken"];
  const tokenOf = (id: string) => ({ registryId, tokenId: id.split("/")[1] ?? "" });
  return {
    type: "Token",
    inputs: ["registryId", "tokenType", "desc", "enabled", "renewBefore"],
    base,
    creates: create,
    full: { ...described, ...disabled, tokenType: "longterm" },
    notFound: ["token", "username"],
    createsFull: [...create, "ModifyInstanceToken"],
    deletes: ["DeleteInstanceToken"],
    changes: [
      { of: "registryId", to: { registryId: other }, does: "replace", calls: [...create, "DeleteInstanceToken"] },
      // A temp token stays for its hour, and would be in the way of the laws: temp-token.test.ts carries it out.
      { of: "tokenType", to: { tokenType: "temp" }, does: "replace" },
      { of: "desc, put in", to: { desc: "for nodes" }, does: "update", calls: modify },
      { of: "desc, taken out", from: described, to: { desc: undefined }, does: "update", calls: modify },
      { of: "enabled", to: { enabled: false }, does: "update", calls: modify },
      { of: "enabled, taken out", from: disabled, to: { enabled: undefined }, does: "update", calls: modify },
    ],
    refusals: [
      {
        of: "renewBefore of a long-term token",
        to: { renewBefore: "20m" },
        says: 'renewBefore: goes only with tokenType "temp"',
      },
    ],
    unknowns: [
      { of: "registryId", to: { registryId: unknown }, does: "replace" },
      { of: "tokenType", to: { tokenType: unknown }, does: "replace" },
      { of: "desc", to: { desc: unknown }, does: "update" },
      { of: "enabled", to: { enabled: unknown }, does: "update" },
      { of: "renewBefore", to: { renewBefore: unknown }, does: "update" },
    ],
    vanish: (id) => cloud.call(registry.deleteInstanceToken, tokenOf(id)),
  };
}

await laws(tokenTable);
