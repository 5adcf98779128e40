import * as registry from "@container-platform/sdk/registry";
import { inAndOut, laws, notKnown } from "../../every-kind/change-laws.ts";
import { makeRegistry } from "../../stage/outside.ts";

/** What each input of a long-term Token does when it changes and when it is taken out. Temporary ones: logins.test.ts. */
await laws(async (stage) => {
  const registryId = await makeRegistry(stage, "laws-first");
  const other = await makeRegistry(stage, "laws-second");

  const base = { registryId };
  const set = { desc: "for nodes", enabled: false };
  return {
    type: "Token",
    base,
    creates: ["CreateInstanceToken"],
    full: { ...base, ...set, tokenType: "longterm" },
    notFound: ["token", "username"],
    createsFull: ["CreateInstanceToken", "ModifyInstanceToken"],
    updates: ["ModifyInstanceToken"],
    deletes: ["DeleteInstanceToken"],
    changes: [
      { to: { registryId: other }, does: "replace" },
      { to: { tokenType: "temp" }, does: "replace", onlyPlanned: "a temp token stays for its hour: logins.test.ts carries it out" },
      ...inAndOut(base, set),
    ],
    refusals: [
      { of: "renewBefore of a long-term token", to: { renewBefore: "20m" }, says: 'renewBefore: goes only with tokenType "temp"' },
    ],
    unknowns: [...notKnown("replace", ["registryId", "tokenType"]), ...notKnown("update", ["desc", "enabled", "renewBefore"])],
    vanish: (id) => stage.cloud.call(registry.deleteInstanceToken, { registryId, tokenId: id.split("/")[1] ?? "" }),
  };
});
