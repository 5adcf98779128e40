import { expect } from "vitest";
import { pushImage, pushManifest, refusal, types } from "../content.fixture.ts";
import { sha256, type Stage } from "../stage.fixture.ts";
import type { Requirements } from "./requirement.fixture.ts";

async function withTags({ ask }: Stage, name: string, tags: readonly string[]) {
  for (const tag of tags) await pushImage(ask, name, tag);
  return async (query = "") => {
    const { status, json, headers } = await ask("GET", `/v2/${name}/tags/list${query}`);
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    return { ...(json as { name: string; tags: string[] }), link: headers.get("link") };
  };
}

/** Content discovery: tags and referrers are listed. */
export const discovery: Requirements = {
  "all tags of a repository are listed in lexical order (end-8a)": async (stage, name) => {
    const list = await withTags(stage, name, ["v2", "V10", "latest", "v10"]);
    expect(await list()).toEqual({ name, tags: ["V10", "latest", "v10", "v2"], link: null });
  },
  "`n` and `last` list a part of the tags, and `Link` refers to the next part (end-8b)": async (stage, name) => {
    const list = await withTags(stage, name, ["a", "b", "c", "d", "e"]);
    expect(await list("?n=2")).toMatchObject({ tags: ["a", "b"], link: `</v2/${name}/tags/list?n=2&last=b>; rel="next"` });
    expect(await list("?n=2&last=b")).toMatchObject({ tags: ["c", "d"], link: `</v2/${name}/tags/list?n=2&last=d>; rel="next"` });
    expect(await list("?n=2&last=d")).toMatchObject({ tags: ["e"], link: null });
    expect(await list("?n=5")).toMatchObject({ tags: ["a", "b", "c", "d", "e"], link: null });
    expect(await list("?last=c")).toMatchObject({ tags: ["d", "e"], link: null });
    expect(await list("?n=1&last=bb")).toMatchObject({ tags: ["c"] });
  },
  "with `n` of 0, the list is empty and without `Link` (end-8b)": async (stage, name) => {
    const list = await withTags(stage, name, ["a"]);
    expect(await list("?n=0")).toMatchObject({ tags: [], link: null });
    expect((await stage.ask("GET", `/v2/${name}/tags/list?n=many`)).status).toBe(400);
  },
  "the tags of a missing repository return 404 (end-8a)": async ({ ask }) => {
    expect(await refusal(ask("GET", "/v2/team/nobody/tags/list"))).toEqual([404, "NAME_UNKNOWN"]);
  },
  "referrers are listed in an index with artifact type and annotations; an image without an artifact type has its config's type (end-12a)":
    async ({ ask }, name) => {
      const subject = await pushImage(ask, name, "v1");
      const annotations = { "org.example.by": "a test" };
      const [typed, plain] = [
        await pushImage(ask, name, "signed", { subject, artifactType: "application/vnd.example.signature", annotations }),
        await pushImage(ask, name, "listed", { subject }),
      ];
      const index = { schemaVersion: 2, mediaType: types.index, manifests: [], subject, annotations };
      const listed = await pushManifest(ask, name, sha256(JSON.stringify(index)), index);
      const answer = await ask("GET", `/v2/${name}/referrers/${subject.digest}`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, types.index]);
      expect(answer.json).toEqual({
        schemaVersion: 2,
        mediaType: types.index,
        manifests: [
          { ...typed, artifactType: "application/vnd.example.signature", annotations },
          { ...plain, artifactType: types.config },
          { ...listed, annotations },
        ],
      });
    },
  "a manifest without referrers and a missing manifest return an empty index, and never 404 (end-12a)": async ({ ask }, name) => {
    const { digest } = await pushImage(ask, name, "v1");
    for (const path of [`${name}/referrers/${digest}`, `team/nobody/referrers/${sha256("absent")}`])
      expect(await ask("GET", `/v2/${path}`)).toMatchObject({ status: 200, json: { manifests: [] } });
  },
  "referrers are filtered by `artifactType`, which `OCI-Filters-Applied` confirms (end-12b)": async ({ ask }, name) => {
    const subject = await pushImage(ask, name, "v1");
    const wanted = await pushImage(ask, name, "wanted", { subject, artifactType: "application/vnd.example.wanted" });
    await pushImage(ask, name, "other", { subject, artifactType: "application/vnd.example.other" });
    const answer = await ask("GET", `/v2/${name}/referrers/${subject.digest}?artifactType=application%2Fvnd.example.wanted`);
    expect(answer.headers.get("oci-filters-applied")).toBe("artifactType");
    expect(answer.json).toMatchObject({ manifests: [{ digest: wanted.digest }] });
  },
  "referrers of a malformed digest return 400 (end-12a)": async ({ ask }, name) => {
    expect((await ask("GET", `/v2/${name}/referrers/v1`)).status).toBe(400);
  },
};
