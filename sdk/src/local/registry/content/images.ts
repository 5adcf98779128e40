import { isImmutable } from "./immutability.ts";
import { copyManifest, dropUnused, manifestOf, type Repository } from "./manifest-rows.ts";
import { overflowOf } from "./quota.ts";
import { copyTargets, type Copy } from "./replication-targets.ts";
import { type RepositoryPath, repositoryIdOf } from "./repository-path.ts";
import { type Context, registryStatusAt } from "../states.ts";
import { timestampOf } from "../../timestamp.ts";
import { images, type ImageRow, namespaces, registries, repositories, type RepositoryRow } from "../tables.ts";

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
