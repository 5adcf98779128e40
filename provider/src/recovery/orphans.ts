import * as tag from "@container-platform/sdk/tag";
import { type Cloud, listed as listedInWords, parseResourceName, PlatformError, resourceKinds } from "@container-platform/sdk";
import { ownerKey, pending, stackKey, stateKey } from "./ownership-tags.ts";
import type { Tagged } from "./tagged-listings.ts";

/** A resource that is tagged as pending. It is an orphan unless the engine turns out to know it. */
export interface Orphan {
  readonly cloud: Cloud;
  /** The tag product's name of its kind. */
  readonly kind: string;
  readonly id: string;
  readonly owner: string | undefined;
  /** The stack, as its ownership tag names it. */
  readonly stack: string | undefined;
}

/** What is tagged as pending in a region. */
interface Sight {
  readonly found: readonly Orphan[];
  /** By the tag product's name of a kind: why it is not known what is pending of it. */
  readonly unseen: ReadonlyMap<string, string>;
}

/**
 * Resources that killed runs may have left in the region, of all kinds whose tags the tag product keeps. They are listed once in a run: by
 * the tag product, or, for an account that may not ask that, by the products that they are of.
 */
export class Orphans {
  #listing: Promise<Sight> | undefined;
  /** The result of the last listing. */
  found: readonly Orphan[] = [];

  /** All callers share one listing. It has what can be seen; `warn` is told what cannot. */
  async list(cloud: Cloud, warn: (message: string) => void): Promise<readonly Orphan[]> {
    return (await this.#seen(cloud, warn)).found;
  }

  /**
   * Those of one kind.
   *
   * @throws if they cannot be seen: what is there would be made a second time
   */
  async ofKind(kind: string, cloud: Cloud, warn: (message: string) => void): Promise<readonly Orphan[]> {
    const { found, unseen } = await this.#seen(cloud, warn);
    const why = unseen.get(kind);
    if (why !== undefined)
      throw new Error(
        `it is not made, because what a killed run has left cannot be found, and would be made a second time: ${why}. Allow the account one of these operations`,
      );
    return found.filter((one) => one.kind === kind);
  }

  /** Makes the next caller list them again, because there may be more now. */
  forget(): void {
    this.#listing = undefined;
  }

  #seen(cloud: Cloud, warn: (message: string) => void): Promise<Sight> {
    this.#listing ??= this.#list(cloud, warn);
    return this.#listing;
  }

  async #list(cloud: Cloud, warn: (message: string) => void): Promise<Sight> {
    try {
      const sight = await look(cloud);
      this.found = sight.found;
      const [why] = sight.unseen.values();
      if (why !== undefined)
        warn(`what a killed run has left of ${listedInWords([...sight.unseen.keys()])} cannot be found, and none of these is made: ${why}`);
      return sight;
    } catch (error) {
      this.forget();
      throw error;
    }
  }
}

async function look(cloud: Cloud): Promise<Sight> {
  try {
    return { found: await listed(cloud), unseen: new Map() };
  } catch (error) {
    if (!isDenied(error)) throw error;
    return listedApart(cloud, denial(error));
  }
}

async function listed(cloud: Cloud): Promise<readonly Orphan[]> {
  const tagged = await cloud.all(tag.getResources, { tagFilters: [{ tagKey: stateKey, tagValue: [pending] }], maxResults: 200 });
  return tagged.flatMap(({ resource, tags }) => {
    const { service, type, id, region } = parseResourceName(resource) ?? {};
    const [kind] = Object.entries(resourceKinds).find(([, one]) => one.service === service && one.type === type) ?? [];
    const valueOf = (key: string) => tags.find(({ tagKey }) => tagKey === key)?.tagValue;
    // The tag product may list resources of every region.
    return kind === undefined || id === undefined || region !== cloud.region
      ? []
      : [{ cloud, kind, id, owner: valueOf(ownerKey), stack: valueOf(stackKey) }];
  });
}

/** Lists each kind by its own product. */
async function listedApart(cloud: Cloud, denied: string): Promise<Sight> {
  // Loaded only where it is needed: few accounts may not ask the tag product.
  const listings = await import("./tagged-listings.ts").then(({ taggedListings }) => taggedListings);
  const found: Orphan[] = [];
  const unseen = new Map<string, string>();
  for (const [kind, list] of Object.entries(listings))
    try {
      found.push(...(await list(cloud)).flatMap((one) => orphanIn(cloud, kind, one)));
    } catch (error) {
      if (!isDenied(error)) throw error;
      unseen.set(kind, `${denied}; ${denial(error)}`);
    }
  return { found, unseen };
}

function orphanIn(cloud: Cloud, kind: string, { id, tags = [] }: Tagged): Orphan[] {
  const valueOf = (key: string) => tags.find((tag) => tag.key === key)?.value;
  return valueOf(stateKey) === pending ? [{ cloud, kind, id, owner: valueOf(ownerKey), stack: valueOf(stackKey) }] : [];
}

function isDenied(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.kind === "unauthorized";
}

function denial({ reason, code, origin }: PlatformError): string {
  return `${reason} (${origin.action}: ${code})`;
}
