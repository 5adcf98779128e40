import { z } from "zod";
import { operations, spelt, state } from "../../operation/operation.ts";
import { filters, listingErrors, offsetPaging, taggingErrors } from "../shared.ts";
import { registryStatuses } from "./states.ts";
import { registryId, tagSpecification } from "./structures.ts";

const operation = operations("registry", "2019-09-24");

export const registryTypes = ["basic", "standard", "premium"] as const;
const registryType = z.enum(registryTypes).describe("Edition: `basic`, `standard` or `premium`.");
const registryName = z.string().describe("Name: 5 to 50 lower-case letters, digits and `-`; unique over the whole platform.");

const registryChargePrepaid = z.object({
  period: z.int().describe("Months paid for."),
  renewFlag: z.int().describe("0: renewed by hand. 1: renewed by itself. 2: not renewed, and no notice."),
});

const registry = z.object({
  registryId,
  registryName: z.string().describe("Name of the registry."),
  registryType: state(registryTypes).describe("Edition: `basic`, `standard` or `premium`."),
  status: state(registryStatuses).describe("Status; `Running` means usable."),
  publicDomain: z.string().describe("Domain for access from outside; it answers while the public endpoint is open."),
  internalEndpoint: z
    .string()
    .describe(
      "Address of the internal access; empty while no VPC is connected. It proves the connection, and is never a server to pull from.",
    ),
  createdAt: z.string().describe("When it was made, ISO 8601."),
  regionName: z.string().describe("Region of the registry."),
  regionId: z.int().describe("Number of that region."),
  enableAnonymous: z.boolean().describe("Whether images of public namespaces may be pulled without a token."),
  tokenValidTime: z.int().describe("How long a temporary token is valid, in seconds."),
  tagSpecification: tagSpecification.describe("Tags of the registry."),
  expiredAt: z.string().optional().describe("Until when it is paid for, ISO 8601; of prepaid registries."),
  payMod: z.int().describe("0: paid by use. 1: prepaid."),
  renewFlag: z.int().optional().describe("How it is renewed; of prepaid registries."),
  deletionProtection: z.boolean().describe("Whether DeleteInstance is refused."),
  aiFeature: spelt("AIFeature", z.boolean().optional()).describe("Whether it keeps models of artificial intelligence as well."),
  enableCosMaz: spelt("EnableCosMAZ", z.boolean()).describe("Whether its storage bucket spans several zones."),
  enableCosVersioning: z.boolean().describe("Whether its storage bucket keeps older versions of objects."),
});

export const createInstance = operation("CreateInstance", () => ({
  summary: "Creates a registry. It is `Pending`, then `Deploying`, then `Running`.",
  input: {
    registryName,
    registryType,
    tagSpecification: tagSpecification.optional().describe("Tags of the registry, a single object."),
    registryChargeType: z.literal([0, 1]).optional().describe("0, the default: paid by use. 1: prepaid."),
    registryChargePrepaid: registryChargePrepaid.optional().describe("How it is paid for; required when prepaid, and only then."),
    syncTag: z.boolean().optional().describe("Whether its storage bucket gets the same tags; false unless given."),
    enableCosMaz: spelt("EnableCosMAZ", z.boolean().optional()).describe(
      "Whether its storage bucket spans several zones; false unless given. It cannot be changed.",
    ),
    deletionProtection: z.boolean().optional().describe("Whether DeleteInstance is refused; false unless given."),
    enableCosVersioning: z.boolean().optional().describe("Whether its storage bucket keeps older versions of objects; false unless given."),
  },
  output: { registryId },
  errors: ["InvalidParameter.ErrorNameExists", "InvalidParameter.ErrorNameIllegal", "InvalidParameter.ErrorNameReserved", ...taggingErrors],
  effect: "write",
  source: "public-api",
}));

export const describeInstances = operation("DescribeInstances", () => ({
  summary: "Lists registries. An id that does not exist is left out of the answer.",
  input: {
    registryIds: spelt("Registryids", z.array(z.string()).optional()).describe("Ids, at most 100; all unless given."),
    filters: filters.optional().describe("Filters: `RegistryName`, `Tags` (`<key>:<value>`)."),
    allRegion: z.boolean().optional().describe("True: the registries of all regions. False, the default: those of this one."),
    ...offsetPaging(z.int()),
  },
  output: {
    totalCount: z.int().describe("How many match, on this page or not."),
    registries: z.array(registry).describe("The registries."),
  },
  errors: listingErrors,
  effect: "read",
  pages: { by: "offset", items: "registries" },
  source: "specification",
}));

export const describeInstanceStatus = operation("DescribeInstanceStatus", () => ({
  summary: "Tells the status of registries, and what led to it. An id that does not exist is left out of the answer.",
  input: { registryIds: z.array(z.string()).describe("Ids, at most 100.") },
  output: {
    registryStatusSet: z
      .array(
        z.object({
          registryId,
          status: state(registryStatuses).describe("Status; `Running` means usable."),
          conditions: z
            .array(
              z.object({
                type: z.string().describe("What was done: `Create`, `Update` or `Delete`."),
                status: z.string().describe("How far it is: `Processing`, `Succeeded` or `Failed`."),
                reason: z.string().describe("Why, in the platform's words; empty if there is nothing to say."),
              }),
            )
            .describe("What led to the status."),
        }),
      )
      .describe("A status for each registry."),
  },
  errors: ["InvalidParameterValue.LimitExceeded"],
  effect: "read",
  source: "specification",
}));

export const modifyInstance = operation("ModifyInstance", () => ({
  summary: "Changes a registry: its edition, its deletion protection, the versioning of its bucket. What is not given stays as it is.",
  input: {
    registryId,
    registryType: registryType.optional(),
    deletionProtection: z.boolean().optional().describe("Whether DeleteInstance is refused."),
    enableCosVersioning: z.boolean().optional().describe("Whether its storage bucket keeps older versions of objects."),
  },
  output: {},
  errors: ["ResourceNotFound", "ResourceInsufficient.ErrorInstanceNotRunning"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const deleteInstance = operation("DeleteInstance", () => ({
  summary: "Deletes a registry with all that is in it. It is `Deleting` until it is no longer listed.",
  input: {
    registryId,
    deleteBucket: z.boolean().optional().describe("Whether its storage bucket goes too; false unless given: it stays, and is billed."),
    dryRun: z.boolean().optional().describe("Whether only to check that it could be deleted; false unless given."),
  },
  output: {},
  errors: ["ResourceNotFound", "OperationDenied"],
  effect: "write",
  source: "public-api",
}));

export const checkInstanceName = operation("CheckInstanceName", () => ({
  summary: "Tells whether a registry can be given a name.",
  input: { registryName },
  output: {
    isValidated: z.boolean().describe("Whether it can."),
    detailCode: z.int().describe("Why not: 1, the name is none. 2, it is reserved. 3, a registry has it. 0 if it can be given."),
  },
  errors: [],
  effect: "read",
  source: "public-api",
}));
