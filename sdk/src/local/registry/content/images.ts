import { fitsPattern } from "../../../formats/texts.ts";
import type { Context } from "../../behaviour.ts";
import type { Table } from "../../store/table.ts";
import { registryStatusAt } from "../states.ts";
import * as tables from "../tables.ts";

/** What image clients have pushed: manifests and blobs by digest, in each repository. Their bytes are kept by who serves them. */

/** The registry, namespace and name of a repository. */
export interface RepositoryPath {
  readonly registryId: string;
  readonly namespace: string;
  readonly repository: string;
}

/** A repository, as an action of somebody sees it. It need not exist yet. */
export interface Repository {
  readonly at: Context;
  readonly path: RepositoryPath;
  /** The parent of its images, manifests and blobs. */
  readonly id: string;
}

export function repositoryIn(at: Context, path: RepositoryPath): Repository {
  return { at, path, id: `${path.registryId}/${path.namespace}/${path.repository}` };
}

/** Stores a row of a repository in place of the one with the same id. */
function put<Row extends { id: string }>({ at, id }: Repository, of: Table<Row>, row: Row): void {
  const rows = at.rows(of);
  if (rows.get(row.id)) rows.update(row.id, row);
  else rows.insert(row, id);
}

/** The manifest with a digest. */
export function manifestOf({ at, id }: Repository, digest: string): tables.ManifestRow | undefined {
  return at.rows(tables.manifests).get(`${id}@${digest}`);
}

/** The blob with a digest, if it may be pulled from the repository. */
export function blobOf({ at, id }: Repository, digest: string): tables.BlobRow | undefined {
  return at.rows(tables.blobs).get(`${id}@${digest}`);
}

/** The manifests that refer to a digest as their subject, oldest first. */
export function referrersOf({ at, id }: Repository, subject: string): tables.ManifestRow[] {
  return at.list(tables.manifests, id).filter((manifest) => manifest.subject === subject);
}

/** Lets a blob be pulled from a repository. `linkedAt` is by the machine's clock. */
export function linkBlob(repository: Repository, blob: { digest: string; size: number }, linkedAt: number): void {
  put(repository, tables.blobs, { id: `${repository.id}@${blob.digest}`, ...blob, linkedAt });
}

/** Copies a manifest with all that it needs. One that is there without content has nothing to copy. */
function copyManifest(from: Repository, to: Repository, digest: string): void {
  const found = manifestOf(from, digest);
  if (!found || manifestOf(to, digest)) return;
  for (const listed of found.manifests) copyManifest(from, to, listed);
  for (const blob of found.blobs) linkBlob(to, blob, blobOf(from, blob.digest)?.linkedAt ?? 0);
  put(to, tables.manifests, { ...found, id: `${to.id}@${digest}` });
}

/** Deletes a manifest that has no tag any more and is in no list, with what refers to it, and what only it has listed. */
function dropUnused(repository: Repository, digest: string): void {
  const found = manifestOf(repository, digest);
  if (!found || imagesWithDigest(repository, digest).length > 0) return;
  const { at, id } = repository;
  if (at.list(tables.manifests, id).some((other) => other.manifests.includes(digest))) return;
  at.rows(tables.manifests).remove(found.id);
  for (const other of referrersOf(repository, digest)) dropUnused(repository, other.digest);
  for (const listed of found.manifests) dropUnused(repository, listed);
}

/** Deletes all content of a repository. */
export function dropContent({ at, id }: Repository): void {
  for (const manifest of at.list(tables.manifests, id)) at.rows(tables.manifests).remove(manifest.id);
  for (const blob of at.list(tables.blobs, id)) at.rows(tables.blobs).remove(blob.id);
}

export type NewManifest = Omit<tables.ManifestRow, "id">;

/** The image with a tag. Its digest may be that of no manifest: a test can put one there without content. */
export function imageWithTag({ at, id }: Repository, tag: string): tables.ImageRow | undefined {
  return at.rows(tables.images).get(`${id}:${tag}`);
}

