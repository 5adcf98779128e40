import * as registry from "@container-platform/sdk/registry";
import { inAndOut, laws, notKnown } from "../../every-kind/change-laws.ts";
import { makeNamespace, makeRegistry } from "../../stage/outside.ts";

/** What each input of a Repository does when it changes and when it is taken out. */
await laws(async (stage) => {
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
  const texts = { briefDescription: "The shop", description: "What customers see" };
  return {
    type: "Repository",
    base,
    creates: ["CreateRepository"],
    full: { ...base, ...texts, forceDelete: true },
    updates: ["ModifyRepository"],
    notFound: ["forceDelete"],
    deletes: ["DeleteRepository"],
    changes: [
      { to: { registryId: other }, does: "replace" },
      { to: { namespaceName: "crew" }, does: "replace" },
      { of: "repositoryName, to one that holds /", to: { repositoryName: "tools/web" }, does: "replace" },
      ...inAndOut(base, texts),
      { from: { ...base, ...texts }, to: { briefDescription: "The market", description: "What everybody sees" } },
      ...inAndOut(base, { forceDelete: true }, { calls: [] }),
    ],
    unknowns: [
      ...notKnown("replace", ["registryId", "namespaceName", "repositoryName"]),
      ...notKnown("update", ["briefDescription", "description", "forceDelete"]),
    ],
    vanish: () => cloud.call(registry.deleteRepository, base),
  };
});
