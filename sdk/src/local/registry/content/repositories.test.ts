import { expect, test } from "vitest";
import * as registry from "../../../catalogue/registry.ts";
import { stage } from "../stage.fixture.ts";
import { refused } from "../../stage.fixture.ts";

async function start() {
  const at = stage();
  const registryId = await at.withNamespace();
  const place = { registryId, namespaceName: "team" };
  const create = (repositoryName: string, texts: { briefDescription?: string; description?: string } = {}) =>
    at.cloud.call(registry.createRepository, { ...place, repositoryName, ...texts });
  const list = async (input = {}) => (await at.cloud.call(registry.describeRepositories, { ...place, ...input })).repositoryList;
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
  await cloud.call(registry.modifyRepository, { ...named, briefDescription: "shop", description: "the shop" });
  const changed = { ...made, updateTime: "2026-01-31T12:00:03Z" };
  expect(await list()).toMatchObject([{ briefDescription: "shop", description: "the shop", ...changed }]);
  await cloud.call(registry.modifyRepository, { ...named, briefDescription: "", description: "" });
  expect(await list()).toMatchObject([{ briefDescription: "", description: "" }]);
  expect((await cloud.call(registry.describeImages, named)).totalCount).toBe(1);
});

test("only a repository that there is can be changed, and only with both descriptions", async () => {
  const { cloud, place, create } = await start();
  await create("web");
  const texts = { briefDescription: "", description: "" };
  const modify = (given: object) => cloud.call(registry.modifyRepository, { ...place, repositoryName: "web", ...texts, ...given });
  const absent = { code: "ResourceNotFound.TcrResourceNotFound", kind: "notFound" };
  await expect(modify({ repositoryName: "we" })).rejects.toMatchObject(absent);
  await expect(modify({ namespaceName: "tea" })).rejects.toMatchObject(absent);
  await refused(modify({ registryId: "tcr-00000000" }), "ResourceNotFound");
  for (const left of ["BriefDescription", "Description"])
    await refused(
      cloud.exchange(registry.modifyRepository, {
        RegistryId: place.registryId,
        NamespaceName: "team",
        RepositoryName: "web",
        ...(left === "Description" ? { BriefDescription: "" } : { Description: "" }),
      }),
      "MissingParameter",
      { message: expect.stringContaining(left) },
    );
});

test("a repository is as public as its namespace", async () => {
  const { cloud, place, create, list } = await start();
  await create("web");
  expect(await list()).toMatchObject([{ public: false }]);
  await cloud.call(registry.modifyNamespace, { ...place, isPublic: true });
  expect(await list()).toMatchObject([{ public: true }]);
});

test("repositories are listed page by page, by namespace and by name, those of one name in two namespaces apart", async () => {
  const { cloud, registryId, create, list } = await start();
  for (const namespaceName of ["shop", "tea"]) await cloud.call(registry.createNamespace, { registryId, namespaceName, isPublic: false });
  for (const name of ["web", "team/web", "web-two"]) await create(name);
  await cloud.call(registry.createRepository, { registryId, namespaceName: "shop", repositoryName: "web" });
  const names = async (input: object) => (await list(input)).map(({ name }) => name);
  expect(await names({ namespaceName: undefined })).toEqual(["team/web", "team/team/web", "team/web-two", "shop/web"]);
  expect(await names({ namespaceName: undefined, repositoryName: "web" })).toEqual(["team/web", "shop/web"]);
  expect(await names({ repositoryName: "team/web" })).toEqual(["team/team/web"]);
  expect(await names({ namespaceName: "tea" })).toEqual([]);
  const page = (offset: number) => cloud.call(registry.describeRepositories, { registryId, offset, limit: 3 });
  expect([await page(1), await page(2), await page(3)]).toMatchObject([
    { repositoryList: [{}, {}, {}], totalCount: 4 },
    { repositoryList: [{ name: "shop/web" }], totalCount: 4 },
    { repositoryList: [], totalCount: 4 },
  ]);
  for (let index = 0; index < 20; index++) await create(`more-${index}`);
  expect([(await list()).length, (await list({ limit: 100 })).length]).toEqual([20, 23]);
  await refused(list({ limit: 101 }), "InvalidParameter");
});

test("a repository's name has 2 to 200 lower-case letters, digits and separators", async () => {
  const { create } = await start();
  for (const name of ["a", "a".repeat(201), "Web", "-web", "web/", "we//b", "we b"])
    await refused(create(name), "InvalidParameter.ErrorTcrInvalidParameter");
  for (const name of ["ab", "a".repeat(200), "a/b_c-d.e"]) await create(name);
});

test("an empty repository is deleted without force, and one with images only if ForceDelete is not false", async () => {
  const { cloud, registryId, place, create, push, list } = await start();
  await create("empty");
  await push(registryId, "1");
  const remove = (repositoryName: string, forceDelete?: boolean) =>
    cloud.call(registry.deleteRepository, { ...place, repositoryName, ...(forceDelete !== undefined && { forceDelete }) });
  await remove("empty", false);
  const message = expect.stringContaining("images (1)");
  await refused(remove("web", false), "FailedOperation.PreconditionFailed", { kind: "failed", message });
  await refused(create("web"), "InternalError.ErrorTcrResourceConflict", { kind: "conflict" });
  expect(await list()).toMatchObject([{ name: "team/web" }]);
  await remove("web", true);
  await refused(remove("web"), "ResourceNotFound.TcrResourceNotFound");
  expect(await list()).toEqual([]);
  await create("web");
  expect((await cloud.call(registry.describeImages, { ...place, repositoryName: "web" })).totalCount).toBe(0);
  await push(registryId, "2");
  await remove("web");
  expect(await list()).toEqual([]);
});
