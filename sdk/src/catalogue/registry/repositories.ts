import { z } from "zod";
import { operations } from "../../operation/operation.ts";
import { changeErrors, insideErrors, namespaceName, pagePaging, registryId, repositoryName, totalCount } from "./structures.ts";

const operation = operations("registry", "2019-09-24");

const imageVersion = z.string().describe("Version of the image, such as `1.4.2`.");
const briefDescription = z.string().describe("Description of the repository in a few words.");
const description = z.string().describe("Description of the repository.");

export const createRepository = operation("CreateRepository", () => ({
  summary: "Creates a repository. Pushing an image creates it as well.",
  input: {
    registryId,
    namespaceName,
    repositoryName: repositoryName.describe(
      "Name: 2 to 200 lower-case letters, digits and separators (`.`, `_`, `-`, `/`), which neither begin nor end it nor follow each other.",
    ),
    briefDescription: briefDescription.optional(),
    description: description.optional(),
  },
  output: {},
  errors: [...changeErrors, "InvalidParameter.ErrorTcrInvalidParameter", "InternalError.ErrorTcrResourceConflict"],
  effect: "write",
  source: "public-api",
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
      .describe("What to sort by, the greatest first: `-creation_time`, `-name`, `-update_time`. The oldest comes first unless given."),
    ...pagePaging,
  },
  output: {
    repositoryList: z
      .array(
        z.object({
          name: z.string().describe("Name of the repository, that of its namespace before it, such as `team/web`."),
          namespace: namespaceName,
          creationTime: z.string().describe("When it was made, ISO 8601."),
          public: z.boolean().describe("Whether everyone may pull its images."),
          description,
          briefDescription,
          updateTime: z.string().describe("When it, or an image of it, was last changed, ISO 8601."),
        }),
      )
      .describe("The repositories."),
    totalCount,
  },
  errors: ["ResourceNotFound"],
  effect: "read",
  pages: { by: "number", items: "repositoryList", number: "offset", size: "limit" },
  source: "specification",
}));

export const modifyRepository = operation("ModifyRepository", () => ({
  summary: "Changes the descriptions of a repository, both at once. Nothing else of it can be changed.",
  input: { registryId, namespaceName, repositoryName, briefDescription, description },
  output: {},
  errors: insideErrors,
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const deleteRepository = operation("DeleteRepository", () => ({
  summary: "Deletes a repository, with its images unless said otherwise.",
  input: {
    registryId,
    namespaceName,
    repositoryName,
    forceDelete: z.boolean().optional().describe("True, the default: with its images. False: refused while it has images."),
  },
  output: {},
  errors: [...insideErrors, "FailedOperation.PreconditionFailed"],
  effect: "write",
  source: "public-api",
}));

export const describeImages = operation("DescribeImages", () => ({
  summary: "Lists the images of a repository, the one pushed last first.",
  input: {
    registryId,
    namespaceName,
    repositoryName,
    imageVersion: imageVersion.optional().describe("A part of the version, or all of it with `ExactMatch`; all images unless given."),
    digest: z.string().optional().describe("Digest of the image; any unless given."),
    exactMatch: z.boolean().optional().describe("Whether `ImageVersion` is the whole version; false unless given."),
    ...pagePaging,
  },
  output: {
    imageInfoList: z
      .array(
        z.object({
          digest: z.string().describe("Digest of the image, `sha256:` and 64 digits."),
          size: z.int().describe("Size in bytes."),
          imageVersion,
          updateTime: z.string().describe("When it was pushed, ISO 8601."),
          kind: z.string().describe("Kind of artifact: `docker-image`."),
          kmsSignature: z.string().describe("Signature with a key of the platform; empty: none."),
        }),
      )
      .describe("The images."),
    totalCount,
  },
  errors: insideErrors,
  effect: "read",
  pages: { by: "number", items: "imageInfoList", number: "offset", size: "limit" },
  source: "specification",
}));

export const deleteImage = operation("DeleteImage", () => ({
  summary: "Deletes an image. Its repository stays.",
  input: { registryId, namespaceName, repositoryName, imageVersion },
  output: {},
  errors: insideErrors,
  effect: "write",
  source: "public-api",
}));
