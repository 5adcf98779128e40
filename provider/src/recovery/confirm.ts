import * as tag from "@container-platform/sdk/tag";
import { type Cloud, resourceKinds } from "@container-platform/sdk";
import type { Kind } from "../definition/definition.ts";
import { confirmed, pending, separated, stateKey } from "./ownership-tags.ts";
import type { Props } from "../schema/values.ts";

/** A resource that was returned to the engine, and is not tagged as confirmed yet. */
export interface Unconfirmed {
  readonly cloud: Cloud;
  readonly kind: Kind;
  readonly id: string;
  /** Its known properties, with its ownership tags. */
  readonly live: Props;
}

/** How many resources one call can tag. */
const batch = 50;
/** In milliseconds: the engine waits five seconds for its provider to exit. */
const limit = 4000;

/** Tags resources as confirmed, as many as the time allows. */
export async function confirm(resources: readonly Unconfirmed[]): Promise<void> {
  if (resources.length === 0) return;
  const late = new Promise((resolve) => setTimeout(resolve, limit));
  await Promise.race([Promise.allSettled([...inBatches(resources), ...individually(resources)]), late]);
}

/** Confirms resources whose tags the tag product keeps: one call tags many. */
function inBatches(resources: readonly Unconfirmed[]): Promise<unknown>[] {
  return Object.entries(resourceKinds).flatMap(([name, { service, type }]) => {
    const alike = resources.filter(({ kind }) => kind.owned === name);
    return Array.from({ length: Math.ceil(alike.length / batch) }, async (_, index) => {
      const some = alike.slice(index * batch, (index + 1) * batch);
      await some[0]?.cloud.call(tag.attachResourcesTag, {
        serviceType: service,
        resourcePrefix: type,
        resourceIds: some.map(({ id }) => id),
        tagKey: stateKey,
        tagValue: confirmed,
      });
    });
  });
}

/** Confirms resources whose tags their own product keeps. It sets all tags at once, so they are read first: a user may have added some. */
function individually(resources: readonly Unconfirmed[]): Promise<unknown>[] {
  return resources.map(async ({ kind, cloud, id, live }) => {
    const { owned, changes, tagsInput = "" } = kind;
    const step = changes[tagsInput];
    if (typeof owned !== "object" || !("tagged" in owned) || typeof step !== "function") return;
    const listed = await owned.tagged(cloud, live, { key: stateKey, value: pending });
    const { tags, ownershipTags } = separated(listed.find((one) => one.id === id)?.tags ?? {});
    if (ownershipTags[stateKey] !== pending) return;
    const now = { ...live, [tagsInput]: tags, ownershipTags };
    await step(cloud, { ...now, ownershipTags: { ...ownershipTags, [stateKey]: confirmed } }, now, () => Promise.resolve());
  });
}
