import { boolean, int, objects, operations, spelt, string } from "../../operation/operation.ts";
import { filters, taggingErrors, totalCount } from "../shared.ts";
import {
  changeErrors,
  cveWhitelistItems,
  insideErrors,
  makingErrors,
  namespaceName,
  pagePaging,
  registryId,
  severity,
  tagSpecification,
} from "./structures.ts";

const { operation, publicApiOperation } = operations("registry", "2019-09-24");

const newName = string(
  "Name: 2 to 30 lower-case letters, digits and separators (`.`, `_`, `-`). Separators are not at the start or end, and do not follow each other.",
);

const settings = {
  isAutoScan: boolean("Whether images are scanned when they are pushed.").optional(),
  isPreventVul: spelt(
    "IsPreventVUL",
    boolean("Whether vulnerable images cannot be pulled; true if `Severity` is given. False removes the severity.").optional(),
  ),
  severity: severity
    .optional()
    .describe("Images with vulnerabilities of this severity or higher cannot be pulled: `low`, `medium` or `high`."),
  cveWhitelistItems: spelt("CVEWhitelistItems", cveWhitelistItems.optional()).describe("Vulnerabilities that are ignored."),
  tagSpecification: tagSpecification.optional().describe("Tags of the namespace, a single object."),
};

export const createNamespace = operation("CreateNamespace", () => ({
  summary: "Creates a namespace in a registry.",
  input: {
    registryId,
    namespaceName: newName,
    isPublic: boolean("Whether everyone may pull its images."),
    ...settings,
  },
  errors: [...makingErrors, "InvalidParameter.ErrorTcrInvalidParameter", "FailedOperation.ErrorTcrResourceConflict", ...taggingErrors],
}));

export const describeNamespaces = operation("DescribeNamespaces", () => ({
  summary: "Lists namespaces of a registry.",
  input: {
    registryId,
    namespaceName: namespaceName.optional().describe("A part of the name; all namespaces unless given."),
    filters: filters("Filters: `Tags` (`<key>:<value>`)."),
    kmsSignPolicy: boolean("True: only namespaces whose images are signed with a key of the platform.").optional(),
    all: boolean("Whether to return all namespaces at once, without pages; false unless given.").optional(),
    ...pagePaging,
  },
  output: {
    namespaceList: objects("The namespaces.", {
      namespaceName,
      name: namespaceName.describe("The same as `NamespaceName`, as the public API names it."),
      creationTime: string("Time of creation, ISO 8601."),
      isPublic: boolean("Whether everyone may pull its images."),
      public: boolean("The same as `IsPublic`, as the public API names it."),
      namespaceId: int("Number of the namespace."),
      tagSpecification: tagSpecification.describe("Tags of the namespace."),
      metadata: objects("More settings, in the registry's own form.", {
        key: string("Key of the entry."),
        value: string("Value of the entry."),
      }),
      cveWhitelistItems: spelt("CVEWhitelistItems", cveWhitelistItems).describe("Vulnerabilities that are ignored."),
      autoScan: boolean("Whether images are scanned when they are pushed."),
      preventVul: spelt("PreventVUL", boolean("Whether vulnerable images cannot be pulled.")),
      severity: string(
        "Images with vulnerabilities of this severity or higher cannot be pulled: `low`, `medium`, `high`; empty: nothing is blocked.",
      ),
    }),
    totalCount,
  },
  errors: ["ResourceNotFound"],
  pages: { by: "number", items: "namespaceList", key: "name", number: "offset", size: "limit" },
}));

export const modifyNamespace = operation("ModifyNamespace", () => ({
  summary: "Changes a namespace; fields that are not given remain unchanged.",
  input: {
    registryId,
    namespaceName,
    isPublic: boolean("Whether everyone may pull its images.").optional(),
    ...settings,
  },
  errors: [...changeErrors, "InvalidParameter.ErrorTcrInvalidParameter", ...taggingErrors],
  repeatable: true,
}));

export const deleteNamespace = publicApiOperation("DeleteNamespace", () => ({
  summary: "Deletes a namespace with its retention rule. It must have no repositories.",
  input: { registryId, namespaceName },
  errors: [...insideErrors, "FailedOperation.PreconditionFailed"],
}));
