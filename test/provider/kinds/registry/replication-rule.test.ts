import * as registry from "@container-platform/sdk/registry";
import { unknown } from "../../../support/structs.ts";
import { inAndOut, laws, notKnown } from "../../every-kind/change-laws.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";

/** What each input of a ReplicationRule does when it changes and when it is taken out. */
await laws(async (stage) => {
  const singapore = stage.cloudIn("ap-singapore");
  const sourceRegistryId = await makeRegistry(stage, "laws-source");
  const other = await makeRegistry(stage, "laws-other");
  const near = await makeRegistry(stage, "laws-near");
  const far = await makeRegistry(stage, "laws-far", singapore);
  for (const namespaceName of ["copies", "archive"]) {
    await makeNamespace(stage, near, namespaceName);
    await makeNamespace(stage, other, namespaceName);
    await makeNamespace(stage, far, namespaceName, singapore);
  }

  const filters = [{ type: "name", value: "team/**" }];
  const base = { sourceRegistryId, ruleName: "copy", destinationRegistryId: near, destNamespace: "copies", filters };
  const away = { ...base, destinationRegistryId: far, destinationRegion: "ap-singapore" };
  const set = { override: true, deletion: true, enabled: false, description: "for the night" };
  const [name, tag] = [filters[0], { type: "tag" }];
  // The name of a rule is there once in its source.
  const does = "delete-replace";
  return {
    type: "ReplicationRule",
    base,
    creates: ["ManageReplication"],
    full: { ...away, ...set },
    // A rule is in use when it is made.
    createsFull: ["ManageReplication", "ModifyReplication"],
    notFound: ["deletion", "destinationRegion"],
    updates: ["ModifyReplication"],
    deletes: ["DeleteReplicationRule"],
    changes: [
      { to: { sourceRegistryId: other }, does: "replace" },
      { to: { ruleName: "copy two" }, does: "replace" },
      { to: { destinationRegistryId: other }, does },
      { of: "destinationRegistryId, in another region", to: { destinationRegistryId: far, destinationRegion: "ap-singapore" }, does },
      { of: "destinationRegistryId, back from there", from: away, to: { destinationRegistryId: near, destinationRegion: undefined }, does },
      { of: "destinationRegion, the source's put in", to: { destinationRegion: "eu-frankfurt" }, calls: [] },
      { from: away, to: { destinationRegion: undefined }, calls: [] },
      { to: { destNamespace: "archive" } },
      { to: { filters: [{ ...name, value: "crew/**" }] } },
      { of: "filters, one more", to: { filters: [name, tag] } },
      {
        of: "filters, in another order and spelling",
        from: { ...base, filters: [name, tag] },
        to: { filters: [{ value: "", ...tag }, name] },
        does: "nothing",
      },
      ...inAndOut(base, set),
      { of: "all that can be changed", to: { ...set, destNamespace: "archive", filters: [{ type: "tag" }] } },
    ],
    unknowns: [
      ...notKnown("replace", ["sourceRegistryId", "ruleName"]),
      ...notKnown("delete-replace", ["destinationRegistryId", "destinationRegion"]),
      ...notKnown("update", ["destNamespace", "filters", ...Object.keys(set)]),
      { of: "a part of filters", to: { filters: [{ type: "name", value: unknown }] }, does: "update" },
    ],
    vanish: () => stage.cloud.call(registry.deleteReplicationRule, { sourceRegistryId, ruleName: base.ruleName }),
  };
});