/** The images of a manifest: its tags. */
export function imagesWithDigest({ at, id }: Repository, digest: string): tables.ImageRow[] {
  return at.list(tables.images, id).filter((image) => image.digest === digest);
}

/** The tags of a repository, in the order of their characters. */
export function tagsOf({ at, id }: Repository): string[] {
  const there = at.list(tables.images, id);
  return there.map(({ version }) => version).sort();
}

/** The digests that a manifest needs and its repository does not have. */
export function missingFor(repository: Repository, { blobs, manifests }: NewManifest): string[] {
  return [
    ...blobs.map(({ digest }) => digest).filter((digest) => !blobOf(repository, digest)),
    ...manifests.filter((digest) => !manifestOf(repository, digest)),
  ];
}

/** The blobs of which a manifest says another size than they have. */
export function wronglySized(repository: Repository, { blobs }: NewManifest) {
  return blobs.flatMap(({ digest, size }) => {
    const stored = blobOf(repository, digest)?.size;
    return stored === undefined || stored === size ? [] : [{ digest, size, stored }];
  });
}

/** Stores a manifest, and gives it tags. Each is an image of the repository, and is copied by replication rules. */
export function putManifest(repository: Repository, manifest: NewManifest, tags: readonly string[]): void {
  const { digest } = manifest;
  put(repository, tables.manifests, { id: `${repository.id}@${digest}`, ...manifest });
  const size = sizeOf(repository, manifest);
  const [twin] = imagesWithDigest(repository, digest);
  const { vulnerabilities = [] } = twin ?? {};
  for (const version of tags) pushImage(repository, { version, digest, size, pushedAt: repository.at.now, vulnerabilities });
}

/** The bytes of an image: of its manifest, its blobs, and the images that it lists, each of which counts once, however often it is listed. */
function sizeOf(repository: Repository, { digest, size, blobs, manifests }: NewManifest, counted = new Set<string>()): number {
  counted.add(digest);
  const own = blobs.reduce((sum, blob) => sum + blob.size, size);
  return manifests.reduce((sum, each) => {
    const listed = counted.has(each) ? undefined : manifestOf(repository, each);
    return sum + (listed ? sizeOf(repository, listed, counted) : 0);
  }, own);
}

/** Deletes a manifest and its tags. Answers whether it existed. */
export function deleteManifest(repository: Repository, digest: string): boolean {
  const found = manifestOf(repository, digest);
  if (!found) return false;
  for (const { version } of imagesWithDigest(repository, digest)) removeTag(repository, version);
  repository.at.rows(tables.manifests).remove(found.id);
  return true;
}

/** Whether a tag, once it is pushed, names its image for ever: it is neither moved nor deleted while its namespace says so. */
export function isImmutable({ at, path }: Repository, tag: string): boolean {
  const patterns = at.rows(tables.namespaces).get(`${path.registryId}/${path.namespace}`)?.immutableTags ?? [];
  return patterns.some((pattern) => fitsPattern(pattern, tag));
}

/** The immutable tag of an image that has this content: a manifest that it lists, or a blob. */
export function immutableTagWith(repository: Repository, digest: string): string | undefined {
  const tagged = repository.at.list(tables.images, repository.id);
  return tagged.find(({ version, digest: of }) => isImmutable(repository, version) && contentOf(repository, of).has(digest))?.version;
}

/** The digests of all that an image is made of. */
function contentOf(repository: Repository, digest: string, found = new Set<string>()): Set<string> {
  if (found.has(digest)) return found;
  found.add(digest);
  const manifest = manifestOf(repository, digest);
  for (const blob of manifest?.blobs ?? []) found.add(blob.digest);
  for (const listed of manifest?.manifests ?? []) contentOf(repository, listed, found);
  return found;
}

/**
 * The bytes that a registry would have with more content, and its quota; `undefined` if it may have them. Content that several images
 * have counts once.
 */
