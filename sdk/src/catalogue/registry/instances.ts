import { z } from "zod";
import { objects, operations, spelt, state } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, taggingErrors, totalCount } from "../shared.ts";
import { registryStatuses } from "./states.ts";
import { registryId, tagSpecification } from "./structures.ts";

const { operation, publicApiOperation } = operations("registry", "2019-09-24");

export const registryTypes = ["basic", "standard", "premium"] as const;
const registryType = z.enum(registryTypes).describe("Edition: `basic`, `standard` or `premium`.");
const registryName = z.string().describe("Name: 5 to 50 lower-case letters, digits and `-`; unique over the whole platform.");

const registryChargePrepaid = z.object({
  period: z.int().describe("Number of prepaid months."),
  renewFlag: z.int().describe("0: renewed by hand. 1: renewed automatically. 2: not renewed, without a notice."),
});

const registry = z.object({
  registryId,
  registryName: z.string().describe("Name of the registry."),
  registryType: state(registryTypes).describe("Edition: `basic`, `standard` or `premium`."),
  status: state(registryStatuses).describe("Status; `Running` means usable."),
  publicDomain: z.string().describe("Public domain; it responds only while the public endpoint is open."),
  internalEndpoint: z
    .string()
    .describe(
      "Address of the internal access; empty if no VPC is connected. It only proves the connection: images are not pulled from it.",
    ),
  createdAt: z.string().describe("Time of creation, ISO 8601."),
  regionName: z.string().describe("Region of the registry."),
  regionId: z.int().describe("Number of that region."),
  enableAnonymous: z.boolean().describe("Whether images of public namespaces may be pulled without a token."),
  tokenValidTime: z.int().describe("How long a temporary token is valid, in seconds."),
  tagSpecification: tagSpecification.describe("Tags of the registry."),
  expiredAt: z.string().optional().describe("End of the prepaid period, ISO 8601; of prepaid registries."),
  payMod: z.int().describe("0: charged by use. 1: prepaid."),
  renewFlag: z.int().optional().describe("Renewal at the end of the prepaid period; of prepaid registries."),
  deletionProtection: z.boolean().describe("Whether the registry is protected from deletion."),
  aiFeature: spelt("AIFeature", z.boolean().optional()).describe("Whether it also stores AI models."),
  enableCosMaz: spelt("EnableCosMAZ", z.boolean()).describe("Whether its storage bucket spans several zones."),
  enableCosVersioning: z.boolean().describe("Whether its storage bucket keeps older versions of objects."),
});

export const createInstance = publicApiOperation("CreateInstance", () => ({
  summary: "Creates a registry. It is `Pending`, then `Deploying`, then `Running`.",
  input: {
    registryName,
    registryType,
    tagSpecification: tagSpecification.optional().describe("Tags of the registry, a single object."),
    registryChargeType: z.literal([0, 1]).optional().describe("0, the default: charged by use. 1: prepaid."),
    registryChargePrepaid: registryChargePrepaid
      .optional()
      .describe("The prepaid period; required for a prepaid registry, rejected otherwise."),
    syncTag: z.boolean().optional().describe("Whether its storage bucket gets the same tags; false unless given."),
    enableCosMaz: spelt("EnableCosMAZ", z.boolean().optional()).describe(
      "Whether its storage bucket spans several zones; false unless given. It cannot be changed.",
    ),
    deletionProtection: z.boolean().optional().describe("Whether the registry is protected from deletion; false unless given."),
    enableCosVersioning: z.boolean().optional().describe("Whether its storage bucket keeps older versions of objects; false unless given."),
  },
  output: { registryId },
  errors: ["InvalidParameter.ErrorNameExists", "InvalidParameter.ErrorNameIllegal", "InvalidParameter.ErrorNameReserved", ...taggingErrors],
}));

export const describeInstances = operation("DescribeInstances", () => ({
  summary: "Lists registries. Unknown IDs are left out of the response.",
  input: {
    registryIds: spelt("Registryids", z.array(z.string()).optional()).describe("IDs, at most 100; all unless given."),
    filters: filters("Filters: `RegistryName`, `Tags` (`<key>:<value>`)."),
    allRegion: z.boolean().optional().describe("True: the registries of all regions. False, the default: those of this one."),
    ...offsetPaging(z.int()),
  },
  output: { totalCount, registries: z.array(registry).describe("The registries.") },
  errors: listingErrors,
  pages: { by: "offset", items: "registries" },
}));

export const describeInstanceStatus = operation("DescribeInstanceStatus", () => ({
  summary: "Returns the status of registries, and the operation that led to it. Unknown IDs are left out of the response.",
  input: { registryIds: z.array(z.string()).describe("IDs, at most 100.") },
  output: {
    registryStatusSet: objects("The status of each registry.", {
      registryId,
      status: state(registryStatuses).describe("Status; `Running` means usable."),
      conditions: objects("The operation that led to the status.", {
        type: z.string().describe("Last operation: `Create`, `Update` or `Delete`."),
        status: z.string().describe("Its progress: `Processing`, `Succeeded` or `Failed`."),
        reason: z.string().describe("The platform's explanation, or empty."),
      }),
    }),
  },
  errors: ["InvalidParameterValue.LimitExceeded"],
}));

export const modifyInstance = publicApiOperation("ModifyInstance", () => ({
  summary:
    "Changes a registry: its edition, its deletion protection, or the versioning of its bucket. Fields that are not given remain unchanged.",
  input: {
    registryId,
    registryType: registryType.optional(),
    deletionProtection: z.boolean().optional().describe("Whether the registry is protected from deletion."),
    enableCosVersioning: z.boolean().optional().describe("Whether its storage bucket keeps older versions of objects."),
  },
  errors: ["ResourceNotFound", "ResourceInsufficient.ErrorInstanceNotRunning"],
  repeatable: true,
}));

export const deleteInstance = publicApiOperation("DeleteInstance", () => ({
  summary: "Deletes a registry with all that is in it. It is `Deleting` until it is no longer listed.",
  input: {
    registryId,
    deleteBucket: z
      .boolean()
      .optional()
      .describe("Whether its storage bucket is deleted as well; false unless given. A retained bucket is billed."),
    dryRun: z.boolean().optional().describe("Whether to only check that it could be deleted; false unless given."),
  },
  errors: ["ResourceNotFound", "OperationDenied"],
}));

export const checkInstanceName = publicApiOperation("CheckInstanceName", () => ({
  summary: "Returns whether a registry can have a name.",
  input: { registryName },
  output: {
    isValidated: z.boolean().describe("Whether the name can be used."),
    detailCode: z.int().describe("0: the name can be used. 1: it is malformed. 2: it is reserved. 3: a registry has it."),
  },
}));
