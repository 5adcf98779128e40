import { expect } from "vitest";
import { expected, imageOf, pushBlob, pushImage, pushManifest, putManifest, refusal, types } from "../content.fixture.ts";
import { sha256, sha512 } from "../stage.fixture.ts";
import type { Requirements } from "./requirement.fixture.ts";

/** Push, as far as it is about manifests. */
export const pushOfManifests: Requirements = {
  "`PUT` of a manifest by tag or by digest returns 201 with the URL of the manifest and its digest (end-7a)": async ({ ask }, name) => {
    const manifest = await imageOf(ask, name);
    const body = JSON.stringify(manifest);
    for (const reference of ["v1", sha256(body)]) {
      const answer = expected(await putManifest(ask, name, reference, body), 201);
      expect(answer.headers.get("docker-content-digest")).toBe(sha256(body));
      expect((await ask("GET", answer.headers.get("location") ?? "")).json).toEqual(manifest);
    }
  },
  "a manifest by digest gets the tags of its `tag` parameters, which `OCI-Tag` confirms (end-7b)": async ({ ask }, name) => {
    const body = JSON.stringify(await imageOf(ask, name));
    const tags = Array.from({ length: 10 }, (_, index) => `1.${index}`);
    const query = tags.map((tag) => `tag=${tag}`).join("&");
    const path = `/v2/${name}/manifests/${sha256(body)}?${query}`;
    const answer = expected(await ask("PUT", path, { body, headers: { "content-type": types.image } }), 201);
    expect(answer.headers.get("oci-tag")?.split(", ")).toEqual(tags);
    for (const tag of tags) expect((await ask("HEAD", `/v2/${name}/manifests/${tag}`)).status).toBe(200);
  },
  "a manifest with a sha512 digest is stored and returned by that digest (end-7a)": async ({ ask }, name) => {
    const body = JSON.stringify(await imageOf(ask, name));
    const path = `/v2/${name}/manifests/${sha512(body)}`;
    const put = expected(await ask("PUT", `${path}?tag=long`, { body, headers: { "content-type": types.image } }), 201);
    expect(put.headers.get("docker-content-digest")).toBe(sha512(body));
    for (const at of [path, `/v2/${name}/manifests/long`])
      expect((await ask("HEAD", at)).headers.get("docker-content-digest")).toBe(sha512(body));
  },
  "a manifest whose digest differs from its URL is rejected (end-7a)": async ({ ask }, name) => {
    const body = JSON.stringify(await imageOf(ask, name));
    expect(await refusal(putManifest(ask, name, sha256("other"), body))).toEqual([400, "DIGEST_INVALID"]);
  },
  "a manifest with missing blobs or manifests is rejected with `MANIFEST_BLOB_UNKNOWN`, which names them (end-7a)": async (
    { ask },
    name,
  ) => {
    const absent = { mediaType: types.layer, digest: sha256("absent"), size: 6 };
    const image = await imageOf(ask, name, { layers: [absent] });
    const index = { schemaVersion: 2, mediaType: types.index, manifests: [{ ...absent, mediaType: types.image }] };
    for (const manifest of [image, index]) {
      const headers = { "content-type": manifest.mediaType };
      const answer = await ask("PUT", `/v2/${name}/manifests/v1`, { body: JSON.stringify(manifest), headers });
      expect(await refusal(answer)).toEqual([404, "MANIFEST_BLOB_UNKNOWN"]);
      expect(answer.json).toMatchObject({ errors: [{ detail: [{ digest: absent.digest }] }] });
    }
    expect((await ask("HEAD", `/v2/${name}/manifests/v1`)).status).toBe(404);
  },
  "non-distributable layers may be missing (end-7a)": async ({ ask }, name) => {
    const mediaType = "application/vnd.oci.image.layer.nondistributable.v1.tar+gzip";
    const foreign = { mediaType, digest: sha256("foreign"), size: 7, urls: ["https://layers.example/foreign"] };
    await pushImage(ask, name, "v1", { layers: [foreign] });
    expect((await ask("GET", `/v2/${name}/manifests/v1`)).json).toMatchObject({ layers: [foreign] });
  },
  "an invalid manifest, an unknown type and a mismatching type are rejected with `MANIFEST_INVALID` (end-7a)": async ({ ask }, name) => {
    const image = await imageOf(ask, name);
    for (const [body, type] of [
      ["{", types.image],
      ["[]", types.image],
      [JSON.stringify({ ...image, config: undefined }), types.image],
      [JSON.stringify(image), types.index],
      [JSON.stringify({ ...image, mediaType: "text/plain" }), "text/plain"],
      [JSON.stringify({ ...image, schemaVersion: 1 }), types.image],
    ] as const) {
      expect(await refusal(ask("PUT", `/v2/${name}/manifests/v1`, { body, headers: { "content-type": type } }))).toEqual([
        400,
        "MANIFEST_INVALID",
      ]);
    }
  },
  "manifests of up to 4 megabytes are accepted; a larger manifest is rejected with 413 (end-7a)": async ({ ask }, name) => {
    const image = await imageOf(ask, name);
    const sized = (bytes: number) => {
      const bare = JSON.stringify({ ...image, annotations: { filler: "" } });
      return JSON.stringify({ ...image, annotations: { filler: "x".repeat(bytes - bare.length) } });
    };
    const put = (body: string) => putManifest(ask, name, "big", body);
    expect((await put(sized(4_194_304))).status).toBe(201);
    expect((await put(sized(4_194_305))).status).toBe(413);
  },
  "a manifest with a subject is accepted before its subject exists, and `OCI-Subject` confirms the subject (end-7a)": async (
    { ask },
    name,
  ) => {
    const subject = { mediaType: types.image, digest: sha256("later"), size: 5 };
    const body = JSON.stringify(await imageOf(ask, name, { subject }));
    const answer = expected(await putManifest(ask, name, sha256(body), body), 201);
    expect(answer.headers.get("oci-subject")).toBe(subject.digest);
  },
  "a tag that is pushed again refers to the new manifest, and the old manifest remains by its digest (end-7a)": async ({ ask }, name) => {
    const [first, second] = [await pushImage(ask, name, "v1"), await pushImage(ask, name, "v1")];
    expect((await ask("HEAD", `/v2/${name}/manifests/v1`)).headers.get("docker-content-digest")).toBe(second.digest);
    expect((await ask("HEAD", `/v2/${name}/manifests/${first.digest}`)).status).toBe(200);
  },
  "a manifest without layers, an artifact manifest and an index of indexes are accepted (end-7a)": async ({ ask }, name) => {
    await pushImage(ask, name, "no-layers", { layers: [] });
    const config = { ...(await pushBlob(ask, name, Buffer.from("{}"))), mediaType: "application/vnd.oci.empty.v1+json" };
    await pushManifest(ask, name, "artifact", {
      schemaVersion: 2,
      mediaType: types.image,
      artifactType: "application/vnd.example.chart",
      config,
      layers: [config],
    });
    const inner = await pushManifest(ask, name, "empty", { schemaVersion: 2, mediaType: types.index, manifests: [] });
    await pushManifest(ask, name, "outer", { schemaVersion: 2, mediaType: types.index, manifests: [inner] });
    expect((await ask("GET", `/v2/${name}/tags/list`)).json).toEqual({ name, tags: ["artifact", "empty", "no-layers", "outer"] });
  },
};
