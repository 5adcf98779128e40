import * as tag from "@container-platform/sdk/tag";
import { type Cloud, parseResourceName, PlatformError, resourceKinds } from "@container-platform/sdk";
import { ownerKey, pending, stateKey } from "./ownership-tags.ts";

interface Resource {
  readonly cloud: Cloud;
  /** What the tag product calls it. */
  readonly kind: string;
  readonly id: string;
  readonly owner: string | undefined;
}

/** What is pending in the region, of all kinds whose tags are the tag product's. */
export class PendingResources {
  #reading: Promise<readonly Resource[]> | undefined;
  /** As of the last reading. */
  found: readonly Resource[] = [];

  /** One reading for all who ask. */
  read(cloud: Cloud, warn: (message: string) => void): Promise<readonly Resource[]> {
    this.#reading ??= this.#list(cloud, warn);
    return this.#reading;
  }

  /** There may be more now. */
  forget(): void {
    this.#reading = undefined;
  }

  async #list(cloud: Cloud, warn: (message: string) => void): Promise<readonly Resource[]> {
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

async function listed(cloud: Cloud): Promise<readonly Resource[]> {
  const tagged = await cloud.all(tag.getResources, { tagFilters: [{ tagKey: stateKey, tagValue: [pending] }], maxResults: 200 });
  return tagged.flatMap(({ resource, tags }) => {
    const { service, type, id } = parseResourceName(resource) ?? {};
    const [kind] = Object.entries(resourceKinds).find(([, one]) => one.service === service && one.type === type) ?? [];
    const owner = tags.find(({ tagKey }) => tagKey === ownerKey)?.tagValue;
    return kind === undefined || id === undefined ? [] : [{ cloud, kind, id, owner }];
  });
}
