import * as registry from "@container-platform/sdk/registry";
import type { Drift, Drifts } from "../../every-kind/drift-law.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

export async function repositoryDrifts(stage: Stage): Promise<Drifts> {
  const { cloud } = stage;
  const registryId = await makeRegistry(stage, "drift-repositories");
  const place = { registryId, namespaceName: "team" };
  await makeNamespace(stage, registryId, place.namespaceName);
  let names = 0;
  const base = () => ({ ...place, repositoryName: `web-${names++}`, briefDescription: "The shop", description: "What customers see" });
  const modify = (briefDescription: string, description: string) => (id: string) =>
    cloud.call(registry.modifyRepository, { ...place, repositoryName: id.split("/")[2] ?? "", briefDescription, description });
  const repairs = ["ModifyRepository"];
  const part = "is a part of the id";
  return {
    type: "Repository",
    unread: { registryId: part, namespaceName: part, repositoryName: part, forceDelete: "is for the deletion" },
    cases: [
      {
        input: "briefDescription",
        from: base(),
        byHand: modify("Mine", "What customers see"),
        shows: { briefDescription: "Mine" },
        repairs,
      },
      { input: "description", from: base(), byHand: modify("The shop", "Mine"), shows: { description: "Mine" }, repairs },
      {
        input: "description",
        how: "and briefDescription, both emptied",
        from: base(),
        byHand: modify("", ""),
        shows: { briefDescription: "", description: "" },
        repairs,
      },
      {
        input: "description",
        how: "and all else with its default",
        from: { ...base(), briefDescription: "", description: "", forceDelete: false },
      },
    ],
  };
}

export async function replicationRuleDrifts(stage: Stage): Promise<Drifts> {
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
    type: "ReplicationRule",
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
      {
        input: "filters",
        how: "in another order, and without a value",
        from: { ...base(), filters: [filters[0], { type: "tag" }] },
        byHand: modify({ filters: [{ type: "tag", value: "" }, filters[0]] }),
      },
      changed("override", true, modify({ override: true })),
      changed("enabled", false, modify({ enabled: false })),
      changed("description", "Mine", modify({}, "Mine")),
      {
        input: "description",
        how: "and all else with its default",
        from: { ...base(), override: false, deletion: false, enabled: true, description: "" },
      },
    ],
  };
}
