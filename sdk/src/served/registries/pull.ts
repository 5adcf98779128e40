import { createHash } from "node:crypto";
import { isBlocked } from "../../local/registry/access/container-client.ts";
import { imagesWithDigest, imageWithTag, manifestOf } from "../../local/registry/content/images.ts";
import type { ManifestRow } from "../../local/registry/tables.ts";
import type { World } from "../../local/store/world.ts";
import type { AccessControl, Caller } from "./access.ts";
import { type Algorithm, type Digest, digestFrom, digestOf, type Reference, Refusal } from "./protocol.ts";
import type { ContentStore } from "./store.ts";
import { type Permitted, within } from "./exchange.ts";

/** What is asked for: a manifest of a repository. */
export interface Asked {
  readonly name: string;
  readonly reference: Reference;
}

/**
 * The digest that a pull is about.
 *
 * @throws Refusal for a tag that is not there, and for an image that nobody may pull.
 */
function digestAsked(repository: Permitted, reference: Reference): string {
  const { name, namespace } = repository;
  const tagged = reference.tag === undefined ? undefined : imageWithTag(repository, reference.tag);
  const digest = reference.tag === undefined ? reference.digest.text : tagged?.digest;
  if (digest === undefined) throw unknownManifest({ name, reference });
  const images = tagged ? [tagged] : imagesWithDigest(repository, digest);
  if (images.some((image) => isBlocked(namespace, image)))
    throw new Refusal(
      412,
      "DENIED",
      `${name}@${digest} is blocked: it has vulnerabilities of severity ${namespace.severity ?? ""} or above`,
    );
  return digest;
}

/** @throws Refusal as `digestAsked`, and for an image without content. */
export function foundManifest(repository: Permitted, reference: Reference): ManifestRow {
  const manifest = manifestOf(repository, digestAsked(repository, reference));
  if (manifest) return manifest;
  const reason = reference.tag === undefined ? undefined : "it was put into the world without content";
  throw unknownManifest({ name: repository.name, reference }, reason);
}

/** @throws Refusal if the bytes are not there as they were pushed. */
export async function manifestBytes(content: ContentStore, asked: Asked, digest: string): Promise<Uint8Array> {
  const bytes = await content.read(digestFrom(digest));
  if (bytes && digestOfBytes(bytes, digestFrom(digest).algorithm).text === digest) return bytes;
  throw unknownManifest(asked, "its content was removed or damaged; push it again");
}

export function unknownManifest({ name, reference: { tag, digest } }: Asked, reason?: string): Refusal {
  const what = tag === undefined ? `${name}@${digest.text}` : `${name}:${tag}`;
  return new Refusal(404, "MANIFEST_UNKNOWN", `there is no manifest ${what}${reason === undefined ? "" : `: ${reason}`}`);
}

export function digestOfBytes(bytes: Uint8Array, algorithm: Algorithm): Digest {
  return digestOf(algorithm, createHash(algorithm).update(bytes).digest("hex"));
}

/** What decides on a pull. */
export interface Pulling {
  readonly world: World;
  readonly access: AccessControl;
  /** The content of images; without one, an image counts that the platform lists. */
  readonly content: ContentStore | undefined;
}

/**
 * Decides on a pull as for a client that asks over the network, and answers the digest of what it would get.
 *
 * @throws HungUp if the client does not reach the registry, and Refusal with what it would be told.
 */
export async function pull({ world, access, content }: Pulling, caller: Caller, asked: Asked): Promise<string> {
  const asking = { context: { world, access }, caller };
  const need = { name: asked.name, doing: "pull" } as const;
  if (!content) return within(asking, need, (repository) => digestAsked(repository, asked.reference));
  const { digest } = await within(asking, need, (repository) => foundManifest(repository, asked.reference));
  await manifestBytes(content, asked, digest);
  return digest;
}