export function overflowOf({ at, path }: Repository, more: Pick<tables.ManifestRow, "digest" | "size" | "blobs">) {
  const quota = at.rows(tables.registries).get(path.registryId)?.quota;
  if (quota === undefined) return undefined;
  const there = at.list(tables.manifests).filter(({ id }) => id.startsWith(`${path.registryId}/`));
  const parts = [...there, more].flatMap((manifest) => [manifest, ...manifest.blobs]);
  const sizes = new Map(parts.map(({ digest, size }) => [digest, size]));
  const used = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return used > quota ? { used, quota } : undefined;
}

/** The copies of an image that the replication rules of its registry make. */
function copiesOf({ at, path }: Repository, version: string) {
  return at
    .list(tables.replicationRules, path.registryId)
    .filter(({ enabled, filters }) => enabled && filters.every((filter) => holds(filter, path, version)))
    .map(({ destination: { registryId, region, namespace }, ...rule }) => ({
      to: repositoryIn(at.in(region), { ...path, registryId, namespace }),
      rule,
    }));
}

/** Whether a filter matches an image. Of the resource types, only `image` matches: the local platform has no charts. */
function holds({ type, value = "" }: tables.ReplicationRow["filters"][number], path: RepositoryPath, version: string): boolean {
  if (value === "") return true;
  if (type === "resource") return value === "image";
  return fitsPattern(value, type === "name" ? `${path.namespace}/${path.repository}` : version);
}

type NewImage = Omit<tables.ImageRow, "id">;

/** Makes an empty repository. */
export function makeRepository({ at, path, id }: Repository, { description = "", briefDescription = "" } = {}): void {
  const { registryId, namespace, repository: name } = path;
  const times = { createdAt: at.timestamp, updatedAt: at.timestamp };
  at.rows(tables.repositories).insert({ id, registryId, namespace, name, briefDescription, description, ...times }, registryId);
}

/** Stores a pushed image. It replaces an image of the same version, and is copied by replication rules. */
export function pushImage(repository: Repository, image: NewImage): void {
  const { at, id } = repository;
  const repositories = at.rows(tables.repositories);
  if (!repositories.get(id)) makeRepository(repository);
  put(repository, tables.images, { id: `${id}:${image.version}`, ...image });
  repositories.update(id, { updatedAt: at.timestamp });
  for (const { to, rule } of copiesOf(repository, image.version)) receive(repository, to, rule, image);
}

/** Stores a copy, if the destination is running and has the namespace. It replaces another image only if the rule has `Override`. */
function receive(from: Repository, to: Repository, { override }: Pick<tables.ReplicationRow, "override">, image: NewImage): void {
  const { at, path } = to;
  const registry = at.rows(tables.registries).get(path.registryId);
  const namespace = at.rows(tables.namespaces).get(`${path.registryId}/${path.namespace}`);
  if (!registry || registryStatusAt(registry.timeline, at.now) !== "Running" || !namespace) return;
  const present = imageWithTag(to, image.version);
  // The same image is not copied again, so that rules which copy in a circle end.
  if (present && (present.digest === image.digest || !override || isImmutable(to, image.version))) return;
  const manifest = manifestOf(from, image.digest);
  if (manifest && overflowOf(to, manifest)) return;
  copyManifest(from, to, image.digest);
  pushImage(to, image);
}

/** Deletes an image, and its copies if the rules have `Deletion`. Content that no other image has goes with it. Answers whether it existed. */
export function removeImage(repository: Repository, version: string): boolean {
  const digest = removeTag(repository, version);
  if (digest !== undefined) dropUnused(repository, digest);
  return digest !== undefined;
}

/** Deletes a tag, but not the content that it names; and the copies of the image if the rules have `Deletion`. Answers its digest. */
export function removeTag(repository: Repository, version: string): string | undefined {
  const { at, id } = repository;
  const found = imageWithTag(repository, version);
  if (!found) return undefined;
  at.rows(tables.images).remove(found.id);
  at.rows(tables.repositories).update(id, { updatedAt: at.timestamp });
  for (const { to, rule } of copiesOf(repository, version)) if (rule.deletion && !isImmutable(to, version)) removeImage(to, version);
  return found.digest;
}
