import * as registry from "@container-platform/sdk/registry";
import { everyRegistry, namespacesOf, repositoriesOf } from "@container-platform/sdk/finders/registry";
import * as z from "@container-platform/sdk/zod";
import { idElsewhere } from "../definition/ids.ts";
import type { Output } from "@pulumi/pulumi";
import { type FunctionInputs, type FunctionOptions, type NoArgs, outputOf, reading } from "./definition.ts";
import { listed, missingRegistry } from "./existing.ts";
import type { ImageRecord, NamespaceRecord, RegistryRecord, RepositoryRecord } from "./results.ts";

/**
 * Returns the registries of the region, with their `status`.
 *
 * @example
 * const domains = getRegistries().then((registries) => registries.map(({ publicDomain }) => publicDomain));
 */
export const getRegistries: (args?: NoArgs, opts?: FunctionOptions) => Promise<RegistryRecord[]> = reading({
  name: "getRegistries",
  args: {},
  read: (cloud) => everyRegistry(cloud),
});

/** {@link getRegistries}, for Outputs. */
export const getRegistriesOutput: (args?: FunctionInputs<NoArgs>, opts?: FunctionOptions) => Output<RegistryRecord[]> =
  outputOf(getRegistries);

export interface GetNamespacesArgs {
  /** ID of the registry, such as `tcr-3f8a0c1e`. */
  readonly registryId: string;
}

/**
 * Returns the namespaces of a registry.
 *
 * @throws Error if the region has no registry with this ID
 *
 * @example
 * const names = getNamespaces({ registryId: "tcr-3f8a0c1e" }).then((namespaces) => namespaces.map(({ name }) => name));
 */
export const getNamespaces: (args: GetNamespacesArgs, opts?: FunctionOptions) => Promise<NamespaceRecord[]> = reading({
  name: "getNamespaces",
  args: { registryId: idElsewhere("tcr") },
  read: (cloud, { registryId }) => listed(namespacesOf(cloud, registryId), () => missingRegistry(cloud, registryId)),
});

/** {@link getNamespaces}, for Outputs. */
export const getNamespacesOutput: (args: FunctionInputs<GetNamespacesArgs>, opts?: FunctionOptions) => Output<NamespaceRecord[]> =
  outputOf(getNamespaces);

export interface GetRepositoriesArgs {
  /** ID of the registry, such as `tcr-3f8a0c1e`. */
  readonly registryId: string;
  /** Name of a namespace of the registry. Default: all. */
  readonly namespaceName?: string;
}

/**
 * Returns the repositories of a registry, or of one of its namespaces.
 *
 * @throws Error if the registry or namespace does not exist
 *
 * @example
 * const names = getRepositories({ registryId: "tcr-3f8a0c1e", namespaceName: "team" }).then((all) => all.map(({ name }) => name));
 */
export const getRepositories: (args: GetRepositoriesArgs, opts?: FunctionOptions) => Promise<RepositoryRecord[]> = reading({
  name: "getRepositories",
  args: { registryId: idElsewhere("tcr"), namespaceName: z.string().min(1).optional() },
  read: (cloud, { registryId, namespaceName }) =>
    listed(cloud.all(registry.describeRepositories, { registryId, namespaceName }), () =>
      missingRegistry(cloud, registryId, namespaceName),
    ),
});

/** {@link getRepositories}, for Outputs. */
export const getRepositoriesOutput: (args: FunctionInputs<GetRepositoriesArgs>, opts?: FunctionOptions) => Output<RepositoryRecord[]> =
  outputOf(getRepositories);

export interface GetImagesArgs {
  /** ID of the registry, such as `tcr-3f8a0c1e`. */
  readonly registryId: string;
  /** Name of the namespace. */
  readonly namespaceName: string;
  /** Name of the repository, without the namespace. */
  readonly repositoryName: string;
}

/**
 * Returns the images of a repository, one entry for each version.
 *
 * @throws Error if the registry, namespace or repository does not exist
 *
 * @example
 * const image = { registryId: "tcr-3f8a0c1e", namespaceName: "team", repositoryName: "web" };
 * const versions = getImages(image).then((images) => images.map(({ imageVersion }) => imageVersion));
 */
export const getImages: (args: GetImagesArgs, opts?: FunctionOptions) => Promise<ImageRecord[]> = reading({
  name: "getImages",
  args: { registryId: idElsewhere("tcr"), namespaceName: z.string().min(1), repositoryName: z.string().min(1) },
  read: (cloud, { registryId, namespaceName, repositoryName }) =>
    listed(cloud.all(registry.describeImages, { registryId, namespaceName, repositoryName }), async () => {
      const missing = await missingRegistry(cloud, registryId, namespaceName);
      if (missing !== undefined) return missing;
      const repositories = await repositoriesOf(cloud, registryId, namespaceName);
      const isThere = repositories.some((one) => one.repositoryName === repositoryName);
      return isThere ? undefined : `repository ${repositoryName} in namespace ${namespaceName} of registry ${registryId}`;
    }),
});

/** {@link getImages}, for Outputs. */
export const getImagesOutput: (args: FunctionInputs<GetImagesArgs>, opts?: FunctionOptions) => Output<ImageRecord[]> = outputOf(getImages);
