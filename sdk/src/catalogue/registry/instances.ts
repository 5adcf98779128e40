import { z } from "zod";
import { boolean, int, object, objects, operations, spelt, state, string, strings } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, taggingErrors, totalCount } from "../shared.ts";
import { registryStatuses } from "./states.ts";
import { registryId, tagSpecification } from "./structures.ts";

const { operation, publicApiOperation } = operations("registry", "2019-09-24");

export const registryTypes = ["basic", "standard", "premium"] as const;
const registryType = z.enum(registryTypes).describe("Edition: `basic`, `standard` or `premium`.");
const registryName = string("Name: 5 to 50 lower-case letters, digits and `-`; unique over the whole platform.");

export const createInstance = publicApiOperation("CreateInstance", () => ({
  summary: "Creates a registry. It is `Pending`, then `Deploying`, then `Running`.",
  input: {
    registryName,
    registryType,
    tagSpecification: tagSpecification.optional().describe("Tags of the registry, a single object."),
    registryChargeType: z.literal([0, 1]).optional().describe("0, the default: charged by use. 1: prepaid."),
    registryChargePrepaid: object("The prepaid period; required for a prepaid registry, rejected otherwise.", {
      period: int("Number of prepaid months."),
      renewFlag: int("0: renewed by hand. 1: renewed automatically. 2: not renewed, without a notice."),
    }).optional(),
    syncTag: boolean("Whether its storage bucket gets the same tags; false unless given.").optional(),
    enableCosMaz: spelt(
      "EnableCosMAZ",
      boolean("Whether its storage bucket spans several zones; false unless given. It cannot be changed.").optional(),
    ),
    deletionProtection: boolean("Whether the registry is protected from deletion; false unless given.").optional(),
    enableCosVersioning: boolean("Whether its storage bucket keeps older versions of objects; false unless given.").optional(),
  },
  output: { registryId },
  errors: ["InvalidParameter.ErrorNameExists", "InvalidParameter.ErrorNameIllegal", "InvalidParameter.ErrorNameReserved", ...taggingErrors],
}));

export const describeInstances = operation("DescribeInstances", () => ({
  summary: "Lists registries. Unknown IDs are left out of the response.",
  input: {
    registryIds: spelt("Registryids", strings("IDs, at most 100; all unless given.").optional()),
    filters: filters("Filters: `RegistryName`, `Tags` (`<key>:<value>`)."),
    allRegion: boolean("True: the registries of all regions. False, the default: those of this one.").optional(),
    ...offsetPaging(z.int()),
  },
  output: {
    totalCount,
    registries: objects("The registries.", {
      registryId,
      registryName: string("Name of the registry."),
      registryType: state(registryTypes).describe("Edition: `basic`, `standard` or `premium`."),
      status: state(registryStatuses).describe("Status; `Running` means usable."),
      publicDomain: string("Public domain; it responds only while the public endpoint is open."),
      internalEndpoint: string(
        "Address of the internal access; empty if no VPC is connected. It only proves the connection: images are not pulled from it.",
      ),
      createdAt: string("Time of creation, ISO 8601."),
      regionName: string("Region of the registry."),
      regionId: int("Number of that region."),
      enableAnonymous: boolean("Whether images of public namespaces may be pulled without a token."),
      tokenValidTime: int("How long a temporary token is valid, in seconds."),
      tagSpecification: tagSpecification.describe("Tags of the registry."),
      expiredAt: string("End of the prepaid period, ISO 8601; of prepaid registries.").optional(),
      payMod: int("0: charged by use. 1: prepaid."),
      renewFlag: int("Renewal at the end of the prepaid period; of prepaid registries.").optional(),
      deletionProtection: boolean("Whether the registry is protected from deletion."),
      aiFeature: spelt("AIFeature", boolean("Whether it also stores AI models.").optional()),
      enableCosMaz: spelt("EnableCosMAZ", boolean("Whether its storage bucket spans several zones.")),
      enableCosVersioning: boolean("Whether its storage bucket keeps older versions of objects."),
    }),
  },
  errors: listingErrors,
  pages: { by: "offset", items: "registries" },
}));

export const describeInstanceStatus = operation("DescribeInstanceStatus", () => ({
  summary: "Returns the status of registries, and the operation that led to it. Unknown IDs are left out of the response.",
  input: { registryIds: strings("IDs, at most 100.") },
  output: {
    registryStatusSet: objects("The status of each registry.", {
      registryId,
      status: state(registryStatuses).describe("Status; `Running` means usable."),
      conditions: objects("The operation that led to the status.", {
        type: string("Last operation: `Create`, `Update` or `Delete`."),
        status: string("Its progress: `Processing`, `Succeeded` or `Failed`."),
        reason: string("The platform's explanation, or empty."),
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
    deletionProtection: boolean("Whether the registry is protected from deletion.").optional(),
    enableCosVersioning: boolean("Whether its storage bucket keeps older versions of objects.").optional(),
  },
  errors: ["ResourceNotFound", "ResourceInsufficient.ErrorInstanceNotRunning"],
  repeatable: true,
}));

export const deleteInstance = publicApiOperation("DeleteInstance", () => ({
  summary: "Deletes a registry with all that is in it. It is `Deleting` until it is no longer listed.",
  input: {
    registryId,
    deleteBucket: boolean("Whether its storage bucket is deleted as well; false unless given. A retained bucket is billed.").optional(),
    dryRun: boolean("Whether to only check that it could be deleted; false unless given.").optional(),
  },
  errors: ["ResourceNotFound", "OperationDenied"],
}));

export const checkInstanceName = publicApiOperation("CheckInstanceName", () => ({
  summary: "Returns whether a registry can have a name.",
  input: { registryName },
  output: {
    isValidated: boolean("Whether the name can be used."),
    detailCode: int("0: the name can be used. 1: it is malformed. 2: it is reserved. 3: a registry has it."),
  },
}));
