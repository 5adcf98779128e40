import * as images from "../../local/registry/content/images.ts";
import { namespaces, repositories } from "../../local/registry/tables.ts";
import { type Digest, indexType, mostManifestBytes, readManifest, type Reference, Refusal, tagFrom } from "./protocol.ts";
import { type Asked, digestOfBytes, foundManifest, manifestBytes, unknownManifest } from "./pull.ts";
import {
  answerBytes,
  answerEmpty,
  answerJson,
  bodyOf,
  type Permitted,
  record,
  refuseName,
  refuseOverflow,
  refuseTakenApart,
  type Exchange,
  within,
} from "./exchange.ts";

/** GET and HEAD of a manifest, by tag or digest. */
export async function pullManifest(exchange: Exchange, { name, reference }: Asked): Promise<void> {
  const { mediaType, digest } = await within(exchange, { name, doing: "pull" }, (repository) => foundManifest(repository, reference));
  const bytes = await manifestBytes(exchange.context.content, { name, reference }, digest);
  answerBytes(exchange, 200, { "content-type": mediaType, "docker-content-digest": digest, etag: `"${digest}"` }, bytes);
}

/** PUT of a manifest, by tag or digest. */
export async function pushManifest(exchange: Exchange, { name, reference }: Asked): Promise<void> {
  const { request, query, context } = exchange;
  const need = { name, doing: "push" } as const;
  const tags = reference.tag === undefined ? query.getAll("tag").map(tagFrom) : [reference.tag];
  // Who may not push is told before the body is read.
  await within(exchange, need, ({ path }) => {
    refuseName(path.repository);
  });
  const bytes = await bodyOf(request, mostManifestBytes, "the manifest");
  const digest = digestOfManifest(bytes, reference);
  const manifest = readManifest(bytes, request.headers["content-type"], digest);
  await context.content.put(digest, bytes);
  await within(exchange, need, (repository) => {
    const missing = images.missingFor(repository, manifest);
    if (missing.length > 0)
      throw new Refusal(404, "MANIFEST_BLOB_UNKNOWN", `the repository ${name} does not have ${missing.join(", ")}: push it first`, {
        detail: missing.map((each) => ({ digest: each })),
      });
    refuseWrongSizes(repository, manifest);
    refuseOverflow(repository, manifest);
    refuseMoved(repository, tags, digest);
    images.putManifest(repository, manifest, tags);
    record(repository, "PushImage", [...tags, digest.text]);
  });
  answerEmpty(exchange, 201, {
    location: `/v2/${name}/manifests/${digest.text}`,
    "docker-content-digest": digest.text,
    ...(manifest.subject !== undefined && { "oci-subject": manifest.subject }),
    ...(reference.tag === undefined && tags.length > 0 && { "oci-tag": tags }),
  });
}

function digestOfManifest(bytes: Uint8Array, { digest: given }: Reference): Digest {
  const digest = digestOfBytes(bytes, given?.algorithm ?? "sha256");
  if (given && given.text !== digest.text)
    throw new Refusal(400, "DIGEST_INVALID", `the manifest has the digest ${digest.text}, and not ${given.text}`);
  return digest;
}

/** What a client says of a blob is not believed: sizes count for quotas, and copies are made by them. */
function refuseWrongSizes(repository: Permitted, manifest: images.NewManifest): void {
  const [wrong] = images.wronglySized(repository, manifest);
  if (!wrong) return;
  const { digest, size, stored } = wrong;
  throw new Refusal(
    400,
    "MANIFEST_INVALID",
    `the manifest says that ${digest} has ${size} bytes, and the blob has ${stored}: push a manifest with its size`,
  );
}

function refuseMoved(repository: Permitted, tags: readonly string[], digest: Digest): void {
  for (const tag of tags) {
    const present = images.imageWithTag(repository, tag);
    if (present && present.digest !== digest.text && images.isImmutable(repository, tag))
      throw new Refusal(403, "DENIED", `the tag ${repository.name}:${tag} is immutable, and names ${present.digest}; push another tag`);
  }
}

function refuseDeleted(repository: Permitted, { tag, digest }: Reference): void {
  const tags = tag === undefined ? images.imagesWithDigest(repository, digest.text).map(({ version }) => version) : [tag];
  const kept = tags.filter((each) => images.imageWithTag(repository, each) && images.isImmutable(repository, each));
  if (kept.length > 0) throw new Refusal(403, "DENIED", `the tag ${repository.name}:${kept.join(", ")} is immutable; it cannot be deleted`);
  if (digest) refuseTakenApart(repository, digest);
}

/** DELETE of a tag, or of a manifest with its tags. */
export async function removeManifest(exchange: Exchange, { name, reference }: Asked): Promise<void> {
  await within(exchange, { name, doing: "delete" }, (repository) => {
    refuseDeleted(repository, reference);
    const isGone =
      reference.tag === undefined
        ? images.deleteManifest(repository, reference.digest.text)
        : images.removeTag(repository, reference.tag) !== undefined;
    if (!isGone) throw unknownManifest({ name, reference });
    record(repository, "DeleteImage", [reference.tag ?? reference.digest.text]);
  });
  answerEmpty(exchange, 202);
}

/** The tags of a repository, or a page of them. */
export async function listTags(exchange: Exchange, { name }: { readonly name: string }): Promise<void> {
  const all = await within(exchange, { name, doing: "pull" }, (repository) => {
    if (!repository.at.rows(repositories).get(repository.id))
      throw new Refusal(404, "NAME_UNKNOWN", `the registry has no repository ${name}`);
    return images.tagsOf(repository);
  });
  const { page, link } = paged(exchange, all, `/v2/${name}/tags/list`);
  answerJson(exchange, { name, tags: page }, link);
}

/** The repositories of the registry that the client may pull from, or a page of them. */
export async function listRepositories(exchange: Exchange): Promise<void> {
  const { context, caller } = exchange;
  const all = await context.world.transaction(() => {
    const { place, user } = context.access.authenticateUser(caller);
    const { at, registry } = place;
    const open = new Set(
      at
        .list(namespaces, registry.id)
        .filter(({ name, isPublic }) => isPublic || user.may({ doing: "pull", namespace: name }))
        .map(({ name }) => name),
    );
    return at
      .list(repositories, registry.id)
      .filter(({ namespace }) => open.has(namespace))
      .map(({ namespace, name }) => `${namespace}/${name}`)
      .sort();
  });
  const { page, link } = paged(exchange, all, "/v2/_catalog");
  answerJson(exchange, { repositories: page }, link);
}

/** The names after `last`, at most `n` of them, and where the next ones are. */
function paged({ query }: Exchange, all: readonly string[], path: string): { page: string[]; link: Record<string, string> } {
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
export async function listReferrers(
  exchange: Exchange,
  { name, digest }: { readonly name: string; readonly digest: Digest },
): Promise<void> {
  const all = await within(exchange, { name, doing: "pull" }, (repository) => images.referrersOf(repository, digest.text));
  const wanted = exchange.query.get("artifactType");
  const shown = wanted === null ? all : all.filter(({ artifactType }) => artifactType === wanted);
  const manifests = shown.map(({ mediaType, digest: of, size, artifactType, annotations }) => ({
    mediaType,
    digest: of,
    size,
    ...(artifactType !== undefined && { artifactType }),
    ...(annotations && { annotations }),
  }));
  const headers = { "content-type": indexType, ...(wanted !== null && { "oci-filters-applied": "artifactType" }) };
  answerJson(exchange, { schemaVersion: 2, mediaType: indexType, manifests }, headers);
}
