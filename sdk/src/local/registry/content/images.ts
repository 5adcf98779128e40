import { fitsPattern } from "../../../formats/texts.ts";
import { timestampOf } from "../../time.ts";
import { type Context, registryStatusAt } from "../states.ts";
import {
  blobs,
  type ImageRow,
  images,
  type ManifestRow,
  manifests,
  namespaces,
  registries,
  type ReplicationRow,
  replicationRules,
  repositories,
  type RepositoryRow,
} from "../tables.ts";

/** The registry, namespace and name of a repository. */
export interface RepositoryPath {
  readonly registryId: string;
  readonly namespace: string;
  readonly repository: string;
}

export function repositoryIdOf({ registryId, namespace, repository }: RepositoryPath): string {
  return `${registryId}/${namespace}/${repository}`;
}

/** What image clients have pushed: manifests and blobs by digest, in each repository. Their bytes are kept by who serves them. */

/** A repository, as an action of somebody sees it. */
export interface Repository {
  readonly at: Context;
  readonly path: RepositoryPath;
}

export function contentId(path: RepositoryPath, digest: string): string {
  return `${repositoryIdOf(path)}@${digest}`;
}

function manifestsOf({ at: { world, region, account } }: Repository) {
  return world.rows(manifests, region, account);
}

export function blobsOf({ at: { world, region, account } }: Repository) {
  return world.rows(blobs, region, account);
}

/** The manifest with a digest. */
export function manifestOf(repository: Repository, digest: string): ManifestRow | undefined {
  return manifestsOf(repository).get(contentId(repository.path, digest));
}

/** The manifests that refer to a digest as their subject, oldest first. */
export function referrersOf(repository: Repository, subject: string): ManifestRow[] {
  return manifestsOf(repository)
    .list(repositoryIdOf(repository.path))
    .filter((manifest) => manifest.subject === subject);
}

/** Lets a blob be pulled from a repository. `linkedAt` is by the machine's clock. */
export function linkBlob(repository: Repository, { digest, size }: { digest: string; size: number }, linkedAt: number): void {
  const rows = blobsOf(repository);
  const id = contentId(repository.path, digest);
  if (rows.get(id)) rows.update(id, { linkedAt });
  else rows.insert({ id, digest, size, linkedAt }, repositoryIdOf(repository.path));
}

/** Copies a manifest with all that it needs. One that is there without content has nothing to copy. */
function copyManifest(from: Repository, to: Repository, digest: string): void {
  const found = manifestOf(from, digest);
  const id = contentId(to.path, digest);
  if (!found || manifestsOf(to).get(id)) return;
  for (const listed of found.manifests) copyManifest(from, to, listed);
  for (const blob of found.blobs) linkBlob(to, blob, blobsOf(from).get(contentId(from.path, blob.digest))?.linkedAt ?? 0);
  manifestsOf(to).insert({ ...found, id }, repositoryIdOf(to.path));
}

/** Deletes a manifest that has no tag any more and is in no list, with what refers to it, and what only it has listed. */
function dropUnused(repository: Repository, digest: string): void {
  const found = manifestOf(repository, digest);
  if (!found || isTagged(repository, digest)) return;
  const all = manifestsOf(repository).list(repositoryIdOf(repository.path));
  if (all.some((other) => other.manifests.includes(digest))) return;
  manifestsOf(repository).remove(found.id);
  for (const { digest: other } of all.filter(({ subject }) => subject === digest)) dropUnused(repository, other);
  for (const listed of found.manifests) dropUnused(repository, listed);
}

function isTagged({ at: { world, region, account }, path }: Repository, digest: string): boolean {
  return world
    .rows(images, region, account)
    .list(repositoryIdOf(path))
    .some((image) => image.digest === digest);
}

/** Deletes all content of a repository. */
export function dropContent(repository: Repository): void {
  const id = repositoryIdOf(repository.path);
  for (const rows of [manifestsOf(repository), blobsOf(repository)]) for (const row of rows.list(id)) rows.remove(row.id);
}

export type NewManifest = Omit<ManifestRow, "id">;

function imagesOf({ at: { world, region, account } }: Repository) {
  return world.rows(images, region, account);
}

/** The image with a tag. Its digest may be that of no manifest: a test can put one there without content. */
export function imageWithTag(repository: Repository, tag: string): ImageRow | undefined {
  return imagesOf(repository).get(`${repositoryIdOf(repository.path)}:${tag}`);
}

