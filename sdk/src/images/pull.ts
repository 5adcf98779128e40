import type { World } from "../local/store/world.ts";
import type { Door, Knock } from "./access/door.ts";
import { type Asked, digestAsked, foundManifest, manifestBytes } from "./answers/found-manifest.ts";
import { within } from "./answers/visit.ts";
import type { ContentStore } from "./store/content-store.ts";

/** What decides on a pull. */
export interface Pulling {
  readonly world: World;
  readonly door: Door;
  /** The content of images; without one, an image counts that the platform lists. */
  readonly content: ContentStore | undefined;
}

/**
 * Decides on a pull as for a client that asks over the network, and answers the digest of what it would get.
 *
 * @throws HungUp if the client does not reach the registry, and Refusal with what it would be told.
 */
export async function pull({ world, door, content }: Pulling, knock: Knock, asked: Asked): Promise<string> {
  const asking = { counter: { world, door }, knock };
  const need = { name: asked.name, doing: "pull" } as const;
  if (!content) return within(asking, need, (repository) => digestAsked(repository, asked.reference));
  const { digest } = await within(asking, need, (repository) => foundManifest(repository, asked.reference));
  await manifestBytes(content, asked, digest);
  return digest;
}
