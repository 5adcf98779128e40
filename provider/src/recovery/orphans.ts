import * as tag from "@container-platform/sdk/tag";
import { type Cloud, parseResourceName, PlatformError, resourceKinds } from "@container-platform/sdk";
import { ownerKey, pending, stackKey, stateKey } from "./ownership-tags.ts";

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

/** Resources that killed runs may have left in the region, of all kinds whose tags the tag product keeps. They are listed once in a run. */
export class Orphans {
  #listing: Promise<readonly Orphan[]> | undefined;
  /** The result of the last listing. */
  found: readonly Orphan[] = [];

  /** All callers share one listing. */
  list(cloud: Cloud, warn: (message: string) => void): Promise<readonly Orphan[]> {
    this.#listing ??= this.#list(cloud, warn);
    return this.#listing;
  }

  /** Makes the next caller list them again, because there may be more now. */
  forget(): void {
    this.#listing = undefined;
  }

  async #list(cloud: Cloud, warn: (message: string) => void): Promise<readonly Orphan[]> {
    try {
      this.found = await listed(cloud);
      return this.found;
    } catch (error) {
      if (!(error instanceof PlatformError) || error.kind !== "unauthorized") {
        this.forget();
        throw error;
      }
      warn(`what a killed run left behind cannot be found, and would be made a second time: ${error.reason} (GetResources: ${error.code})`);
      return [];
    }
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
