import { copyTargets, type Copy } from "./copying.ts";
import { type Shelf, shelfId } from "./shelf.ts";
import { type Moment, registryStatusAt, timestampOf } from "../states.ts";
import { images, type ImageRow, namespaces, registries, repositories, type RepositoryRow } from "../tables.ts";

export type NewImage = Omit<ImageRow, "id">;

/** Puts a repository in, empty. */
export function makeRepository(at: Moment, shelf: Shelf, { description = "", briefDescription = "" } = {}): RepositoryRow {
  const { registryId, namespace, repository: name } = shelf;
  const made = timestampOf(at.now);
  return at.world
    .rows(repositories, at.region, at.account)
    .insert(
      { id: shelfId(shelf), registryId, namespace, name, briefDescription, description, createdAt: made, updatedAt: made },
      registryId,
    );
}

/** Puts an image in, as a push does: in place of the one of the same version, and copied to where rules say. */
export function pushImage(at: Moment, shelf: Shelf, image: NewImage): void {
  const rows = at.world.rows(images, at.region, at.account);
  const repository = shelfId(shelf);
  const id = `${repository}:${image.version}`;
  if (!at.world.rows(repositories, at.region, at.account).get(repository)) makeRepository(at, shelf);
  if (rows.get(id)) rows.update(id, image);
  else rows.insert({ id, ...image }, repository);
  at.world.rows(repositories, at.region, at.account).update(repository, { updatedAt: timestampOf(at.now) });
  for (const copy of copyTargets(at, shelf, image.version)) receive(copy, image);
}

/** A copy arrives: at a registry that runs and has the namespace, and over another image only if the rule says so. */
function receive({ at, shelf, override }: Copy, image: NewImage): void {
  const registry = at.world.rows(registries, at.region, at.account).get(shelf.registryId);
  const namespace = at.world.rows(namespaces, at.region, at.account).get(`${shelf.registryId}/${shelf.namespace}`);
  if (!registry || registryStatusAt(registry, at.now) !== "Running" || !namespace) return;
  const present = at.world.rows(images, at.region, at.account).get(`${shelfId(shelf)}:${image.version}`);
  // The same image again changes nothing: so rules that copy in a circle come to an end.
  if (present && (present.digest === image.digest || !override)) return;
  pushImage(at, shelf, image);
}

/** Takes an image out, and its copies where rules say so. Answers whether it was there. */
export function deleteImageAt(at: Moment, shelf: Shelf, version: string): boolean {
  const rows = at.world.rows(images, at.region, at.account);
  const id = `${shelfId(shelf)}:${version}`;
  if (!rows.get(id)) return false;
  rows.remove(id);
  at.world.rows(repositories, at.region, at.account).update(shelfId(shelf), { updatedAt: timestampOf(at.now) });
  for (const copy of copyTargets(at, shelf, version)) if (copy.deletion) deleteImageAt(copy.at, copy.shelf, version);
  return true;
}