/** The tags of a repository, in the order of their characters. */
export function tagsOf(repository: Repository): string[] {
  const there = imagesOf(repository).list(repositoryIdOf(repository.path));
  return there.map(({ version }) => version).sort();
}

/** The digests that a manifest needs and its repository does not have. */
export function missingFor(repository: Repository, { blobs, manifests }: Pick<NewManifest, "blobs" | "manifests">): string[] {
  return [
    ...blobs.map(({ digest }) => digest).filter((digest) => !blobsOf(repository).get(contentId(repository.path, digest))),
    ...manifests.filter((digest) => !manifestOf(repository, digest)),
  ];
}

/** The blobs of which a manifest says another size than they have. */
export function wronglySized(
  repository: Repository,
  { blobs }: Pick<NewManifest, "blobs">,
): { digest: string; size: number; stored: number }[] {
  return blobs.flatMap(({ digest, size }) => {
    const stored = blobsOf(repository).get(contentId(repository.path, digest))?.size;
    return stored === undefined || stored === size ? [] : [{ digest, size, stored }];
  });
}

/** Stores a manifest, and gives it tags. Each is an image of the repository, and is copied by replication rules. */
export function putManifest(repository: Repository, manifest: NewManifest, tags: readonly string[]): void {
  const { at, path } = repository;
  const rows = manifestsOf(repository);
  const { digest } = manifest;
  const id = contentId(path, digest);
  if (rows.get(id)) rows.update(id, manifest);
  else rows.insert({ id, ...manifest }, repositoryIdOf(path));
  const size = sizeOf(repository, manifest);
  const [twin] = imagesWithDigest(repository, digest);
  for (const version of tags)
    pushImage(at, path, { version, digest, size, pushedAt: at.now, vulnerabilities: twin?.vulnerabilities ?? [] });
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

/** The images of a manifest: its tags. */
export function imagesWithDigest(repository: Repository, digest: string): ImageRow[] {
  const there = imagesOf(repository).list(repositoryIdOf(repository.path));
  return there.filter((image) => image.digest === digest);
}

/** Deletes a manifest and its tags. Answers whether it existed. */
export function deleteManifest(repository: Repository, digest: string): boolean {
  const found = manifestOf(repository, digest);
  if (!found) return false;
  for (const { version } of imagesWithDigest(repository, digest)) removeTag(repository.at, repository.path, version);
  manifestsOf(repository).remove(found.id);
  return true;
}

/** Whether a tag, once it is pushed, names its image for ever: it is neither moved nor deleted while its namespace says so. */
export function isImmutable({ world, region, account }: Context, { registryId, namespace }: RepositoryPath, tag: string): boolean {
  const patterns = world.rows(namespaces, region, account).get(`${registryId}/${namespace}`)?.immutableTags ?? [];
  return patterns.some((pattern) => fitsPattern(pattern, tag));
}

/** The immutable tag of an image that has this content: a manifest that it lists, or a blob. */
export function immutableTagWith(repository: Repository, digest: string): string | undefined {
  const { at, path } = repository;
  const tagged = at.world.rows(images, at.region, at.account).list(repositoryIdOf(path));
  return tagged.find(({ version, digest: of }) => isImmutable(at, path, version) && contentOf(repository, of).has(digest))?.version;
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

/** What a registry has no room for: what it would hold, and the most that it may; `undefined` if there is room. */
export interface Overflow {
  readonly used: number;
  readonly quota: number;
}

type Content = Pick<ManifestRow, "digest" | "size" | "blobs">;

/** Whether more content fits into a registry. Content that several images have counts once. */
export function overflowOf(at: Context, registryId: string, more: Content): Overflow | undefined {
  const quota = at.world.rows(registries, at.region, at.account).get(registryId)?.quota;
  if (quota === undefined) return undefined;
  const there = at.world
    .rows(manifests, at.region, at.account)
    .list()
    .filter(({ id }) => id.startsWith(`${registryId}/`));
  const sizes = new Map(
    [...there, more].flatMap(
      ({ digest, size, blobs }) => [[digest, size], ...blobs.map((blob) => [blob.digest, blob.size] as const)] as const,
    ),
  );
  const used = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return used > quota ? { used, quota } : undefined;
}

/** A copy that a replication rule makes. */
export interface Copy {
  readonly at: Context;
  readonly path: RepositoryPath;
  readonly override: boolean;
  readonly deletion: boolean;
}

/** The copies of an image that the replication rules of its registry make. */
function copyTargets(at: Context, { registryId, namespace, repository }: RepositoryPath, version: string): Copy[] {
  const { world, region, account, now } = at;
  return world
    .rows(replicationRules, region, account)
    .list(registryId)
    .filter(({ enabled, filters }) => enabled && filters.every((filter) => holds(filter, { name: `${namespace}/${repository}`, version })))
    .map(({ destination, override, deletion }) => ({
      at: { world, account, now, region: destination.region },
      path: { registryId: destination.registryId, namespace: destination.namespace, repository },
      override,
      deletion,
    }));
}

/** Whether a filter matches an image. Of the resource types, only `image` matches: the local platform has no charts. */
function holds({ type, value = "" }: ReplicationRow["filters"][number], { name, version }: { name: string; version: string }): boolean {
  if (value === "") return true;
  if (type === "resource") return value === "image";
  return fitsPattern(value, type === "name" ? name : version);
}

export type NewImage = Omit<ImageRow, "id">;

/** Makes an empty repository. */
export function makeRepository(at: Context, path: RepositoryPath, { description = "", briefDescription = "" } = {}): RepositoryRow {
  const { registryId, namespace, repository: name } = path;
  const made = timestampOf(at.now);
  return at.world
    .rows(repositories, at.region, at.account)
    .insert(
      { id: repositoryIdOf(path), registryId, namespace, name, briefDescription, description, createdAt: made, updatedAt: made },
      registryId,
    );
}

/** Stores a pushed image. It replaces an image of the same version, and is copied by replication rules. */
export function pushImage(at: Context, path: RepositoryPath, image: NewImage): void {
  const rows = at.world.rows(images, at.region, at.account);
  const repository = repositoryIdOf(path);
  const id = `${repository}:${image.version}`;
  if (!at.world.rows(repositories, at.region, at.account).get(repository)) makeRepository(at, path);
  if (rows.get(id)) rows.update(id, image);
  else rows.insert({ id, ...image }, repository);
  at.world.rows(repositories, at.region, at.account).update(repository, { updatedAt: timestampOf(at.now) });
  for (const copy of copyTargets(at, path, image.version)) receive({ at, path }, copy, image);
}

/** Stores a copy, if the destination is running and has the namespace. It replaces another image only if the rule has `Override`. */
function receive(from: Repository, { at, path, override }: Copy, image: NewImage): void {
  const registry = at.world.rows(registries, at.region, at.account).get(path.registryId);
  const namespace = at.world.rows(namespaces, at.region, at.account).get(`${path.registryId}/${path.namespace}`);
  if (!registry || registryStatusAt(registry, at.now) !== "Running" || !namespace) return;
  const present = at.world.rows(images, at.region, at.account).get(`${repositoryIdOf(path)}:${image.version}`);
  // The same image is not copied again, so that rules which copy in a circle end.
  if (present && (present.digest === image.digest || !override || isImmutable(at, path, image.version))) return;
  const manifest = manifestOf(from, image.digest);
  if (manifest && overflowOf(at, path.registryId, manifest)) return;
  copyManifest(from, { at, path }, image.digest);
  pushImage(at, path, image);
}

/** Deletes an image, and its copies if the rules have `Deletion`. Content that no other image has goes with it. Answers whether it existed. */
export function deleteImageAt(at: Context, path: RepositoryPath, version: string): boolean {
  const digest = removeTag(at, path, version);
  if (digest !== undefined) dropUnused({ at, path }, digest);
  return digest !== undefined;
}

/** Deletes a tag, but not the content that it names; and the copies of the image if the rules have `Deletion`. Answers its digest. */
export function removeTag(at: Context, path: RepositoryPath, version: string): string | undefined {
  const rows = at.world.rows(images, at.region, at.account);
  const id = `${repositoryIdOf(path)}:${version}`;
  const digest = rows.get(id)?.digest;
  if (digest === undefined) return undefined;
  rows.remove(id);
  at.world.rows(repositories, at.region, at.account).update(repositoryIdOf(path), { updatedAt: timestampOf(at.now) });
  for (const copy of copyTargets(at, path, version))
    if (copy.deletion && !isImmutable(copy.at, copy.path, version)) deleteImageAt(copy.at, copy.path, version);
  return digest;
}
