import { type Cloud, registryRules } from "@container-platform/sdk";
import { repositoriesOf } from "@container-platform/sdk/finders/registry";
import * as registry from "@container-platform/sdk/registry";
import * as z from "@container-platform/sdk/zod";
import type { Input } from "@pulumi/pulumi";
import { allowed } from "../../definition/inputs.ts";
import { type IdForm, idOf } from "../../definition/ids.ts";
import type { Outputs, ResolvedWithDefaults } from "../../definition/resource-class.ts";
import { below, resource } from "../../definition/resource.ts";
import { imageNames, imageNamesOf } from "./pulling/image-names.ts";
import { namespaceIn, requires } from "./prerequisite.ts";
import { RegistryInstance } from "./registry-instance.ts";

/** The arguments of `Repository`. */
export interface RepositoryArgs {
  /** The registry. A change replaces the repository. */
  registryId: Input<string>;
  /** Name of the namespace. A change replaces the repository. */
  namespaceName: Input<string>;
  /**
   * Name in the namespace: 2 to 200 lower-case letters, digits and single separators (`.`, `_`, `-`, `/`) between them. A change replaces
   * the repository.
   */
  repositoryName: Input<string>;
  /** Short description. */
  briefDescription?: Input<string | undefined>;
  /** Long description. */
  description?: Input<string | undefined>;
  /** Whether images are deleted with the repository. Otherwise a repository with images is not deleted. */
  forceDelete?: Input<boolean | undefined>;
}

export interface RepositoryImageNameOutput {
  /** For pushes and pulls over the internet. */
  public: string;
  /** For pulls from a VPC that resolves the private domain. */
  vpc: string;
}

/** The properties of a `Repository` once they are known. */
export interface RepositoryState extends ResolvedWithDefaults<RepositoryArgs, "briefDescription" | "description" | "forceDelete"> {
  /**
   * The names of its images without the version, `<server>/<namespace>/<repository>`, by the network that the images are pulled from.
   */
  imageName: RepositoryImageNameOutput;
}

/**
 * A repository of a namespace: the images of one name, in all versions. A push also creates the repository; import a repository that
 * already exists. A replacement is empty: the images of the old repository are not moved.
 *
 * @example
 * const web = new Repository("web", {
 *   registryId: images.registryId,
 *   namespaceName: team.namespaceName,
 *   repositoryName: "web",
 *   briefDescription: "The shop",
 * });
 * export const image = web.imageName.vpc;
 */
export class Repository extends resource<RepositoryArgs, RepositoryState>()("Repository", {
  inputs: {
    registryId: idOf("tcr"),
    namespaceName: allowed(z.string(), registryRules.namespaceName),
    repositoryName: allowed(z.string(), registryRules.repositoryName),
    briefDescription: z.string().default(""),
    description: z.string().default(""),
    forceDelete: z.boolean().default(false),
  },
  outputs: { imageName: imageNames },
  id: pathed(),
}).managed({
  within: { kind: RegistryInstance.kind, by: "registryId", keeps: true },
  create: (cloud, { registryId, namespaceName, repositoryName, briefDescription, description }) =>
    cloud.call(registry.createRepository, { registryId, namespaceName, repositoryName, briefDescription, description }),
  owned: "key",
  read: async (cloud, { registryId, namespaceName, repositoryName, forceDelete, imageName }) => {
    const found = (await repositoriesOf(cloud, registryId, namespaceName)).find((one) => one.repositoryName === repositoryName);
    if (!found) return undefined;
    return {
      ...found,
      registryId,
      namespaceName,
      forceDelete,
      imageName: imageName ?? (await imageNamesOf(cloud, registryId, `${namespaceName}/${repositoryName}`)),
    };
  },
  list: (cloud, { registryId: ids }) =>
    below(ids, async (registryId) =>
      (await repositoriesOf(cloud, registryId)).map((one) => ({ ...one, registryId, namespaceName: one.namespace })),
    ),
  // The platform deletes the images, too, unless it is told not to.
  delete: (cloud, { registryId, namespaceName, repositoryName, forceDelete = false }) =>
    cloud.call(registry.deleteRepository, { registryId, namespaceName, repositoryName, forceDelete }),

  changes: {
    registryId: "replace",
    namespaceName: "replace",
    repositoryName: "replace",
    briefDescription: describe,
    description: describe,
    forceDelete: "local-only",
  },
  needsByName: true,
  invariants: { check: [requires(namespaceIn("namespaceName", "registryId"))] },
  hints: {
    "FailedOperation.PreconditionFailed":
      "Delete its images first; or, to lose them, set forceDelete to true and run `pulumi up`, then delete the repository",
  },
}) {}
export interface Repository extends Outputs<RepositoryState> {}

type Settings = Omit<RepositoryState, "imageName" | "forceDelete">;

function describe(cloud: Cloud, { registryId, namespaceName, repositoryName, briefDescription, description }: Settings) {
  return cloud.call(registry.modifyRepository, { registryId, namespaceName, repositoryName, briefDescription, description });
}

/** `tcr-3f8a0c1e/team/web`; the name of the repository may hold `/`, too. */
function pathed(): IdForm<Pick<RepositoryState, "registryId" | "namespaceName" | "repositoryName">> {
  return {
    looks: "tcr-3f8a0c1e/team/web",
    names: ["registryId", "namespaceName", "repositoryName"],
    of: ({ registryId, namespaceName, repositoryName }) => `${registryId}/${namespaceName}/${repositoryName}`,
    parts: (id) => {
      const [registryId, namespaceName, ...rest] = id.split("/");
      if (!registryId || !namespaceName || rest.length === 0 || rest.includes("")) return undefined;
      return { registryId, namespaceName, repositoryName: rest.join("/") };
    },
  };
}
