import type { RegistryStatus } from "../../catalogue/registry/states.ts";
import type { severities } from "../../catalogue/registry/structures.ts";
import { InputError } from "../../operation/errors.ts";
import { settled } from "../store/timeline.ts";
import type { World } from "../store/world.ts";
import { applyRetention } from "./content/retention.ts";
import { Context } from "../behaviour.ts";
import { registryStatusAt } from "./states.ts";
import { pushImage, repositoryIn } from "./content/images.ts";
import { buckets, type NamespaceRow, namespaces, registries, type RegistryRow } from "./tables.ts";

/** Changes of registries that no operation makes, by which tests prepare a world. */

interface PushedImage {
  readonly region: string;
  readonly registryId: string;
  readonly namespace: string;
  readonly repository: string;
  readonly version: string;
  /** The moment of the push, in milliseconds since 1970; now unless given. */
  readonly pushedAt?: number;
  /** `sha256:` and 64 hexadecimal digits; drawn from the world's seed unless given. */
  readonly digest?: string;
  /** Bytes; 10 MB unless given. */
  readonly size?: number;
  /** What a scan finds in the image; nothing unless given. */
  readonly vulnerabilities?: readonly { readonly cveId: string; readonly severity: (typeof severities)[number] }[];
}

/**
 * Adds an image to a registry, as a push does: its repository is made if it does not exist, an image of the same version is replaced,
 * and replication rules copy it. Answers its digest.
 *
 * @throws InputError if there is no such running registry, or no such namespace.
 */
export function putImage(world: World, { region, registryId, namespace, repository, version, ...given }: PushedImage): Promise<string> {
  return world.transaction(() => {
    const at = new Context(world, region);
    const registry = presentRegistry(at, registryId);
    const status = registryStatusAt(registry.timeline, at.now);
    if (status !== "Running") throw new InputError(`registry ${registryId} is ${status}: images are pushed to one that is Running`);
    presentNamespace(at, registryId, namespace);
    applyRetention(at, registryId);
    const digest = given.digest ?? `sha256:${world.drawHex()}`;
    const { size = 10_000_000, pushedAt = at.now, vulnerabilities = [] } = given;
    const image = { version, digest, size, pushedAt, vulnerabilities: [...vulnerabilities] };
    pushImage(repositoryIn(at, { registryId, namespace, repository }), image);
    return digest;
  });
}

/** Turns the signing of a namespace's images with a key of the platform on or off. */
export function setImageSigning(
  world: World,
  { region, registryId, namespace, signed }: { region: string; registryId: string; namespace: string; signed: boolean },
): Promise<void> {
  return world.transaction(() => {
    const { id } = presentNamespace(new Context(world, region), registryId, namespace);
    world.rows(namespaces, region).update(id, { signed });
  });
}

/** Makes the tags of a namespace immutable that match one of these patterns, such as `v*`: once pushed, they are neither moved nor deleted. */
export function setImmutableTags(
  world: World,
  { region, registryId, namespace, tags }: { region: string; registryId: string; namespace: string; tags: readonly string[] },
): Promise<void> {
  return world.transaction(() => {
    const { id } = presentNamespace(new Context(world, region), registryId, namespace);
    world.rows(namespaces, region).update(id, { immutableTags: tags.length === 0 ? undefined : [...tags] });
  });
}

/** Sets how many bytes the images of a registry may have; `undefined` takes the limit away. What is there already stays. */
export function setStorageQuota(
  world: World,
  { region, registryId, bytes }: { region: string; registryId: string; bytes: number | undefined },
): Promise<void> {
  return world.transaction(() => {
    presentRegistry(new Context(world, region), registryId);
    world.rows(registries, region).update(registryId, { quota: bytes });
  });
}

/** Sets the state of a registry to one that no operation leads to, such as `Unhealthy` or `Isolate`. */
export function setRegistryStatus(
  world: World,
  { region, registryId, status, reason }: { region: string; registryId: string; status: RegistryStatus; reason?: string },
): Promise<void> {
  return world.transaction(() => {
    presentRegistry(new Context(world, region), registryId);
    const timeline = { ...settled(status), ...(reason !== undefined && { reason }) };
    world.rows(registries, region).update(registryId, { doing: "Update", timeline });
  });
}

/** The storage buckets of a region, each with its registry's id. A bucket stays after its registry unless it is deleted with it. */
export function bucketsIn(world: World, region: string): { id: string; registryId: string }[] {
  return world.rows(buckets, region).list();
}

function presentRegistry(at: Context, registryId: string): RegistryRow {
  const found = at.rows(registries).get(registryId);
  if (!found) throw new InputError(`there is no registry ${registryId} in ${at.region} of this world`);
  return found;
}

function presentNamespace(at: Context, registryId: string, namespace: string): NamespaceRow {
  const found = at.rows(namespaces).get(`${registryId}/${namespace}`);
  if (!found) throw new InputError(`registry ${registryId} has no namespace ${namespace} in this world`);
  return found;
}
