import { expect, onTestFinished, test } from "vitest";
import {
  createInstanceToken,
  createTagRetentionExecution,
  createTagRetentionRule,
  deleteImage,
  deleteRepository,
  describeNamespaces,
  describeTagRetentionRules,
  manageReplication,
} from "../catalogue/registry.ts";
import { setImmutableTags, setStorageQuota } from "../local/registry/out-of-band.ts";
import { codesIn, expected, imageOf, pushBlob, pushImage, types } from "./content.fixture.ts";
import { askerAt, basic, openStage, region, sha256 } from "./stage.fixture.ts";

async function start() {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  const { ask, world, registryId } = stage;
  const put = async (reference: string, manifest: object) =>
    ask("PUT", `/v2/team/web/manifests/${reference}`, { body: JSON.stringify(manifest), headers: { "content-type": types.image } });
  const immutable = (...tags: string[]) => setImmutableTags(world, { region, registryId, namespace: "team", tags });
  return { ...stage, put, immutable };
}

test("an immutable tag is neither moved nor deleted by image clients; the same image may be pushed again, and other tags may move", async () => {
  const { ask, put, immutable } = await start();
  await immutable("v*");
  const first = await imageOf(ask, "team/web");
  expected(await put("v1", first), 201);
  const second = await imageOf(ask, "team/web");
  const moved = await put("v1", second);
  expect([moved.status, codesIn(moved)]).toEqual([403, ["DENIED"]]);
  expect(moved.json).toMatchObject({ errors: [{ message: expect.stringContaining("the tag team/web:v1 is immutable") }] });
  expect((await put(`${sha256(JSON.stringify(second))}?tag=v1`, second)).status).toBe(403);
  expect([(await put("v1", first)).status, (await put("latest", first)).status, (await put("latest", second)).status]).toEqual([
    201, 201, 201,
  ]);
  for (const reference of ["v1", sha256(JSON.stringify(first))]) {
    const refused = await ask("DELETE", `/v2/team/web/manifests/${reference}`);
    expect([refused.status, codesIn(refused)]).toEqual([403, ["DENIED"]]);
  }
  expect((await ask("DELETE", "/v2/team/web/manifests/latest")).status).toBe(202);
  await immutable();
  expect((await put("v1", second)).status).toBe(201);
});

test("the platform deletes no immutable tag: not when it is asked to, and not by retention or replication", async () => {
  const { ask, immutable, cloud, registryId, make, addressOf, username, world } = await start();
  const copyId = await make("copy-images");
  const rule = { name: "all", destNamespace: "team", override: true, deletion: true, filters: [{ type: "name" as const, value: "**" }] };
  await cloud.call(manageReplication, { sourceRegistryId: registryId, destinationRegistryId: copyId, rule });
  await setImmutableTags(world, { region, registryId: copyId, namespace: "team", tags: ["*"] });
  const first = await pushImage(ask, "team/web", "v1");
  await pushImage(ask, "team/web", "v1");
  const { token } = await cloud.call(createInstanceToken, { registryId: copyId, tokenType: "temp" });
  const copy = askerAt(await addressOf(copyId), basic(username, token));
  const copied = async () => (await copy("HEAD", "/v2/team/web/manifests/v1")).headers.get("docker-content-digest");
  expect(await copied()).toBe(first.digest);
  expected(await ask("DELETE", "/v2/team/web/manifests/v1"), 202);
  expect(await copied()).toBe(first.digest);

  await immutable("v*");
  for (const tag of ["v1", "v2", "next"]) await pushImage(ask, "team/web", tag);
  const named = { registryId, namespaceName: "team", repositoryName: "web" };
  await expect(cloud.call(deleteImage, { ...named, imageVersion: "v1" })).rejects.toMatchObject({ code: "OperationDenied" });
  await expect(cloud.call(deleteRepository, named)).rejects.toMatchObject({ code: "FailedOperation.PreconditionFailed" });
  const { namespaceList } = await cloud.call(describeNamespaces, { registryId, namespaceName: "team" });
  const retentionRule = { key: "latestPushedK", value: 1 } as const;
  await pushImage(ask, "team/web", "last");
  await cloud.call(createTagRetentionRule, {
    registryId,
    namespaceId: namespaceList[0]?.namespaceId ?? 0,
    cronSetting: "manual",
    retentionRule,
  });
  const { retentionPolicyList } = await cloud.call(describeTagRetentionRules, { registryId });
  await cloud.call(createTagRetentionExecution, { registryId, retentionId: retentionPolicyList[0]?.retentionId ?? 0 });
  expect((await ask("GET", "/v2/team/web/tags/list")).json).toMatchObject({ tags: ["last", "v1", "v2"] });
});

test("what does not fit into the quota of a registry is denied; what several images have counts once, and what is deleted makes room", async () => {
  const { ask, put, registryId, world, cloud } = await start();
  const quota = (bytes: number | undefined) => setStorageQuota(world, { region, registryId, bytes });
  const layer = await pushBlob(ask, "team/web", Buffer.alloc(10_000, "layer"));
  const image = (note: string, layers = [layer]) => imageOf(ask, "team/web", { layers, annotations: { note } });
  await quota(13_000);
  expected(await put("v1", await image("one")), 201);
  expected(await put("v2", await image("two")), 201);
  const big = Buffer.alloc(5000, "big");
  const refused = await ask("POST", `/v2/team/web/blobs/uploads/?digest=${sha256(big)}`, { body: big });
  expect([refused.status, codesIn(refused)]).toEqual([403, ["DENIED"]]);
  expect(refused.json).toMatchObject({ errors: [{ message: expect.stringMatching(/^the storage quota of the registry is 13000 bytes/) }] });
  // Two blobs that fit one by one, but not together.
  const parts = [await pushBlob(ask, "team/web", Buffer.alloc(1000, "a")), await pushBlob(ask, "team/web", Buffer.alloc(1000, "b"))];
  const both = await image("both", parts);
  expect((await put("v3", both)).status).toBe(403);
  for (const imageVersion of ["v1", "v2"])
    await cloud.call(deleteImage, { registryId, namespaceName: "team", repositoryName: "web", imageVersion });
  expected(await put("v3", both), 201);
  await quota(undefined);
  expected(await ask("POST", `/v2/team/web/blobs/uploads/?digest=${sha256(big)}`, { body: big }), 201);
});
