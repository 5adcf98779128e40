import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { begin, expected, pushBlob, refusal } from "../content.fixture.ts";
import { sha256, sha512 } from "../stage.fixture.ts";
import type { Requirements } from "./requirement.fixture.ts";

const withDigest = (location: string, digest: string) => `${location}${location.includes("?") ? "&" : "?"}digest=${digest}`;

/** Push, as far as it is about blobs. */
export const pushOfBlobs: Requirements = {
  "`POST` starts an upload: 202 with its URL, which has a UUID; `PUT` with the digest ends it: 201 with the URL of the blob (end-4a, end-6)":
    async ({ ask }, name) => {
      const bytes = randomBytes(1000);
      const location = await begin(ask, name);
      expect(location).toMatch(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
      const ended = await ask("PUT", withDigest(location, sha256(bytes)), { body: bytes });
      expect([ended.status, ended.headers.get("docker-content-digest")]).toEqual([201, sha256(bytes)]);
      expect((await ask("GET", ended.headers.get("location") ?? "")).bytes.equals(bytes)).toBe(true);
    },
  "a single `POST` with the digest uploads a whole blob: 201 with its URL (end-4b)": async ({ ask }, name) => {
    const bytes = randomBytes(1000);
    const answer = await ask("POST", `/v2/${name}/blobs/uploads/?digest=${sha256(bytes)}`, { body: bytes });
    expect(answer.status).toBe(201);
    expect((await ask("GET", answer.headers.get("location") ?? "")).bytes.equals(bytes)).toBe(true);
  },
  "an empty blob is accepted (end-4a, end-6)": async ({ ask }, name) => {
    const digest = sha256("");
    expected(await ask("PUT", withDigest(await begin(ask, name), digest)), 201);
    const answer = await ask("GET", `/v2/${name}/blobs/${digest}`);
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
  },
  "content with another digest is rejected with 400, and not stored (end-6)": async ({ ask }, name) => {
    const wrong = sha256("something else");
    for (const answer of [
      await ask("PUT", withDigest(await begin(ask, name), wrong), { body: "this" }),
      await ask("POST", `/v2/${name}/blobs/uploads/?digest=${wrong}`, { body: "this" }),
    ])
      expect(await refusal(answer)).toEqual([400, "DIGEST_INVALID"]);
    for (const digest of [wrong, sha256("this")]) expect((await ask("HEAD", `/v2/${name}/blobs/${digest}`)).status).toBe(404);
  },
  "a malformed digest, an unsupported algorithm and a missing digest are rejected with 400 (end-4b, end-4c, end-6)": async (
    { ask },
    name,
  ) => {
    const location = await begin(ask, name);
    for (const digest of ["", "sha256:0", `sha1:${"0".repeat(40)}`]) {
      expect([digest, ...(await refusal(ask("PUT", withDigest(location, digest), { body: "this" })))]).toEqual([
        digest,
        400,
        "DIGEST_INVALID",
      ]);
    }
    expect((await ask("PUT", location, { body: "this" })).status).toBe(400);
    expect((await ask("POST", `/v2/${name}/blobs/uploads/?digest-algorithm=sha1`)).status).toBe(400);
    // What was refused for that left the upload as it was.
    expected(await ask("PUT", withDigest(location, sha256("this")), { body: "this" }), 201);
  },
  "blobs can have sha512 digests, with and without `digest-algorithm` (end-4c, end-6)": async ({ ask }, name) => {
    for (const query of ["", "?digest-algorithm=sha512"]) {
      const bytes = randomBytes(300);
      const location = await begin(ask, name, query);
      expected(await ask("PATCH", location, { body: bytes }), 202);
      expected(await ask("PUT", withDigest(location, sha512(bytes))), 201);
      const answer = await ask("GET", `/v2/${name}/blobs/${sha512(bytes)}`);
      expect([answer.headers.get("docker-content-digest"), answer.bytes.equals(bytes)]).toEqual([sha512(bytes), true]);
    }
  },
  "`PATCH` adds a chunk: 202 with the URL of the upload and the received range; `PUT` accepts the last chunk (end-5, end-6)": async (
    { ask },
    name,
  ) => {
    const bytes = randomBytes(3000);
    let location = await begin(ask, name);
    for (const first of [0, 1000]) {
      const headers = { "content-range": `${first}-${first + 999}`, "content-type": "application/octet-stream" };
      const answer = expected(await ask("PATCH", location, { body: bytes.subarray(first, first + 1000), headers }), 202);
      expect(answer.headers.get("range")).toBe(`0-${first + 999}`);
      location = answer.headers.get("location") ?? "";
    }
    const last = { body: bytes.subarray(2000), headers: { "content-range": "2000-2999" } };
    expected(await ask("PUT", withDigest(location, sha256(bytes)), last), 201);
    expect((await ask("GET", `/v2/${name}/blobs/${sha256(bytes)}`)).bytes.equals(bytes)).toBe(true);
  },
  "a chunk out of order returns 416 and has no effect, with `PATCH` and with `PUT` (end-5, end-6)": async ({ ask }, name) => {
    const bytes = randomBytes(30);
    const location = await begin(ask, name);
    const chunk = (method: string, first: number, last: number, to = location) =>
      ask(method, to, { body: bytes.subarray(first, last + 1), headers: { "content-range": `${first}-${last}` } });
    expect((await chunk("PATCH", 10, 19)).status).toBe(416);
    expected(await chunk("PATCH", 0, 9), 202);
    expect((await chunk("PATCH", 0, 9)).status).toBe(416);
    const late = await chunk("PUT", 20, 29, withDigest(location, sha256(bytes)));
    expect([late.status, late.headers.get("range")]).toEqual([416, "0-9"]);
    expected(await chunk("PATCH", 10, 19), 202);
    expected(await chunk("PUT", 20, 29, withDigest(location, sha256(bytes))), 201);
  },
  "a chunk whose length differs from its range is rejected and has no effect (end-5)": async ({ ask }, name) => {
    const location = await begin(ask, name);
    expect(await refusal(ask("PATCH", location, { body: "four", headers: { "content-range": "0-9" } }))).toEqual([400, "SIZE_INVALID"]);
    expect(await refusal(ask("PATCH", location, { body: "four", headers: { "content-range": "nine" } }))).toEqual([
      400,
      "BLOB_UPLOAD_INVALID",
    ]);
    expected(await ask("PUT", withDigest(location, sha256("four")), { body: "four", headers: { "content-range": "0-3" } }), 201);
  },
  "`GET` of an upload returns 204 with its URL and the received range (end-13)": async ({ ask }, name) => {
    const location = await begin(ask, name);
    expected(await ask("PATCH", location, { body: randomBytes(10) }), 202);
    const answer = await ask("GET", location);
    expect([answer.status, answer.headers.get("range"), answer.headers.get("location")]).toEqual([204, "0-9", location]);
  },
  "`DELETE` of an upload returns 204 and cancels it; a missing upload returns 404 (end-14)": async ({ ask }, name) => {
    const location = await begin(ask, name);
    expect((await ask("DELETE", location)).status).toBe(204);
    for (const method of ["GET", "PATCH", "DELETE"]) {
      expect(await refusal(ask(method, location, method === "PATCH" ? { body: "x" } : {}))).toEqual([404, "BLOB_UPLOAD_UNKNOWN"]);
    }
    expect((await ask("GET", `/v2/${name}/blobs/uploads/..%2F..%2Fports.json`)).status).toBe(404);
  },
  "a blob of another repository is mounted: 201 with its URL; if the blob is missing or not named, an upload starts: 202 (end-11)": async (
    { ask },
    name,
  ) => {
    const { digest } = await pushBlob(ask, name);
    const other = `other/${name.slice(5)}`;
    const mount = (query: string) => ask("POST", `/v2/${other}/blobs/uploads/?mount=${query}`);
    const mounted = expected(await mount(`${digest}&from=${name}`), 201);
    expect(mounted.headers.get("docker-content-digest")).toBe(digest);
    expect((await ask("HEAD", mounted.headers.get("location") ?? "")).status).toBe(200);
    for (const query of [`${sha256("absent")}&from=${name}`, `${digest}&from=team/nobody`, digest]) expected(await mount(query), 202);
  },
};
