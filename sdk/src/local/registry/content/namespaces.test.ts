import { expect, test } from "vitest";
import type { z } from "zod";
import * as registry from "../../../catalogue/registry.ts";
import { stage } from "../stage.fixture.ts";
import { refused } from "../../stage.fixture.ts";

type New = Omit<z.input<typeof registry.createNamespace.input>, "registryId">;

async function start() {
  const at = stage();
  const registryId = await at.running();
  const create = (input: Partial<New>) =>
    at.cloud.call(registry.createNamespace, { registryId, namespaceName: "team", isPublic: false, ...input });
  const list = async (input: Omit<z.input<typeof registry.describeNamespaces.input>, "registryId"> = {}) =>
    (await at.cloud.call(registry.describeNamespaces, { registryId, ...input })).namespaceList;
  const names = async (input?: Parameters<typeof list>[0]) => (await list(input)).map(({ name }) => name);
  const modify = (input: Omit<z.input<typeof registry.modifyNamespace.input>, "registryId" | "namespaceName">) =>
    at.cloud.call(registry.modifyNamespace, { registryId, namespaceName: "team", ...input });
  return { ...at, registryId, create, list, names, modify };
}

test("a namespace is created with the severity that it blocks, and changed", async () => {
  const { create, list, modify } = await start();
  await create({ severity: "high", isAutoScan: true, cveWhitelistItems: [{ cveId: "CVE-2026-12345" }] });
  const made = { name: "team", public: false, autoScan: true, preventVul: true, severity: "high", creationTime: "2026-01-31T12:00:02Z" };
  expect(await list()).toMatchObject([{ ...made, cveWhitelistItems: [{ cveId: "CVE-2026-12345" }] }]);
  await modify({ isPublic: true, severity: "low" });
  expect(await list()).toMatchObject([{ public: true, autoScan: true, severity: "low" }]);
  await modify({ isPreventVul: false, cveWhitelistItems: [], tagSpecification: { tags: [{ key: "a", value: "b" }] } });
  expect(await list()).toMatchObject([
    { preventVul: false, severity: "", cveWhitelistItems: [], tagSpecification: { tags: [{ key: "a" }] } },
  ]);
  const invalid = { code: "InvalidParameter.ErrorTcrInvalidParameter", kind: "invalid" };
  await expect(modify({ isPreventVul: true })).rejects.toMatchObject(invalid);
  await expect(modify({ isPreventVul: false, severity: "low" })).rejects.toMatchObject(invalid);
  await expect(modify({ cveWhitelistItems: [{ cveId: "12345" }] })).rejects.toMatchObject(invalid);
  await refused(modify({ tagSpecification: { resourceType: "cluster", tags: [] } }), "InvalidParameter");
});

test("names of namespaces are checked, and unique in a registry", async () => {
  const { create, cloud, registryId } = await start();
  for (const namespaceName of ["a", "a".repeat(31), "Team", "-team", "team.", "te..am", "te/am"])
    await refused(create({ namespaceName }), "InvalidParameter.ErrorTcrInvalidParameter");
  for (const namespaceName of ["ab", "a".repeat(30), "te.am_a-b"]) await create({ namespaceName });
  await refused(create({ namespaceName: "ab" }), "FailedOperation.ErrorTcrResourceConflict", { kind: "conflict" });
  const missing = { registryId, namespaceName: "absent" };
  const absent = { code: "ResourceNotFound.TcrResourceNotFound", kind: "notFound" };
  await expect(cloud.call(registry.modifyNamespace, missing)).rejects.toMatchObject(absent);
  await expect(cloud.call(registry.deleteNamespace, missing)).rejects.toMatchObject(absent);
  const nowhere = { registryId: "tcr-00000000", namespaceName: "team", isPublic: true };
  await refused(cloud.call(registry.createNamespace, nowhere), "ResourceNotFound");
});

