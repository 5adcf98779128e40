import * as registry from "../catalogue/registry.ts";
import type { Cloud } from "../client/client.ts";
import { Finder } from "../client/finder.ts";
import { everyPage, pageSize } from "../client/paginate.ts";

/** How single things are looked up, with few calls: see `Finder`. */

/** Each registry with the id of the call that told of it. */
export const registryFinder = new Finder({
  some: async (cloud, ids) => {
    const { registries, requestId } = await cloud.call(registry.describeInstances, { registryIds: [...ids], limit: pageSize });
    return registries.map((found) => ({ ...found, requestId }));
  },
  idOf: ({ registryId }) => registryId,
});

/** All registries of the region. */
export function everyRegistry(cloud: Cloud) {
  return everyPage(async (offset) => {
    const { registries, totalCount } = await cloud.call(registry.describeInstances, { offset, limit: pageSize });
    return { items: registries, total: totalCount };
  });
}

/** Why a registry does not run, and the id of the call that tells it. */
export async function registryFailure(cloud: Cloud, registryId: string) {
  const { registryStatusSet, requestId } = await cloud.call(registry.describeInstanceStatus, { registryIds: [registryId] });
  return { reason: registryStatusSet[0]?.conditions.map(({ reason }) => reason).find((text) => text !== ""), requestId };
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
  return cloud.readings.share(`tokens of ${registryId}`, cloud.tolerance, () =>
    everyPage(async (offset) => {
      const found = await cloud.find(registry.describeInstanceToken, { registryId, offset, limit: pageSize });
      return { items: found?.tokens ?? [], total: found?.totalCount ?? 0 };
    }),
  );
}

/** The retention rules of a registry, one reading for all who ask at once; none where the registry is gone. */
export function retentionRulesOf(cloud: Cloud, registryId: string) {
  return cloud.readings.share(`retention rules of ${registryId}`, cloud.tolerance, () =>
    everyPage(async (offset) => {
      const page = { offset: 1 + offset / pageSize, limit: pageSize };
      const found = await cloud.find(registry.describeTagRetentionRules, { registryId, ...page });
      return { items: found?.retentionPolicyList ?? [], total: found?.totalCount ?? 0 };
    }),
  );
}
