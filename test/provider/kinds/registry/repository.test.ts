import * as registry from "@container-platform/sdk/registry";
import { unknown } from "../../../support/structs.ts";
import { laws, type Table } from "../../every-kind/change-laws.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";
import type { Stage } from "../../stage/stage.ts";

/** What each input of a Repository does when it changes and when it is taken out. */
async function repositoryTable(stage: Stage): Promise<Table> {
  const { cloud } = stage;
  const registryId = await makeRegistry(stage, "laws-first");
  const other = await makeRegistry(stage, "laws-second");
  await makeNamespace(stage, registryId, "team");
  await makeNamespace(stage, registryId, "crew");
  await makeNamespace(stage, other, "team");
  // These are not to be taken for those of the table: one name is a part of another.
  for (const repositoryName of ["web-two", "two/web"])
    await stage.before(
      () => cloud.call(registry.createRepository, { registryId, namespaceName: "team", repositoryName }),
      () => cloud.call(registry.deleteRepository, { registryId, namespaceName: "team", repositoryName }),
    );

  const base = { registryId, namespaceName: "team", repositoryName: "web" };
  const brief = { ...base, briefDescription: "The shop" };
  const described = { ...base, description: "What customers see" };
  const forced = { ...base, forceDelete: true };
  const modify = ["ModifyRepository"];
  const replaced = ["CreateRepository", "DeleteRepository"];
  return {
    type: "Repository",
    inputs: ["registryId", "namespaceName", "repositoryName", "briefDescription", "description", "forceDelete"],
    base,
    creates: ["CreateRepository"],
    full: { ...brief, ...described, ...forced },
    createsFull: ["CreateRepository"],
    notFound: ["forceDelete"],
    deletes: ["DeleteRepository"],
    changes: [
      { of: "registryId", to: { registryId: other }, does: "replace", calls: replaced },
      { of: "namespaceName", to: { namespaceName: "crew" }, does: "replace", calls: replaced },
      { of: "repositoryName, to one that holds /", to: { repositoryName: "tools/web" }, does: "replace", calls: replaced },
      { of: "briefDescription", to: { briefDescription: "The shop" }, does: "update", calls: modify },
      { of: "briefDescription, taken out", from: brief, to: { briefDescription: undefined }, does: "update", calls: modify },
      { of: "description", to: { description: "What customers see" }, does: "update", calls: modify },
      { of: "description, taken out", from: described, to: { description: undefined }, does: "update", calls: modify },
      {
        of: "both descriptions",
        from: { ...brief, ...described },
        to: { briefDescription: "The market", description: "What everybody sees" },
        does: "update",
        calls: modify,
      },
      { of: "forceDelete", to: { forceDelete: true }, does: "update", calls: [] },
      { of: "forceDelete, taken out", from: forced, to: { forceDelete: undefined }, does: "update", calls: [] },
    ],
    unknowns: [
      { of: "registryId", to: { registryId: unknown }, does: "replace" },
      { of: "namespaceName", to: { namespaceName: unknown }, does: "replace" },
      { of: "repositoryName", to: { repositoryName: unknown }, does: "replace" },
      { of: "briefDescription", to: { briefDescription: unknown }, does: "update" },
      { of: "description", to: { description: unknown }, does: "update" },
      { of: "forceDelete", to: { forceDelete: unknown }, does: "update" },
    ],
    vanish: () => cloud.call(registry.deleteRepository, base),
  };
}

await laws(repositoryTable);