test("the specification of tags is answered as it was given, and is that of an instance unless given", async () => {
  const { create, modify, list } = await start();
  const specification = async () => (await list())[0]?.tagSpecification;
  await create({});
  expect(await specification()).toEqual({ resourceType: "instance", tags: [] });
  await modify({ tagSpecification: { resourceType: "namespace", tags: [{ key: "a", value: "b" }] } });
  expect(await specification()).toEqual({ resourceType: "namespace", tags: [{ key: "a", value: "b" }] });
  await modify({ isPublic: true });
  expect(await specification()).toMatchObject({ resourceType: "namespace" });
  await modify({ tagSpecification: { tags: [] } });
  expect(await specification()).toEqual({ resourceType: "instance", tags: [] });
});

test("namespaces are found by a part of their name, page by page", async () => {
  const { create, names } = await start();
  for (const namespaceName of ["team", "team-two", "other"]) await create({ namespaceName });
  expect(await names({ namespaceName: "team" })).toEqual(["team", "team-two"]);
  expect([await names({ limit: 2 }), await names({ limit: 2, offset: 2 }), await names({ limit: 2, offset: 3 })]).toEqual([
    ["team", "team-two"],
    ["other"],
    [],
  ]);
  for (let index = 0; index < 20; index++) await create({ namespaceName: `more-${index}` });
  expect([(await names()).length, (await names({ all: true })).length]).toEqual([20, 23]);
  const invalid = { code: "InvalidParameter" };
  await expect(names({ limit: 101 })).rejects.toMatchObject(invalid);
  await expect(names({ offset: -1 })).rejects.toMatchObject(invalid);
});

test("a namespace can only be deleted without repositories", async () => {
  const { create, cloud, registryId, names, push } = await start();
  await create({});
  await push(registryId, "1");
  await push(registryId, "2");
  const remove = () => cloud.call(registry.deleteNamespace, { registryId, namespaceName: "team" });
  await refused(remove(), "FailedOperation.PreconditionFailed", { kind: "failed", message: expect.stringContaining("web (images: 2)") });
  await cloud.call(registry.deleteRepository, { registryId, namespaceName: "team", repositoryName: "web" });
  await remove();
  expect(await names()).toEqual([]);
});

test("repositories and images are listed as they were pushed", async () => {
  const { create, cloud, registryId, push, versionsOf, world } = await start();
  await create({ isPublic: true });
  await create({ namespaceName: "other" });
  await cloud.call(registry.createRepository, {
    registryId,
    namespaceName: "other",
    repositoryName: "a/b",
    briefDescription: "b",
    description: "d",
  });
  world.advance(1000);
  const digest = await push(registryId, "1.0");
  world.advance(1000);
  await push(registryId, "1.1");
  const list = async (input = {}) => (await cloud.call(registry.describeRepositories, { registryId, ...input })).repositoryList;
  expect(await list({ sortBy: "-update_time" })).toMatchObject([
    { name: "team/web", namespace: "team", public: true },
    { name: "other/a/b", namespace: "other", public: false, briefDescription: "b", description: "d" },
  ]);
  expect((await list({ sortBy: "-name" })).map(({ name }) => name)).toEqual(["team/web", "other/a/b"]);
  expect(await list({ namespaceName: "team", repositoryName: "we" })).toEqual([]);
  expect(await list({ namespaceName: "team", repositoryName: "web" })).toHaveLength(1);
  expect(await versionsOf(registryId)).toEqual(["1.1", "1.0"]);
  const named = { registryId, namespaceName: "team", repositoryName: "web" };
  const images = async (input: object) => (await cloud.call(registry.describeImages, { ...named, ...input })).imageInfoList;
  expect(await images({ digest })).toMatchObject([{ imageVersion: "1.0", digest, kind: "docker-image", kmsSignature: "" }]);
  expect([(await images({ imageVersion: "1" })).length, (await images({ imageVersion: "1", exactMatch: true })).length]).toEqual([2, 0]);
  await cloud.call(registry.deleteImage, { ...named, imageVersion: "1.0" });
  const absent = { code: "ResourceNotFound.TcrResourceNotFound" };
  await expect(cloud.call(registry.deleteImage, { ...named, imageVersion: "1.0" })).rejects.toMatchObject(absent);
  await expect(versionsOf(registryId, { repositoryName: "wen" })).rejects.toMatchObject(absent);
  await expect(versionsOf(registryId, { namespaceName: "tean" })).rejects.toMatchObject(absent);
  await expect(push(registryId, "1", { namespace: "tean" })).rejects.toThrow("has no namespace tean");
});
