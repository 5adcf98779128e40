import { createHash } from "node:crypto";
import { isBlocked } from "../../local/registry/access/container-client.ts";
import { imagesWithDigest, imageWithTag, manifestOf } from "../../local/registry/content/images.ts";
import type { ManifestRow } from "../../local/registry/tables.ts";
import { type Algorithm, type Digest, digestFrom, digestOf } from "../protocol/digest.ts";
import { Refusal } from "../protocol/refusal.ts";
import type { Reference } from "../protocol/route.ts";
import type { ContentStore } from "../store/content-store.ts";
import type { Permitted } from "./visit.ts";

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
export function digestAsked(repository: Permitted, reference: Reference): string {
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
