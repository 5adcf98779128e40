import { expect, test } from "vitest";
import { createRepository, describeImages, describeRepositories, modifyNamespace, modifyRepository } from "../../../catalogue/registry.ts";
import { stage } from "../stage.fixture.ts";

async function start() {
  const at = stage();
  const registryId = await at.withNamespace();
  const place = { registryId, namespaceName: "team" };
  const create = (repositoryName: string, texts: { briefDescription?: string; description?: string } = {}) =>
    at.cloud.call(createRepository, { ...place, repositoryName, ...texts });
  const list = async (input = {}) => (await at.cloud.call(describeRepositories, { ...place, ...input })).repositoryList;
  return { ...at, registryId, place, create, list };
}

test("the descriptions of a repository are changed together, and cleared with empty ones", async () => {
  const { cloud, world, place, create, list, push } = await start();
  await create("web", { briefDescription: "b", description: "d" });
  await push(place.registryId, "1");
  const made = { creationTime: "2026-01-31T12:00:02Z", updateTime: "2026-01-31T12:00:02Z" };
  expect(await list()).toMatchObject([{ briefDescription: "b", description: "d", ...made }]);
  world.advance(1000);
  const named = { ...place, repositoryName: "web" };
  await cloud.call(modifyRepository, { ...named, briefDescription: "shop", description: "the shop" });
  const changed = { ...made, updateTime: "2026-01-31T12:00:03Z" };
  expect(await list()).toMatchObject([{ briefDescription: "shop", description: "the shop", ...changed }]);
  await cloud.call(modifyRepository, { ...named, briefDescription: "", description: "" });
  expect(await list()).toMatchObject([{ briefDescription: "", description: "" }]);
  expect((await cloud.call(describeImages, named)).totalCount).toBe(1);
});

test("only a repository that there is can be changed, and only with both descriptions", async () => {
  const { cloud, place, create } = await start();
  await create("web");
  const texts = { briefDescription: "", description: "" };
  const modify = (given: object) => cloud.call(modifyRepository, { ...place, repositoryName: "web", ...texts, ...given });
  const absent = { code: "ResourceNotFound.TcrResourceNotFound", kind: "notFound" };
  await expect(modify({ repositoryName: "we" })).rejects.toMatchObject(absent);
  await expect(modify({ namespaceName: "tea" })).rejects.toMatchObject(absent);
  await expect(modify({ registryId: "tcr-00000000" })).rejects.toMatchObject({ code: "ResourceNotFound" });
  for (const left of ["BriefDescription", "Description"])
    await expect(
      cloud.exchange(modifyRepository, {
        RegistryId: place.registryId,
        NamespaceName: "team",
        RepositoryName: "web",
        ...(left === "Description" ? { BriefDescription: "" } : { Description: "" }),
      }),
    ).rejects.toMatchObject({ code: "MissingParameter", message: expect.stringContaining(left) });
});

test("a repository is as public as its namespace", async () => {
  const { cloud, place, create, list } = await start();
  await create("web");
  expect(await list()).toMatchObject([{ public: false }]);
  await cloud.call(modifyNamespace, { ...place, isPublic: true });
  expect(await list()).toMatchObject([{ public: true }]);
});
