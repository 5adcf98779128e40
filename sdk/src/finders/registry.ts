import * as registry from "../catalogue/registry.ts";
import { type Cloud, sharedList } from "../client/client.ts";
import { Finder } from "../client/finder.ts";
import { withRequestId } from "../client/paging.ts";

/** Finds registries, and lists what belongs to them, with few calls: see `Finder`. */

/** Finds a registry. It has the id of the call that answered it. */
export const registryFinder = new Finder({
  asking: registry.describeInstances,
  some: (cloud, ids) => withRequestId(cloud.pages(registry.describeInstances, { registryIds: [...ids] })),
  idOf: ({ registryId }) => registryId,
});

/** Each registry, in whatever region it is. */
export const registryAnywhereFinder = new Finder({
  asking: registry.describeInstances,
  some: (cloud, ids) => cloud.all(registry.describeInstances, { registryIds: [...ids], allRegion: true }),
  idOf: ({ registryId }) => registryId,
});

/** All registries of the region. */
export function everyRegistry(cloud: Cloud) {
  return cloud.all(registry.describeInstances, {});
}

/** The namespaces of a registry. One call for all who ask at once. None if the registry is gone. */
export function namespacesOf(cloud: Cloud, registryId: string) {
  return cloud.readings.share(
    [registry.describeNamespaces],
    `namespaces of ${registryId}`,
    cloud.tolerance,
    async () => (await cloud.find(registry.describeNamespaces, { registryId, all: true }))?.namespaceList ?? [],
  );
}

/** The long-term tokens of a registry. One call for all who ask at once. None if the registry is gone. */
export function tokensOf(cloud: Cloud, registryId: string) {
  return sharedList(cloud, `tokens of ${registryId}`, registry.describeInstanceToken, { registryId });
}

/** The retention rules of a registry. One call for all who ask at once. None if the registry is gone. */
export function retentionRulesOf(cloud: Cloud, registryId: string) {
  return sharedList(cloud, `retention rules of ${registryId}`, registry.describeTagRetentionRules, { registryId });
}

/**
 * The repositories of a registry, or of one of its namespaces, one reading for all who ask at once; none where the registry or the
 * namespace is gone. `repositoryName` is without that of its namespace.
 */
export async function repositoriesOf(cloud: Cloud, registryId: string, namespaceName?: string) {
  const name = `repositories of ${registryId}/${namespaceName ?? ""}`;
  const all = await sharedList(cloud, name, registry.describeRepositories, { registryId, namespaceName });
  return all.map((found) => ({ ...found, repositoryName: found.name.slice(found.namespace.length + 1) }));
}

/**
 * The service accounts of a registry with their permissions, one reading for all who ask at once; none where the registry is gone.
 * `accountName` is without what the platform puts before it.
 */
export function serviceAccountsOf(cloud: Cloud, registryId: string) {
  return cloud.readings.share([registry.describeServiceAccounts], `service accounts of ${registryId}`, cloud.tolerance, async () => {
    const found = await cloud.find(registry.describeServiceAccounts, { registryId, all: true, embedPermission: true });
    return (found?.serviceAccounts ?? []).map((account) => ({
      ...account,
      accountName: account.name.slice(account.name.indexOf("$") + 1),
    }));
  });
}

/** The replication rules of a registry with where they copy to, one reading for all who ask at once; none where the registry is gone. */
export async function replicationRulesOf(cloud: Cloud, registryId: string) {
  const all = await sharedList(cloud, `replication rules of ${registryId}`, registry.describeReplicationPolicies, { registryId });
  return all.map((rule) => ({ ...rule, destination: destinationIn(rule.destResource) }));
}

/** What is written as `<registry>/<namespace> <region>`; a repository may stand behind the namespace. */
function destinationIn(text: string) {
  const [path = "", region = ""] = text.split(" ");
  const [registryId = "", namespace = ""] = path.split("/");
  return { registryId, namespace, region };
}
