import { z } from "zod";
import { operations } from "../../operation/operation.ts";
import { registryId } from "./structures.ts";

const operation = operations("registry", "2019-09-24");

const policyIndex = z.int().describe("Position of the entry in the IP allowlist, from 0; it changes when an entry before it is deleted.");
const policyVersion = z.string().describe("Version of the IP allowlist; it changes with every change of its entries.");
const cidrBlock = z.string().describe("IPv4 or IPv6 CIDR block, or one address, that may use the public endpoint; not a /0.");
const description = z.string().describe("Description of the entry.");

const changeCodes = ["ResourceNotFound"] as const;

export const describeSecurityPolicies = operation("DescribeSecurityPolicies", () => ({
  summary: "Lists a registry's IP allowlist. Its public endpoint has to be open.",
  input: { registryId },
  output: {
    securityPolicySet: z.array(z.object({ policyIndex, description, cidrBlock, policyVersion })).describe("The entries."),
  },
  errors: ["ResourceNotFound"],
  effect: "read",
  source: "specification",
}));

export const createSecurityPolicy = operation("CreateSecurityPolicy", () => ({
  summary: "Adds an entry to a registry's IP allowlist. Its public endpoint has to be open.",
  input: { registryId, cidrBlock, description },
  output: { registryId },
  errors: [...changeCodes, "UnsupportedOperation.DuplicatePolicy"],
  effect: "write",
  source: "specification",
}));

export const modifySecurityPolicy = operation("ModifySecurityPolicy", () => ({
  summary: "Changes the description of an entry of a registry's IP allowlist.",
  input: { registryId, policyIndex, cidrBlock: cidrBlock.describe("The entry's CIDR block; it cannot be changed."), description },
  output: { registryId },
  errors: changeCodes,
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const deleteSecurityPolicy = operation("DeleteSecurityPolicy", () => ({
  summary: "Deletes an entry of a registry's IP allowlist, by index or CIDR block; if both are given, both must match the entry.",
  input: {
    registryId,
    policyIndex: policyIndex.optional(),
    policyVersion: policyVersion
      .optional()
      .describe("Version of the IP allowlist from which the index was read; the call is rejected if it has changed since."),
    cidrBlock: cidrBlock.optional(),
  },
  output: { registryId },
  errors: [...changeCodes, "UnsupportedOperation.VersionMismatch"],
  effect: "write",
  source: "public-api",
}));

export const createMultipleSecurityPolicy = operation("CreateMultipleSecurityPolicy", () => ({
  summary: "Adds entries to a registry's IP allowlist, all of them or none.",
  input: {
    registryId,
    securityGroupPolicySet: z.array(z.object({ cidrBlock, description: description.optional() })).describe("The entries."),
  },
  output: { registryId },
  errors: [...changeCodes, "UnsupportedOperation.DuplicatePolicy"],
  effect: "write",
  source: "public-api",
}));

export const deleteMultipleSecurityPolicy = operation("DeleteMultipleSecurityPolicy", () => ({
  summary: "Deletes entries of a registry's IP allowlist, all of them or none. Indexes are those before the call.",
  input: {
    registryId,
    securityGroupPolicySet: z
      .array(
        z.object({
          policyIndex: policyIndex.optional(),
          policyVersion: policyVersion.optional(),
          cidrBlock: cidrBlock.optional(),
          description: description.optional(),
        }),
      )
      .describe("The entries, each by index or CIDR block."),
  },
  output: { registryId },
  errors: [...changeCodes, "UnsupportedOperation.VersionMismatch"],
  effect: "write",
  source: "public-api",
}));
