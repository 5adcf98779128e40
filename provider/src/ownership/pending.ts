import { setTimeout as sleep } from "node:timers/promises";
import * as tag from "@container-platform/sdk/tag";
import { type Cloud, listingDelay, parseResourceName, pauseAfter, PlatformError, resourceKinds } from "@container-platform/sdk";
import { ProviderError } from "../definition/codes.ts";
import { type Context, recently } from "../definition/context.ts";
import type { Kind } from "../definition/definition.ts";
import type { Props } from "../schema/values.ts";
import { isNoted, noteOn, type Ownership, ownershipIn, pending, stateKey } from "./tags.ts";

/** A resource whose tags or note say that it is pending. */
export interface Found extends Ownership {
  readonly id: string;
}

/** A pending resource whose tags the tag product keeps. */
export interface PendingResource extends Found {
  readonly cloud: Cloud;
  /** The name of its type in the tag product. */
  readonly kind: string;
}

/** The tags of a resource, as its own product lists it with one of them; `undefined` if that does not list it, or keeps no tags. */
export async function tagsOf({ owned }: Kind, cloud: Cloud, id: string, known: Props, key: string, value: string) {
  if (typeof owned !== "object" || isNoted(owned)) return undefined;
  const found = (await owned.tagged(cloud, known, { key, value })).find((one) => one.id === id);
  return found && (found.tags ?? {});
}

/** The pending resources of the region, of all types whose tags the tag product keeps. They are listed once an update. */
export class PendingResources {
  /** The search for orphans before the first deletion of an update without a program. */
  searchBeforeDeletion: Promise<void> | undefined;
  #listing: Promise<readonly PendingResource[]> | undefined;
  #isDenied = false;

  /** @param warn called once if the account may not list tags. Then none are found */
  list(cloud: Cloud, warn: Context["warn"]): Promise<readonly PendingResource[]> {
    const listing = (this.#listing ??= this.#list(cloud, warn));
    listing.catch(() => {
      if (this.#listing === listing) this.forget();
    });
    return listing;
  }

  /** The pending resources of a type; in a parent, if their own product keeps their tags or notes. */
  async of(kind: Kind, { cloud, warn }: Pick<Context, "cloud" | "warn">, parent: Props): Promise<readonly Found[]> {
    const { owned, within } = kind;
    if (owned === "key") return [];
    if (typeof owned === "string") return (await this.list(cloud, warn)).filter((one) => one.kind === owned);
    if (!isNoted(owned)) {
      const tagged = await owned.tagged(cloud.tolerating(recently), parent, { key: stateKey, value: pending });
      return tagged.map(({ id, tags = {} }) => ({ id, ...ownershipIn(tags) })).filter(({ isPending }) => isPending);
    }
    const all = within ? await kind.list(cloud, { [within.by]: [String(parent[within.by])] }) : [];
    return all.flatMap((one) => {
      const note = noteOn(kind, one);
      return note ? [{ id: kind.id.of(one), ...note }] : [];
    });
  }

  /** The result of the last listing; none if there was none, or it failed. */
  async last(): Promise<readonly PendingResource[]> {
    return (await this.#listing?.catch(() => [])) ?? [];
  }

  /** Repeats a search until nothing is missing that an interrupted update may have created, or until the platform's lists must be complete. */
  async searched<T>({ show, signal }: Context, search: () => Promise<T>, isMissing: (found: T) => Promise<boolean>): Promise<T> {
    const begun = performance.now();
    for (;;) {
      const found = await search();
      const seconds = (performance.now() - begun) / 1000;
      if (seconds >= listingDelay || !(await isMissing(found))) return found;
      show(
        `looking for resources of an interrupted update, for up to ${listingDelay} s. \`pulumi refresh --clear-pending-creates\` ends this check`,
      );
      await sleep(pauseAfter(seconds) * 1000, undefined, { signal }).catch(() => {
        throw new ProviderError("Interrupted", "interrupted. The next update continues");
      });
      this.forget();
    }
  }

  forget(): void {
    if (!this.#isDenied) this.#listing = undefined;
  }

  async #list(cloud: Cloud, warn: Context["warn"]): Promise<readonly PendingResource[]> {
    try {
      const tagged = await cloud.all(tag.getResources, { tagFilters: [{ tagKey: stateKey, tagValue: [pending] }], maxResults: 200 });
      return tagged.flatMap(({ resource, tags }) => {
        const { service, type, id, region } = parseResourceName(resource) ?? {};
        const [kind] = Object.entries(resourceKinds).find(([, one]) => one.service === service && one.type === type) ?? [];
        const own = ownershipIn(Object.fromEntries(tags.map(({ tagKey, tagValue }) => [tagKey, tagValue])));
        // The tag product may list resources of every region.
        return kind === undefined || id === undefined || region !== cloud.region || !own.isPending ? [] : [{ cloud, kind, id, ...own }];
      });
    } catch (error) {
      if (!(error instanceof PlatformError) || error.kind !== "unauthorized") throw error;
      this.#isDenied = true;
      const { reason, code, origin } = error;
      warn({
        code: "Unchecked",
        message: `the provider cannot find resources that an interrupted update created, and could create them a second time: ${reason} (${origin.action}: ${code}). Allow the account ${origin.action}`,
      });
      return [];
    }
  }
}
