import { expect, test } from "vitest";
import * as registry from "../../catalogue/registry.ts";
import { setImmutableTags, setStorageQuota } from "../../local/registry/out-of-band.ts";
import { copyOf, expected, imageOf, keepNewest, pushBlob, pushImage, putManifest, refusal } from "./content.fixture.ts";
import { region, sha256, stageOfTest } from "./stage.fixture.ts";

async function start() {
  const stage = await stageOfTest();
  const { ask, world, registryId } = stage;
  const put = (reference: string, manifest: object) => putManifest(ask, "team/web", reference, manifest);
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
  expect(await refusal(moved)).toEqual([403, "DENIED"]);
  expect(moved.json).toMatchObject({ errors: [{ message: expect.stringContaining("the tag team/web:v1 is immutable") }] });
  expect((await put(`${sha256(JSON.stringify(second))}?tag=v1`, second)).status).toBe(403);
  expect([(await put("v1", first)).status, (await put("latest", first)).status, (await put("latest", second)).status]).toEqual([
    201, 201, 201,
  ]);
  for (const reference of ["v1", sha256(JSON.stringify(first))]) {
    expect(await refusal(ask("DELETE", `/v2/team/web/manifests/${reference}`))).toEqual([403, "DENIED"]);
  }
  expect(await refusal(ask("DELETE", "/v2/team/web/manifests/v9"))).toEqual([404, "MANIFEST_UNKNOWN"]);
  expect((await ask("DELETE", "/v2/team/web/manifests/latest")).status).toBe(202);
  await immutable();
  expect((await put("v1", second)).status).toBe(201);
});

test("the platform deletes no immutable tag: not when it is asked to, and not by retention or replication", async () => {
  const stage = await start();
  const { ask, immutable, cloud, registryId, world } = stage;
  const { copyId, copy } = await copyOf(stage, "team", "**");
  await setImmutableTags(world, { region, registryId: copyId, namespace: "team", tags: ["*"] });
  const first = await pushImage(ask, "team/web", "v1");
  await pushImage(ask, "team/web", "v1");
  const copied = async () => (await copy("HEAD", "/v2/team/web/manifests/v1")).headers.get("docker-content-digest");
  expect(await copied()).toBe(first.digest);
  expected(await ask("DELETE", "/v2/team/web/manifests/v1"), 202);
  expect(await copied()).toBe(first.digest);

  await immutable("v*");
  for (const tag of ["v1", "v2", "next"]) await pushImage(ask, "team/web", tag);
  const named = { registryId, namespaceName: "team", repositoryName: "web" };
  await expect(cloud.call(registry.deleteImage, { ...named, imageVersion: "v1" })).rejects.toMatchObject({ code: "OperationDenied" });
  await expect(cloud.call(registry.deleteRepository, named)).rejects.toMatchObject({ code: "FailedOperation.PreconditionFailed" });
  await pushImage(ask, "team/web", "last");
  await (
    await keepNewest(stage, "manual")
  )();
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
  expect(await refusal(refused)).toEqual([403, "DENIED"]);
  expect(refused.json).toMatchObject({ errors: [{ message: expect.stringMatching(/^the storage quota of the registry is 13000 bytes/) }] });
  // Two blobs that fit one by one, but not together.
  const parts = [await pushBlob(ask, "team/web", Buffer.alloc(1000, "a")), await pushBlob(ask, "team/web", Buffer.alloc(1000, "b"))];
  const both = await image("both", parts);
  expect((await put("v3", both)).status).toBe(403);
  for (const imageVersion of ["v1", "v2"])
    await cloud.call(registry.deleteImage, { registryId, namespaceName: "team", repositoryName: "web", imageVersion });
  expected(await put("v3", both), 201);
  await quota(undefined);
  expected(await ask("POST", `/v2/team/web/blobs/uploads/?digest=${sha256(big)}`, { body: big }), 201);
});
