import * as registry from "../catalogue/registry.ts";
import { type Cloud, ifFound } from "../client/client.ts";
import { Finder } from "../client/finder.ts";
import { withRequestId } from "../client/paging.ts";

/** Finds registries, and lists what belongs to them, with few calls: see `Finder`. */

/** Finds a registry. It has the id of the call that answered it. */
export const registryFinder = new Finder({
  some: (cloud, ids) => withRequestId(cloud.pages(registry.describeInstances, { registryIds: [...ids] })),
  idOf: ({ registryId }) => registryId,
});

/** All registries of the region. */
export function everyRegistry(cloud: Cloud) {
  return cloud.all(registry.describeInstances, {});
}

/** The namespaces of a registry. One call for all who ask at once. None if the registry is gone. */
export function namespacesOf(cloud: Cloud, registryId: string) {
  return cloud.readings.share(
    `namespaces of ${registryId}`,
    cloud.tolerance,
    async () => (await cloud.find(registry.describeNamespaces, { registryId, all: true }))?.namespaceList ?? [],
  );
}

/** The long-term tokens of a registry. One call for all who ask at once. None if the registry is gone. */
export function tokensOf(cloud: Cloud, registryId: string) {
  return cloud.readings.share(
    `tokens of ${registryId}`,
    cloud.tolerance,
    async () => (await ifFound(cloud.all(registry.describeInstanceToken, { registryId }))) ?? [],
  );
}

/** The retention rules of a registry. One call for all who ask at once. None if the registry is gone. */
export function retentionRulesOf(cloud: Cloud, registryId: string) {
  return cloud.readings.share(
    `retention rules of ${registryId}`,
    cloud.tolerance,
    async () => (await ifFound(cloud.all(registry.describeTagRetentionRules, { registryId }))) ?? [],
  );
}
