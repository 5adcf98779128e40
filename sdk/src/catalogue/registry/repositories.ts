import { z } from "zod";
import { boolean, int, objects, operations, string } from "../../operation/operation.ts";
import { totalCount } from "../shared.ts";
import { changeErrors, insideErrors, namespaceName, pagePaging, registryId, repositoryName } from "./structures.ts";

const { operation, publicApiOperation } = operations("registry", "2019-09-24");

const imageVersion = string("Version of the image, such as `1.4.2`.");
const briefDescription = string("Description of the repository in a few words.");
const description = string("Description of the repository.");

export const createRepository = publicApiOperation("CreateRepository", () => ({
  summary: "Creates a repository. A push of an image creates it too.",
  input: {
    registryId,
    namespaceName,
    repositoryName: repositoryName.describe(
      "Name: 2 to 200 lower-case letters, digits and separators (`.`, `_`, `-`, `/`). It begins and ends with a letter or digit, and has no two separators in a row.",
    ),
    briefDescription: briefDescription.optional(),
    description: description.optional(),
  },
  errors: [...changeErrors, "InvalidParameter.ErrorTcrInvalidParameter", "InternalError.ErrorTcrResourceConflict"],
}));

export const describeRepositories = operation("DescribeRepositories", () => ({
  summary: "Lists repositories of a registry.",
  input: {
    registryId,
    namespaceName: namespaceName.optional().describe("Name of the namespace; repositories of all namespaces unless given."),
    repositoryName: repositoryName.optional().describe("Name of the repository; all unless given."),
    sortBy: z
      .enum(["-creation_time", "-name", "-update_time"])
      .optional()
      .describe("Descending order: `-creation_time`, `-name` or `-update_time`. Oldest first unless given."),
    ...pagePaging,
  },
  output: {
    repositoryList: objects("The repositories.", {
      name: string("Name of the repository with its namespace, `<namespace>/<name>`, such as `team/web`."),
      namespace: namespaceName,
      creationTime: string("Time of creation, ISO 8601."),
      public: boolean("Whether everyone may pull its images."),
      description,
      briefDescription,
      updateTime: string("Time of the last change of the repository or an image of it, ISO 8601."),
    }),
    totalCount,
  },
  errors: ["ResourceNotFound"],
  pages: { by: "number", items: "repositoryList", key: "name", number: "offset", size: "limit" },
}));

export const modifyRepository = publicApiOperation("ModifyRepository", () => ({
  summary: "Changes both descriptions of a repository. Nothing else can be changed.",
  input: { registryId, namespaceName, repositoryName, briefDescription, description },
  errors: insideErrors,
  repeatable: true,
}));

export const deleteRepository = publicApiOperation("DeleteRepository", () => ({
  summary: "Deletes a repository, by default with its images.",
  input: {
    registryId,
    namespaceName,
    repositoryName,
    forceDelete: boolean("True, the default: its images are deleted as well. False: rejected if it has images.").optional(),
  },
  errors: [...insideErrors, "FailedOperation.PreconditionFailed"],
}));

export const describeImages = operation("DescribeImages", () => ({
  summary: "Lists the images of a repository, last pushed first.",
  input: {
    registryId,
    namespaceName,
    repositoryName,
    imageVersion: imageVersion.optional().describe("A part of the version, or all of it with `ExactMatch`; all images unless given."),
    digest: string("Digest of the image; any unless given.").optional(),
    exactMatch: boolean("Whether `ImageVersion` has to be the whole version; false unless given.").optional(),
    ...pagePaging,
  },
  output: {
    imageInfoList: objects("The images.", {
      digest: string("Digest of the image, `sha256:` and 64 digits."),
      size: int("Size in bytes."),
      imageVersion,
      updateTime: string("Time of the push, ISO 8601."),
      kind: string("Type of artifact: `docker-image`."),
      kmsSignature: string("Signature with a key of the platform; empty: none."),
    }),
    totalCount,
  },
  errors: insideErrors,
  pages: { by: "number", items: "imageInfoList", number: "offset", size: "limit" },
}));

export const deleteImage = publicApiOperation("DeleteImage", () => ({
  summary: "Deletes an image. Its repository remains.",
  input: { registryId, namespaceName, repositoryName, imageVersion },
  errors: [...insideErrors, "OperationDenied"],
}));
