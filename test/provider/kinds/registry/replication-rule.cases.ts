import * as registry from "@container-platform/sdk/registry";
import { type Drift, type Drifts, unnoticed } from "../../every-kind/drift-law.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";
import type { Place } from "../../stage/place.ts";
import { judging, type Judged, type KeyedCreation, type KindCases, type Site } from "../kind-cases.ts";
import { idsOfTable } from "../world-ids.ts";

const { update, create } = judging("ReplicationRule");

async function drifts({ stage }: Place): Promise<Drifts> {
  const { cloud } = stage;
  const singapore = stage.cloudIn("ap-singapore");
  const sourceRegistryId = await makeRegistry(stage, "drift-source");
  const near = await makeRegistry(stage, "drift-near");
  const other = await makeRegistry(stage, "drift-other");
  const far = await makeRegistry(stage, "drift-far", singapore);
  for (const id of [near, other]) await makeNamespace(stage, id, "copies");
  await makeNamespace(stage, near, "archive");
  await makeNamespace(stage, far, "copies", singapore);

  const filters = [
    { type: "name" as const, value: "team/**" },
    { type: "tag" as const, value: "v*" },
  ];
  let names = 0;
  const base = () => ({ sourceRegistryId, ruleName: `copy-${names++}`, destinationRegistryId: near, destNamespace: "copies", filters });
  const modify = (rule: object, description?: string) => (id: string) =>
    cloud.call(registry.modifyReplication, { sourceRegistryId, ruleName: id.split("/")[1] ?? "", rule, description });
  /** A rule of the same name that copies to another registry. */
  const redirect = (destinationRegistryId: string, destinationRegionId?: number) => async (id: string) => {
    const ruleName = id.split("/")[1] ?? "";
    await cloud.call(registry.deleteReplicationRule, { sourceRegistryId, ruleName });
    const rule = { name: ruleName, destNamespace: "copies", filters, override: false };
    await cloud.call(registry.manageReplication, { sourceRegistryId, destinationRegistryId, destinationRegionId, rule });
  };
  const anew = { plan: "delete-replace", repairs: ["DeleteReplicationRule", "ManageReplication"] } as const;
  const changed = (input: string, value: unknown, byHand: NonNullable<Drift["byHand"]>): Drift => ({
    input,
    from: base(),
    byHand,
    shows: { [input]: value },
    repairs: ["ModifyReplication"],
  });
  const part = "is a part of the id";
  return {
    unread: { sourceRegistryId: part, ruleName: part, deletion: "the platform does not tell it" },
    cases: [
      { input: "destinationRegistryId", from: base(), byHand: redirect(other), shows: { destinationRegistryId: other }, ...anew },
      {
        input: "destinationRegion",
        how: "with the registry",
        from: { ...base(), destinationRegion: "eu-frankfurt" },
        byHand: redirect(far, 2),
        shows: { destinationRegistryId: far, destinationRegion: "ap-singapore" },
        ...anew,
      },
      changed("destNamespace", "archive", modify({ destNamespace: "archive" })),
      changed("filters", filters.slice(1), modify({ filters: filters.slice(1) })),
      unnoticed(
        "filters",
        "in another order, and without a value",
        { ...base(), filters: [filters[0], { type: "tag" }] },
        modify({ filters: [{ type: "tag", value: "" }, filters[0]] }),
      ),
      changed("override", true, modify({ override: true })),
      changed("enabled", false, modify({ enabled: false })),
      changed("description", "Mine", modify({}, "Mine")),
      unnoticed("description", "and all else with its default", {
        ...base(),
        override: false,
        deletion: false,
        enabled: true,
        description: "",
      }),
    ],
  };
}

async function killed({ stage, registryId: destinationRegistryId }: Place): Promise<KeyedCreation> {
  const { cloud } = stage;
  const sourceRegistryId = await makeRegistry(stage, "laws-source");
  const to = { sourceRegistryId, destinationRegistryId };
  const copied = { destNamespace: "team", filters: [{ type: "name" as const, value: "**" }] };
  return {
    args: { ...to, ruleName: "copy", ...copied },
    id: `${sourceRegistryId}/copy`,
    count: () => stage.rows("replicationRules"),
    byHand: () => cloud.call(registry.manageReplication, { ...to, rule: { name: "copy", override: true, ...copied } }),
    undo: () => cloud.call(registry.deleteReplicationRule, { sourceRegistryId, ruleName: "copy" }),
  };
}

async function site({ cloud, idsOf }: Site): Promise<readonly string[]> {
  const [sourceRegistryId = "", destinationRegistryId = ""] = idsOf("RegistryInstance");
  const filters = [{ type: "name" as const, value: "team/**" }, { type: "tag" as const }];
  const copied = { name: "to archive", destNamespace: "copies", override: false, filters };
  await cloud.call(registry.manageReplication, { sourceRegistryId, destinationRegistryId, rule: copied });
  return [`${sourceRegistryId}/to archive`];
}

const judged: Readonly<Record<string, Judged>> = {
  "copies overwritten": update({ override: false }, { override: true }, ["safeguard-weakened"], { undo: "no" }),
  "copies deleted with what they are copies of": update({ deletion: false }, { deletion: true }, ["safeguard-weakened"], { undo: "no" }),
  "copies no longer deleted": update({ deletion: true }, { deletion: false }, [], { undo: "yes" }),
  "a rule out of use": update({ enabled: true }, { enabled: false }, ["interrupts"], { undo: "yes", says: "images are no longer copied" }),
  "other images copied": update({ filters: [] }, { filters: [{ type: "tag" }] }, [], { undo: "yes" }),
  "images copied elsewhere, where they overwrite others": update(
    { destNamespace: "a", override: true },
    { destNamespace: "b", override: true },
    ["safeguard-weakened"],
    { undo: "no", says: "are overwritten" },
  ),
  "a new rule that overwrites and deletes": create({ override: true, deletion: true }, ["safeguard-weakened"], {
    says: "deleting an image deletes its copy",
  }),
  "a rule that deletes enabled again": update({ enabled: false, deletion: true }, { enabled: true, deletion: true }, [
    "safeguard-weakened",
  ]),
};

export const cases: KindCases = {
  drifts,
  creates: { operation: registry.manageReplication },
  killed: { keyed: killed },
  site,
  idsIn: idsOfTable("replicationRules"),
  program: {
    one: (called) => `new ReplicationRule("archive", {
  sourceRegistryId: registryId, ruleName: "archive", destinationRegistryId: archive.registryId, destNamespace: copies.namespaceName,
  filters: [{ type: "name", value: "team/**" }], description: "${called}",
});`,
  },
  random: {
    template: {
      // The namespace is never in the source: that is a registry of another template.
      needs: { source: "RegistryInstance-connected", destination: "Namespace" },
      replaces: true,
      args: ({ version, place }, refer) => ({
        sourceRegistryId: refer("source", "registryId"),
        ruleName: `place-${place}`,
        destinationRegistryId: refer("destination", "registryId"),
        destNamespace: refer("destination", "namespaceName"),
        filters: [{ type: "name", value: `version-${version}/**` }],
        override: version % 2 === 1,
      }),
    },
    renamed: { exempt: "its name cannot be changed" },
    deleted: { exempt: "replication-rule.test.ts deletes it by hand" },
    imported: { exempt: "would need registries that were made by hand, too" },
  },
  judged,
};
