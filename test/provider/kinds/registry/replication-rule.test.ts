import * as registry from "@container-platform/sdk/registry";
import { unknown } from "../../../support/structs.ts";
import { laws, type Change, type Table } from "../../every-kind/change-laws.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

/** What each input of a ReplicationRule does when it changes and when it is taken out. */
async function replicationRuleTable(stage: Stage): Promise<Table> {
  const { cloud } = stage;
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
  const create = "ManageReplication";
  const modify = ["ModifyReplication"];
  const replaced = [create, "DeleteReplicationRule"];
  // The name of a rule is there once in its source.
  const inPlaceOf = { does: "delete-replace", calls: replaced.toReversed() } as const;
  return {
    type: "ReplicationRule",
    inputs: [...Object.keys(away), ...Object.keys(set)],
    base,
    creates: [create],
    full: { ...away, ...set },
    // A rule is in use when it is made.
    createsFull: [create, ...modify],
    notFound: ["deletion", "destinationRegion"],
    deletes: ["DeleteReplicationRule"],
    changes: [
      { of: "sourceRegistryId", to: { sourceRegistryId: other }, does: "replace", calls: replaced },
      { of: "ruleName", to: { ruleName: "copy two" }, does: "replace", calls: replaced },
      { of: "destinationRegistryId", to: { destinationRegistryId: other }, ...inPlaceOf },
      {
        of: "destinationRegistryId, in another region",
        to: { destinationRegistryId: far, destinationRegion: "ap-singapore" },
        ...inPlaceOf,
      },
      {
        of: "destinationRegistryId, back from there",
        from: away,
        to: { destinationRegistryId: near, destinationRegion: undefined },
        ...inPlaceOf,
      },
      { of: "destinationRegion, the source's put in", to: { destinationRegion: "eu-frankfurt" }, does: "update", calls: [] },
      { of: "destinationRegion, taken out", from: away, to: { destinationRegion: undefined }, does: "update", calls: [] },
      { of: "destNamespace", to: { destNamespace: "archive" }, does: "update", calls: modify },
      ...filterChanges(base, modify),
      ...Object.entries(set).flatMap(([key, value]): Change[] => [
        { of: key, to: { [key]: value }, does: "update", calls: modify },
        { of: `${key}, taken out`, from: { ...base, [key]: value }, to: { [key]: undefined }, does: "update", calls: modify },
      ]),
      {
        of: "all that can be changed",
        to: { ...set, destNamespace: "archive", filters: [{ type: "tag" }] },
        does: "update",
        calls: modify,
      },
    ],
    refusals: [
      {
        of: "the source as destination",
        to: { destinationRegistryId: sourceRegistryId },
        says: `destinationRegistryId: ${sourceRegistryId} is the source itself: name another registry`,
      },
    ],
    unknowns: [
      { of: "sourceRegistryId", to: { sourceRegistryId: unknown }, does: "replace" },
      { of: "ruleName", to: { ruleName: unknown }, does: "replace" },
      { of: "destinationRegistryId", to: { destinationRegistryId: unknown }, does: "delete-replace" },
      { of: "destinationRegion", to: { destinationRegion: unknown }, does: "delete-replace" },
      { of: "destNamespace", to: { destNamespace: unknown }, does: "update" },
      { of: "filters", to: { filters: unknown }, does: "update" },
      { of: "a part of filters", to: { filters: [{ type: "name", value: unknown }] }, does: "update" },
      ...Object.keys(set).map((key) => ({ of: key, to: { [key]: unknown }, does: "update" }) as const),
    ],
    vanish: () => cloud.call(registry.deleteReplicationRule, { sourceRegistryId, ruleName: base.ruleName }),
  };
}

function filterChanges(base: object, modify: readonly string[]): Change[] {
  const [name, tag] = [{ type: "name", value: "team/**" }, { type: "tag" }];
  const two = { ...base, filters: [name, tag] };
  return [
    { of: "filters", to: { filters: [{ ...name, value: "crew/**" }] }, does: "update", calls: modify },
    { of: "filters, one more", to: { filters: [name, tag] }, does: "update", calls: modify },
    {
      of: "filters, in another order and spelling",
      from: two,
      to: {
        filters: [
          { value: "", type: "tag" },
          { value: "team/**", type: "name" },
        ],
      },
      does: "nothing",
      calls: [],
    },
  ];
}

await laws(replicationRuleTable);
