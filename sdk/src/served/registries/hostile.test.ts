import { expect, test } from "vitest";
import { describeImages } from "../../catalogue/registry.ts";
import { snapshotOf } from "../../local/control/snapshot.ts";
import { setImmutableTags } from "../../local/registry/out-of-band.ts";
import {
  copyOf,
  type Descriptor,
  expected,
  imageOf,
  pushBlob,
  pushImage,
  pushManifest,
  putManifest,
  refusal,
  types,
} from "./content.fixture.ts";
import { askerAt, region, stageOfTest } from "./stage.fixture.ts";

async function start() {
  const stage = await stageOfTest();
  const { cloud, registryId } = stage;
  const listed = async () =>
    (await cloud.call(describeImages, { registryId, namespaceName: "team", repositoryName: "web" })).imageInfoList.map(
      ({ imageVersion, size }) => [imageVersion, size],
    );
  return { ...stage, listed };
}

test("a manifest that says another size of a blob than the blob has is refused, and what is there is still listed", async () => {
  const { ask, listed, mistakes, world } = await start();
  const good = await pushImage(ask, "team/web", "good");
  const image = await imageOf(ask, "team/web");
  for (const size of [0, 1, Number.MAX_SAFE_INTEGER]) {
    const refused = await putManifest(ask, "team/web", "false", { ...image, config: { ...image.config, size } });
    expect(await refusal(refused)).toEqual([400, "MANIFEST_INVALID"]);
    const said = `the manifest says that ${image.config.digest} has ${size} bytes, and the blob has ${image.config.size}`;
    expect(refused.json).toMatchObject({ errors: [{ message: expect.stringContaining(said) }] });
  }
  expect((await listed()).map(([tag]) => tag)).toEqual(["good"]);
  expect((await ask("HEAD", "/v2/team/web/manifests/good")).headers.get("docker-content-digest")).toBe(good.digest);
  expect(JSON.stringify(snapshotOf(world)).length).toBeGreaterThan(0);
  expect(mistakes).toEqual([]);
});

test("lists that list each other's parts again and again are taken in a moment, and each part counts once", async () => {
  const { ask, listed } = await start();
  const list = (reference: string, manifests: Descriptor[], annotations: object) =>
    pushManifest(ask, "team/web", reference, { schemaVersion: 2, mediaType: types.index, manifests, annotations });
  const image = await imageOf(ask, "team/web");
  const first = await pushManifest(ask, "team/web", "first", image);
  const blobs = image.config.size + image.layers.reduce((sum, { size }) => sum + size, 0);
  let [parts, manifests] = [[first], first.size];
  for (let level = 0; level < 40; level++) {
    parts = [await list(`a${level}`, parts, { level: "a" }), await list(`b${level}`, parts, { level: "b" })];
    manifests += parts.reduce((sum, { size }) => sum + size, 0);
  }
  const top = await list("top", parts, {});
  expect(await listed()).toContainEqual(["top", manifests + top.size + blobs]);
});

test("what an immutable image is made of is not deleted either: neither the manifests that it lists, nor their blobs", async () => {
  const { ask, world, registryId } = await start();
  const image = await imageOf(ask, "team/web");
  const part = await pushManifest(ask, "team/web", "part", image);
  const index = { schemaVersion: 2, mediaType: types.index, manifests: [part] };
  await pushManifest(ask, "team/web", "v1", index);
  const other = await pushBlob(ask, "team/web");
  const immutable = (...tags: string[]) => setImmutableTags(world, { region, registryId, namespace: "team", tags });
  await immutable("v*");
  const paths = [`manifests/${part.digest}`, ...[image.config, ...image.layers].map(({ digest }) => `blobs/${digest}`)];
  for (const path of paths) {
    const refused = await ask("DELETE", `/v2/team/web/${path}`);
    expect([path, ...(await refusal(refused))]).toEqual([path, 403, "DENIED"]);
    expect(refused.json).toMatchObject({ errors: [{ message: expect.stringMatching(/the tag team\/web:v1 is immutable/) }] });
  }
  // What the image does not need, and another tag of a part of it.
  for (const path of [`blobs/${other.digest}`, "manifests/part"]) expected(await ask("DELETE", `/v2/team/web/${path}`), 202);
  for (const path of paths) expected(await ask("HEAD", `/v2/team/web/${path}`), 200);
  await immutable();
  for (const path of paths) expected(await ask("DELETE", `/v2/team/web/${path}`), 202);
});

test("a log-in has a few kilobytes: a longer one is refused, and not kept until its end", async () => {
  const { address, mistakes } = await start();
  const form = (bytes: number) =>
    askerAt(address)("POST", "/service/token", {
      body: "a".repeat(bytes),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  const refused = await form(70_000);
  expect(await refusal(refused)).toEqual([413, "SIZE_INVALID"]);
  expect((await form(60_000)).status).toBe(401);
  expect(mistakes).toEqual([]);
});

test("a rule of many stars holds no push up", async () => {
  const stage = await start();
  await copyOf(stage, "team", `${"**a".repeat(30)}!`);
  await pushImage(stage.ask, `team/${"a".repeat(100)}`, "v1");
});
