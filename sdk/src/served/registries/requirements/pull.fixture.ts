import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { imageOf, pushBlob, pushImage, pushManifest, refusal, types } from "../content.fixture.ts";
import { sha256 } from "../stage.fixture.ts";
import type { Requirements } from "./requirement.fixture.ts";

const nothing = sha256("nothing that was ever pushed");

/** Pull: manifests and blobs are fetched, and looked for. */
export const pull: Requirements = {
  "`GET /v2/` returns 200 with a login, and 401 with a challenge without a login (end-1)": async ({ ask, address }) => {
    expect(await ask("GET", "/v2/")).toMatchObject({ status: 200, json: {} });
    const response = await fetch(`http://${address}/v2/`);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe(`Bearer realm="http://${address}/service/token",service="${address}"`);
  },
  "`GET` of a manifest by tag and by digest returns 200 with its exact bytes, its type without parameters, and its digest (end-3)": async (
    { ask },
    name,
  ) => {
    const manifest = await imageOf(ask, name, { annotations: { spaces: "  kept  " } });
    const body = Buffer.from(JSON.stringify(manifest, undefined, 3));
    const headers = { "content-type": `${types.image}; charset=utf-8` };
    expect((await ask("PUT", `/v2/${name}/manifests/v1`, { body, headers })).status).toBe(201);
    for (const reference of ["v1", sha256(body)]) {
      const answer = await ask("GET", `/v2/${name}/manifests/${reference}`, { headers: { accept: types.image } });
      expect(answer.status).toBe(200);
      expect(answer.bytes.equals(body)).toBe(true);
      expect(answer.headers.get("content-type")).toBe(types.image);
      expect(answer.headers.get("docker-content-digest")).toBe(sha256(body));
    }
  },
  "`HEAD` of a manifest returns 200 with its digest and its size, without a body (end-3)": async ({ ask }, name) => {
    const { digest, size } = await pushImage(ask, name, "v1");
    for (const reference of ["v1", digest]) {
      const answer = await ask("HEAD", `/v2/${name}/manifests/${reference}`);
      expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
      expect(answer.headers.get("docker-content-digest")).toBe(digest);
      expect(answer.headers.get("content-length")).toBe(String(size));
    }
  },
  "a missing manifest and a missing repository return 404 (end-3)": async ({ ask }, name) => {
    const { digest } = await pushImage(ask, name, "v1");
    for (const path of [`${name}/manifests/v2`, `${name}/manifests/${nothing}`, `team/nobody/manifests/${digest}`]) {
      expect(await refusal(ask("GET", `/v2/${path}`))).toEqual([404, "MANIFEST_UNKNOWN"]);
      expect((await ask("HEAD", `/v2/${path}`)).status).toBe(404);
    }
  },
  "`GET` of a blob returns 200 with its bytes and its digest (end-2)": async ({ ask }, name) => {
    const bytes = randomBytes(200_000);
    const { digest } = await pushBlob(ask, name, bytes);
    const answer = await ask("GET", `/v2/${name}/blobs/${digest}`);
    expect([answer.status, answer.bytes.equals(bytes)]).toEqual([200, true]);
    expect(answer.headers.get("docker-content-digest")).toBe(digest);
  },
  "`HEAD` of a blob returns 200 with its digest and its size, without a body (end-2)": async ({ ask }, name) => {
    const { digest, size } = await pushBlob(ask, name);
    const answer = await ask("HEAD", `/v2/${name}/blobs/${digest}`);
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    expect([answer.headers.get("docker-content-digest"), answer.headers.get("content-length")]).toEqual([digest, String(size)]);
  },
  "a missing blob returns 404, also if another repository has the blob (end-2)": async ({ ask }, name) => {
    const { digest } = await pushBlob(ask, name);
    for (const path of [`${name}/blobs/${nothing}`, `other/apart/blobs/${digest}`]) {
      expect(await refusal(ask("GET", `/v2/${path}`))).toEqual([404, "BLOB_UNKNOWN"]);
      expect((await ask("HEAD", `/v2/${path}`)).status).toBe(404);
    }
  },
  "`Range` requests a part of a blob: 206 with the part, and 416 outside of the blob (end-2)": async ({ ask }, name) => {
    const bytes = randomBytes(100);
    const { digest } = await pushBlob(ask, name, bytes);
    const part = (range: string) => ask("GET", `/v2/${name}/blobs/${digest}`, { headers: { range } });
    for (const [range, first, last] of [
      ["bytes=10-19", 10, 19],
      ["bytes=90-", 90, 99],
      ["bytes=-5", 95, 99],
      ["bytes=50-500", 50, 99],
    ] as const) {
      const answer = await part(range);
      expect([range, answer.status, answer.headers.get("content-range")]).toEqual([range, 206, `bytes ${first}-${last}/100`]);
      expect(answer.bytes.equals(bytes.subarray(first, last + 1))).toBe(true);
    }
    expect((await part("bytes=100-")).status).toBe(416);
    for (const whole of ["lines=1-2", "bytes=0-1,5-6"]) expect((await part(whole)).bytes.equals(bytes)).toBe(true);
  },
  "malformed digests, tags and names are rejected (end-2, end-3)": async ({ ask }, name) => {
    for (const [path, code] of [
      [`${name}/blobs/sha256:123`, "DIGEST_INVALID"],
      [`${name}/blobs/md5:${"0".repeat(32)}`, "DIGEST_INVALID"],
      [`${name}/manifests/sha256:baddigeststring`, "DIGEST_INVALID"],
      [`${name}/manifests/-tag`, "MANIFEST_INVALID"],
      [`${name}/manifests/${"t".repeat(129)}`, "MANIFEST_INVALID"],
      ["team/UPPER/manifests/v1", "NAME_INVALID"],
      ["team/..%2Fx/manifests/v1", "NAME_INVALID"],
    ] as const) {
      expect([path, ...(await refusal(ask("GET", `/v2/${path}`)))]).toEqual([path, 400, code]);
    }
  },
  "an index of several platforms is pulled with its manifests, in the OCI types and the Docker types (end-3)": async ({ ask }, name) => {
    for (const [image, list] of [
      [types.image, types.index],
      [types.dockerImage, types.dockerList],
    ] as const) {
      const manifests = [];
      for (const architecture of ["amd64", "arm64"]) {
        const built = await imageOf(ask, name, { mediaType: image });
        const pushed = await pushManifest(ask, name, sha256(JSON.stringify(built)), built);
        manifests.push({ ...pushed, platform: { os: "linux", architecture } });
      }
      await pushManifest(ask, name, "multi", { schemaVersion: 2, mediaType: list, manifests });
      const answer = await ask("GET", `/v2/${name}/manifests/multi`);
      expect([answer.headers.get("content-type"), answer.json]).toMatchObject([list, { manifests }]);
      for (const { digest } of manifests)
        expect((await ask("GET", `/v2/${name}/manifests/${digest}`)).headers.get("content-type")).toBe(image);
    }
  },
};
