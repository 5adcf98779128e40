import { expect, test } from "vitest";
import { lookUpEvents } from "../../catalogue/audit.ts";
import * as registry from "../../catalogue/registry.ts";
import { putImage } from "../../local/registry/out-of-band.ts";
import { copyOf, expected, imageOf, keepNewest, pushBlob, pushImage, pushManifest, refusal, types } from "./content.fixture.ts";
import { region, sha256, stageOfTest } from "./stage.fixture.ts";
import { sweep } from "./open.ts";

async function start() {
  const stage = await stageOfTest();
  const { registryId, cloud, ask } = stage;
  const versions = async (at = registryId, namespaceName = "team", repositoryName = "web") =>
    (await cloud.call(registry.describeImages, { registryId: at, namespaceName, repositoryName })).imageInfoList;
  const has = async (path: string, from = ask) => (await from("HEAD", `/v2/${path}`)).status === 200;
  return { ...stage, versions, has };
}

test("what is pushed shows in DescribeImages and DescribeRepositories, and in the audit log with its user", async () => {
  const { ask, cloud, registryId, versions, username, world } = await start();
  const { digest, size } = await pushImage(ask, "team/web", "v1");
  const named = { imageVersion: "v1", digest, size: size + 64 + 2, kind: "docker-image" };
  expect(await versions()).toMatchObject([named]);
  const { repositoryList } = await cloud.call(registry.describeRepositories, { registryId });
  expect(repositoryList).toMatchObject([{ name: "team/web", namespace: "team" }]);
  expected(await ask("DELETE", "/v2/team/web/manifests/v1"), 202);
  expect(await versions()).toEqual([]);
  const now = Math.floor(world.now() / 1000);
  const lookupAttributes = [{ attributeKey: "ResourceName", attributeValue: "team/web" }];
  const { events } = await cloud.call(lookUpEvents, { startTime: now - 60, endTime: now + 60, lookupAttributes });
  expect(events).toMatchObject([
    { eventName: "DeleteImage", username: "root", eventSource: "registry", resources: { resourceName: expect.stringContaining("v1") } },
    { eventName: "PushImage", username: "root", resources: { resourceName: `${registryId},team,web,team/web,v1,${digest}` } },
  ]);
  expect(JSON.parse(events[0]?.cloudAuditEvent ?? "")).toMatchObject({ Uin: username, ReadOnly: false });
});

test("an index has the size of all that it lists", async () => {
  const { ask, versions } = await start();
  const [one, other] = [await pushImage(ask, "team/web", "one"), await pushImage(ask, "team/web", "other")];
  const index = await pushManifest(ask, "team/web", "all", { schemaVersion: 2, mediaType: types.index, manifests: [one, other] });
  const sizes = Object.fromEntries((await versions()).map(({ imageVersion, size }) => [imageVersion, size]));
  expect(sizes["all"]).toBe(index.size + (sizes["one"] ?? 0) + (sizes["other"] ?? 0));
});

test("DeleteImage and DeleteRepository delete the content: what no other image has can be pulled no more", async () => {
  const { ask, cloud, registryId, has } = await start();
  const named = { registryId, namespaceName: "team", repositoryName: "web" };
  const inner = await pushImage(ask, "team/web", "inner");
  const index = await pushManifest(ask, "team/web", "all", { schemaVersion: 2, mediaType: types.index, manifests: [inner] });
  const signature = await pushImage(ask, "team/web", "signature", { subject: index });
  await cloud.call(registry.deleteImage, { ...named, imageVersion: "inner" });
  await cloud.call(registry.deleteImage, { ...named, imageVersion: "signature" });
  // The index lists one, and the other refers to nothing else.
  expect(await has(`team/web/manifests/${inner.digest}`)).toBe(true);
  expect(await has(`team/web/manifests/${signature.digest}`)).toBe(false);
  await cloud.call(registry.deleteImage, { ...named, imageVersion: "all" });
  for (const { digest } of [inner, index]) expect(await has(`team/web/manifests/${digest}`)).toBe(false);
  const blob = await pushBlob(ask, "team/web");
  await pushImage(ask, "team/web", "v1");
  await cloud.call(registry.deleteRepository, named);
  expect(await has("team/web/manifests/v1")).toBe(false);
  expect(await has(`team/web/blobs/${blob.digest}`)).toBe(false);
});

test("retention rules delete content, when they are due and when they are run", async () => {
  const stage = await start();
  const { ask, world, has } = stage;
  const run = await keepNewest(stage, "daily");
  const old = await pushImage(ask, "team/web", "old");
  world.advance(1000);
  await pushImage(ask, "team/web", "new");
  expect(await has(`team/web/manifests/${old.digest}`)).toBe(true);
  world.advance(24 * 3_600_000);
  // The look itself carries out what is due.
  expect(await has(`team/web/manifests/${old.digest}`)).toBe(false);
  expect(await has("team/web/manifests/new")).toBe(true);
  world.advance(1000);
  await pushImage(ask, "team/web", "newest");
  await run();
  expect([await has("team/web/manifests/new"), await has("team/web/manifests/newest")]).toEqual([false, true]);
});

