import { images, type ImageRow, type ManifestRow } from "../tables.ts";
import { pushImage, removeTag } from "./images.ts";
import { blobsOf, contentId, manifestOf, manifestsOf, type Repository } from "./manifest-rows.ts";
import { repositoryIdOf } from "./repository-path.ts";

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
