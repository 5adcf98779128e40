import * as registry from "../catalogue/registry.ts";
import { type Cloud, ifFound } from "../client/client.ts";
import { Finder } from "../client/finder.ts";
import { withRequestId } from "../client/paging.ts";

/** How single things are looked up, with few calls: see `Finder`. */

/** Each registry with the id of the call that told of it. */
export const registryFinder = new Finder({
  some: (cloud, ids) => withRequestId(cloud.pages(registry.describeInstances, { registryIds: [...ids] })),
  idOf: ({ registryId }) => registryId,
});

/** All registries of the region. */
export function everyRegistry(cloud: Cloud) {
  return cloud.all(registry.describeInstances, {});
}

/** The namespaces of a registry, one reading for all who ask at once; none where the registry is gone. */
export function namespacesOf(cloud: Cloud, registryId: string) {
  return cloud.readings.share(
    `namespaces of ${registryId}`,
    cloud.tolerance,
    async () => (await cloud.find(registry.describeNamespaces, { registryId, all: true }))?.namespaceList ?? [],
  );
}

/** The long-term tokens of a registry, one reading for all who ask at once; none where the registry is gone. */
export function tokensOf(cloud: Cloud, registryId: string) {
  return cloud.readings.share(
    `tokens of ${registryId}`,
    cloud.tolerance,
    async () => (await ifFound(cloud.all(registry.describeInstanceToken, { registryId }))) ?? [],
  );
}

/** The retention rules of a registry, one reading for all who ask at once; none where the registry is gone. */
export function retentionRulesOf(cloud: Cloud, registryId: string) {
  return cloud.readings.share(
    `retention rules of ${registryId}`,
    cloud.tolerance,
    async () => (await ifFound(cloud.all(registry.describeTagRetentionRules, { registryId }))) ?? [],
  );
}