test("replication rules copy content to another registry, and delete it there if they have Deletion", async () => {
  const stage = await start();
  const { ask, has } = stage;
  const { copy } = await copyOf(stage, "other", "team/**");
  const image = await pushImage(ask, "team/web", "v1");
  const index = await pushManifest(ask, "team/web", "all", { schemaVersion: 2, mediaType: types.index, manifests: [image] });
  for (const reference of ["all", "v1", index.digest, image.digest])
    expect((await copy("GET", `/v2/other/web/manifests/${reference}`)).status).toBe(200);
  const { layers } = (await copy("GET", "/v2/other/web/manifests/v1")).json as { layers: { digest: string; size: number }[] };
  for (const { digest, size } of layers) expect((await copy("GET", `/v2/other/web/blobs/${digest}`)).bytes.length).toBe(size);
  expected(await ask("DELETE", `/v2/team/web/manifests/v1`), 202);
  expect([await has("other/web/manifests/v1", copy), await has("other/web/manifests/all", copy)]).toEqual([false, true]);
});

test("an image with vulnerabilities that its namespace blocks is not pulled, by tag and by digest, and also once it is tagged anew", async () => {
  const { ask, cloud, registryId, world } = await start();
  const body = JSON.stringify(await imageOf(ask, "team/web"));
  const digest = sha256(body);
  const vulnerabilities = [{ cveId: "CVE-2026-1000", severity: "high" as const }];
  await pushManifest(ask, "team/web", "v1", JSON.parse(body) as { mediaType: string });
  await putImage(world, { region, registryId, namespace: "team", repository: "web", version: "v1", digest, vulnerabilities });
  await pushManifest(ask, "team/web", "also", JSON.parse(body) as { mediaType: string });
  await cloud.call(registry.modifyNamespace, { registryId, namespaceName: "team", isPreventVul: true, severity: "medium" });
  for (const reference of ["v1", "also", digest]) {
    expect(await refusal(ask("GET", `/v2/team/web/manifests/${reference}`))).toEqual([412, "DENIED"]);
  }
  await cloud.call(registry.modifyNamespace, { registryId, namespaceName: "team", cveWhitelistItems: [{ cveId: "CVE-2026-1000" }] });
  expect((await ask("GET", "/v2/team/web/manifests/v1")).status).toBe(200);
});

test("an image that was put into the world without content is listed, and is no manifest", async () => {
  const { ask, registryId, world } = await start();
  await putImage(world, { region, registryId, namespace: "team", repository: "web", version: "v1" });
  expect((await ask("GET", "/v2/team/web/tags/list")).json).toMatchObject({ tags: ["v1"] });
  expect((await ask("GET", "/v2/team/web/manifests/v1")).json).toEqual({
    errors: [{ code: "MANIFEST_UNKNOWN", message: "there is no manifest team/web:v1: it was put into the world without content" }],
  });
});

test("what a registry had is gone with it, and its ports are closed", async () => {
  const { ask, cloud, registryId, images, world, make, folder } = await start();
  const image = await pushImage(ask, "team/web", "v1");
  await cloud.call(registry.deleteInstance, { registryId });
  await images.ports.look();
  await expect(ask("GET", "/v2/")).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  const { context } = images.registry;
  const there = () => context.content.sizeOf({ text: image.digest, algorithm: "sha256", hex: image.digest.slice(7) });
  expect(await there()).toBe(image.size);
  await make("later-images");
  await sweep(world, context.content, context.uploads, Date.now() + 2 * 3_600_000);
  expect([await there(), folder]).toEqual([undefined, folder]);
});

test("content that is still needed is never swept, and blobs wait an hour for their manifest", async () => {
  const { ask, has, images, world, cloud, registryId } = await start();
  await cloud.call(registry.createNamespace, { registryId, namespaceName: "more", isPublic: false });
  await pushImage(ask, "more/web", "v1");
  const { layers } = (await ask("GET", "/v2/more/web/manifests/v1")).json as { layers: { digest: string }[] };
  const lonely = await pushBlob(ask, "more/web");
  const { content, uploads } = images.registry.context;
  const needed = `more/web/blobs/${layers[0]?.digest ?? ""}`;
  await sweep(world, content, uploads, Date.now() + 1000);
  expect([await has(needed), await has(`more/web/blobs/${lonely.digest}`)]).toEqual([true, true]);
  await sweep(world, content, uploads, Date.now() + 2 * 3_600_000);
  expect([await has(needed), await has(`more/web/blobs/${lonely.digest}`)]).toEqual([true, false]);
});
