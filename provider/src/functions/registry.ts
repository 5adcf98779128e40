import * as registry from "@container-platform/sdk/registry";
import { namespacesOf } from "@container-platform/sdk/finders/registry";
import { connected } from "./cloud.ts";

/** The registries of the region, with their `status`. */
export async function getRegistries() {
  return (await connected()).all(registry.describeInstances, {});
}

/** The namespaces of a registry. */
export async function getNamespaces(registryId: string) {
  return namespacesOf(await connected(), registryId);
}

/** The repositories of a registry, or of one of its namespaces. */
export async function getRepositories(registryId: string, namespaceName?: string) {
  return (await connected()).all(registry.describeRepositories, { registryId, namespaceName });
}

/** The images of a repository, one entry for each version. */
export async function getImages(registryId: string, namespaceName: string, repositoryName: string) {
  return (await connected()).all(registry.describeImages, { registryId, namespaceName, repositoryName });
}
