import { expect } from "vitest";
import { expected, pushBlob, pushImage, refusal } from "../content.fixture.ts";
import { sha256 } from "../stage.fixture.ts";
import type { Requirements } from "./requirement.fixture.ts";

/** Content management: tags, manifests and blobs are deleted. */
export const management: Requirements = {
  "`DELETE` of a tag returns 202; the tag is then 404, and the manifest and its other tags remain (end-9)": async ({ ask }, name) => {
    const { digest } = await pushImage(ask, name, "v1");
    const body = (await ask("GET", `/v2/${name}/manifests/v1`)).bytes;
    expected(await ask("PUT", `/v2/${name}/manifests/also`, { body }), 201);
    expect((await ask("DELETE", `/v2/${name}/manifests/v1`)).status).toBe(202);
    expect((await ask("GET", `/v2/${name}/manifests/v1`)).status).toBe(404);
    for (const left of ["also", digest]) expect((await ask("GET", `/v2/${name}/manifests/${left}`)).status).toBe(200);
    expect((await ask("GET", `/v2/${name}/tags/list`)).json).toEqual({ name, tags: ["also"] });
  },
  "`DELETE` of a manifest returns 202; its digest and all its tags are then 404 (end-9)": async ({ ask }, name) => {
    const { digest } = await pushImage(ask, name, "v1");
    const kept = await pushImage(ask, name, "kept");
    expect((await ask("DELETE", `/v2/${name}/manifests/${digest}`)).status).toBe(202);
    for (const gone of ["v1", digest]) expect((await ask("GET", `/v2/${name}/manifests/${gone}`)).status).toBe(404);
    expect((await ask("GET", `/v2/${name}/manifests/${kept.digest}`)).status).toBe(200);
  },
  "a missing tag, a missing manifest and a missing repository return 404 (end-9)": async ({ ask }, name) => {
    await pushImage(ask, name, "v1");
    for (const path of [`${name}/manifests/v2`, `${name}/manifests/${sha256("absent")}`, "team/nobody/manifests/v1"]) {
      expect(await refusal(ask("DELETE", `/v2/${path}`))).toEqual([404, "MANIFEST_UNKNOWN"]);
    }
  },
  "a deleted manifest is removed from the referrers of its subject (end-9)": async ({ ask }, name) => {
    const subject = await pushImage(ask, name, "v1");
    const { digest } = await pushImage(ask, name, "signature", { subject });
    expected(await ask("DELETE", `/v2/${name}/manifests/${digest}`), 202);
    expect((await ask("GET", `/v2/${name}/referrers/${subject.digest}`)).json).toMatchObject({ manifests: [] });
  },
  "`DELETE` of a blob returns 202; the blob is then 404 in this repository, and remains in other repositories (end-10)": async (
    { ask },
    name,
  ) => {
    const other = `other/${name.slice(5)}`;
    const { digest } = await pushBlob(ask, name);
    expected(await ask("POST", `/v2/${other}/blobs/uploads/?mount=${digest}&from=${name}`), 201);
    expect((await ask("DELETE", `/v2/${name}/blobs/${digest}`)).status).toBe(202);
    expect((await ask("GET", `/v2/${name}/blobs/${digest}`)).status).toBe(404);
    expect((await ask("GET", `/v2/${other}/blobs/${digest}`)).status).toBe(200);
  },
  "a missing blob returns 404 (end-10)": async ({ ask }, name) => {
    expect(await refusal(ask("DELETE", `/v2/${name}/blobs/${sha256("absent")}`))).toEqual([404, "BLOB_UNKNOWN"]);
  },
  "an unsupported method returns 405, and an unknown path 404; errors are JSON with a code, a message and optional details": async (
    { ask },
    name,
  ) => {
    const refused = await ask("POST", `/v2/${name}/manifests/v1`);
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, PUT, DELETE"]);
    for (const path of ["/v2/what/is/this", "/", `/${name}/manifests/v1`, "/v2x/team/web/manifests/v1"]) {
      const unknown = await ask("GET", path);
      expect([unknown.status, unknown.headers.get("content-type")]).toEqual([404, "application/json"]);
      expect(unknown.json).toEqual({ errors: [{ code: "UNSUPPORTED", message: expect.any(String) }] });
    }
  },
};
