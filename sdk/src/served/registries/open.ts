import { z } from "zod";
import { blobs, manifests } from "../../local/registry/tables.ts";
import type { World } from "../../local/store/world.ts";
import { type ServedFolder, takeFolder } from "../folder.ts";
import { repeat } from "../ports.ts";
import { openRegistryPorts, type RegistryPorts, type ServedPort } from "./ports.ts";
import { ImageRegistry } from "./registry.ts";
import type { ContentStore, Uploads } from "./store.ts";

const hour = 60 * 60 * 1000;
/** For how long content is kept that nothing needs yet: a client pushes blobs first, and then the manifest that needs them. */
const patience = hour;
const uploadPatience = 24 * hour;

const kept = z.object({ id: z.string(), parent: z.string(), digest: z.string() });

/** Removes content that no repository has any more, blobs that no manifest needs, and uploads and drafts that nobody goes on with. */
export async function sweep(world: World, content: ContentStore, uploads: Uploads, now = Date.now()): Promise<void> {
  await uploads.removeOlder(now - uploadPatience);
  await content.removeDraftsOlder(now - patience);
  await world.transaction(() => {
    unlink(world, now - patience);
  });
  for await (const { digest, changedAt } of content.all()) {
    if (changedAt >= now - patience) continue;
    // A transaction for each: nobody links it meanwhile.
    await world.transaction(async () => {
      if (!isKept(world, digest.text)) await content.remove(digest);
    });
  }
}

/** Takes blobs out of repositories in which no manifest needs them. */
function unlink(world: World, before: number): void {
  const rows = (sql: string, ...values: number[]) => z.array(kept).parse(world.prepare(sql).all(...values));
  const needed = new Set(
    rows(
      `SELECT m.id, m.parent, blob.value ->> '$.digest' AS digest FROM "${manifests.name}" AS m, json_each(m.data, '$.blobs') AS blob`,
    ).map(({ parent, digest }) => `${parent}@${digest}`),
  );
  const old = rows(`SELECT id, parent, data ->> '$.digest' AS digest FROM "${blobs.name}" WHERE data ->> '$.linkedAt' < ?`, before);
  for (const { id } of old) if (!needed.has(id)) world.prepare(`DELETE FROM "${blobs.name}" WHERE id = ?`).run(id);
}

/** Whether a repository of any account and region has some content. */
function isKept(world: World, digest: string): boolean {
  return [blobs, manifests].some(
    ({ name }) => world.prepare(`SELECT 1 FROM "${name}" WHERE id LIKE ? LIMIT 1`).get(`%@${digest}`) !== undefined,
  );
}

const sweepEvery = 10 * 60 * 1000;

export interface ImagesOptions {
  /** Where the content of images is kept; beside the world's file unless given. That of a world without a file goes with the process. */
  readonly folder?: string;
  /** Is called with each port that opens. */
  readonly told?: (port: ServedPort) => void;
}

/** The registries of a world, as they are served. */
export interface ServedImages extends AsyncDisposable {
  readonly registry: ImageRegistry;
  readonly ports: RegistryPorts;
  readonly held: ServedFolder;
}

/**
 * Serves the registries of a world to image clients, each at ports of its own.
 *
 * @throws ConfigurationError if another server does.
 */
export async function openImages(world: World, options: ImagesOptions, report: (mistake: unknown) => void): Promise<ServedImages> {
  const held = takeFolder(world, { kind: "images", what: "registries", folder: options.folder });
  try {
    const registry = new ImageRegistry(world, held.folder, report);
    const { content, uploads } = registry.context;
    const ports = await openRegistryPorts(world, registry, options.told ?? (() => undefined));
    const swept = sweep(world, content, uploads).catch(report);
    const stopSweeping = repeat(sweepEvery, report, () => sweep(world, content, uploads));
    return {
      registry,
      ports,
      held,
      [Symbol.asyncDispose]: async () => {
        await ports[Symbol.asyncDispose]();
        await Promise.all([swept, stopSweeping()]);
        held[Symbol.dispose]();
      },
    };
  } catch (error) {
    held[Symbol.dispose]();
    throw error;
  }
}
