import { referrersOf, repositoryIdOf, tagsOf } from "../../local/registry/content/images.ts";
import { namespaces, repositories } from "../../local/registry/tables.ts";
import type { Digest } from "../protocol/digest.ts";
import { indexType } from "../protocol/manifest.ts";
import { Refusal } from "../protocol/refusal.ts";
import { answerJson, type Visit, within } from "./visit.ts";

/** The tags of a repository, or a page of them. */
export async function listTags(visit: Visit, { name }: { readonly name: string }): Promise<void> {
  const all = await within(visit, { name, doing: "pull" }, (repository) => {
    const { at, path } = repository;
    if (!at.world.rows(repositories, at.region, at.account).get(repositoryIdOf(path)))
      throw new Refusal(404, "NAME_UNKNOWN", `the registry has no repository ${name}`);
    return tagsOf(repository);
  });
  const { page, link } = paged(visit, all, `/v2/${name}/tags/list`);
  answerJson(visit, { name, tags: page }, link);
}

/** The repositories of the registry that the client may pull from, or a page of them. */
export async function listRepositories(visit: Visit): Promise<void> {
  const { counter, knock } = visit;
  const all = await counter.world.transaction(() => {
    const { place, user } = counter.door.enterAsUser(knock);
    const { region, account, registry } = place;
    const open = new Set(
      counter.world
        .rows(namespaces, region, account)
        .list(registry.id)
        .filter(({ name, isPublic }) => isPublic || user.may({ doing: "pull", namespace: name }))
        .map(({ name }) => name),
    );
    return counter.world
      .rows(repositories, region, account)
      .list(registry.id)
      .filter(({ namespace }) => open.has(namespace))
      .map(({ namespace, name }) => `${namespace}/${name}`)
      .sort();
  });
  const { page, link } = paged(visit, all, "/v2/_catalog");
  answerJson(visit, { repositories: page }, link);
}

/** The names after `last`, at most `n` of them, and where the next ones are. */
function paged({ query }: Visit, all: readonly string[], path: string): { page: string[]; link: Record<string, string> } {
  const last = query.get("last");
  const following = last === null ? [...all] : all.filter((name) => name > last);
  const asked = query.get("n");
  if (asked === null) return { page: following, link: {} };
  if (!/^\d{1,9}$/.test(asked))
    throw new Refusal(400, "UNSUPPORTED", `n is ${JSON.stringify(asked)}; it takes a number of names, 0 or more`);
  const page = following.slice(0, Number(asked));
  const end = page.at(-1);
  if (end === undefined || page.length === following.length) return { page, link: {} };
  return { page, link: { link: `<${path}?n=${asked}&last=${encodeURIComponent(end)}>; rel="next"` } };
}

/** The manifests that refer to another one, as an index. */
export async function listReferrers(visit: Visit, { name, digest }: { readonly name: string; readonly digest: Digest }): Promise<void> {
  const all = await within(visit, { name, doing: "pull" }, (repository) => referrersOf(repository, digest.text));
  const wanted = visit.query.get("artifactType");
  const shown = wanted === null ? all : all.filter(({ artifactType }) => artifactType === wanted);
  const manifests = shown.map(({ mediaType, digest: of, size, artifactType, annotations }) => ({
    mediaType,
    digest: of,
    size,
    ...(artifactType !== undefined && { artifactType }),
    ...(annotations && { annotations }),
  }));
  const headers = { "content-type": indexType, ...(wanted !== null && { "oci-filters-applied": "artifactType" }) };
  answerJson(visit, { schemaVersion: 2, mediaType: indexType, manifests }, headers);
}
