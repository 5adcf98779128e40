import { fitsPattern } from "../../../formats/pattern.ts";
import type { Context } from "../states.ts";
import { images, namespaces } from "../tables.ts";
import { manifestOf, type Repository } from "./manifest-rows.ts";
import { type RepositoryPath, repositoryIdOf } from "./repository-path.ts";

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
