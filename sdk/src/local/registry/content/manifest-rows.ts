import type { Context } from "../states.ts";
import { blobs, images, type ManifestRow, manifests } from "../tables.ts";
import { type RepositoryPath, repositoryIdOf } from "./repository-path.ts";

/** What image clients have pushed: manifests and blobs by digest, in each repository. Their bytes are kept by who serves them. */

/** A repository, as an action of somebody sees it. */
export interface Repository {
  readonly at: Context;
  readonly path: RepositoryPath;
}

export function contentId(path: RepositoryPath, digest: string): string {
  return `${repositoryIdOf(path)}@${digest}`;
}

export function manifestsOf({ at: { world, region, account } }: Repository) {
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
export function copyManifest(from: Repository, to: Repository, digest: string): void {
  const found = manifestOf(from, digest);
  const id = contentId(to.path, digest);
  if (!found || manifestsOf(to).get(id)) return;
  for (const listed of found.manifests) copyManifest(from, to, listed);
  for (const blob of found.blobs) linkBlob(to, blob, blobsOf(from).get(contentId(from.path, blob.digest))?.linkedAt ?? 0);
  manifestsOf(to).insert({ ...found, id }, repositoryIdOf(to.path));
}

/** Deletes a manifest that has no tag any more and is in no list, with what refers to it, and what only it has listed. */
export function dropUnused(repository: Repository, digest: string): void {
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
