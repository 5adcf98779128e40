import { z } from "zod";
import { boolean, int, objects, operations, spelt, state, string, strings } from "../../operation/operation.ts";
import { externalEndpointStates, internalDnsStates, internalEndpointStates } from "./states.ts";
import { registryId } from "./structures.ts";

const { operation, publicApiOperation } = operations("registry", "2019-09-24");

const vpcId = string("ID of the VPC, such as `vpc-3f8a0c1e`.");
const subnetId = string("ID of a subnet of that VPC, such as `subnet-5d20b7c4`.");
const manage = z.enum(["Create", "Delete"]);

export const describeExternalEndpointStatus = operation("DescribeExternalEndpointStatus", () => ({
  summary: "Returns the state of a registry's public endpoint.",
  input: { registryId },
  output: {
    status: state(externalEndpointStates).describe("State of the public endpoint."),
    reason: string("Reason if it could not be opened or closed.").optional(),
  },
  errors: ["ResourceNotFound"],
}));

export const manageExternalEndpoint = operation("ManageExternalEndpoint", () => ({
  summary: "Opens or closes a registry's public endpoint. Closing it deletes its IP allowlist.",
  input: { registryId, operation: manage.describe("`Create` opens it, `Delete` closes it.") },
  output: { registryId },
  errors: ["ResourceNotFound", "ResourceInsufficient.ErrorInstanceNotRunning", "InternalError.ErrorConflict"],
  repeatable: true,
}));

export const describeInternalEndpoints = operation("DescribeInternalEndpoints", () => ({
  summary: "Lists the VPCs to which a registry is connected.",
  input: { registryId },
  output: {
    internalEndpoint: strings("Addresses of the running connections."),
    accessVpcSet: objects("All connections, including pending connections.", {
      vpcId,
      subnetId,
      status: state(internalEndpointStates).describe("State of the connection; `Running` means connected."),
      accessIp: string("Its address in the subnet; empty until it is connected."),
    }),
    totalCount: int("Number of running connections."),
  },
  errors: ["ResourceNotFound"],
}));

export const manageInternalEndpoint = publicApiOperation("ManageInternalEndpoint", () => ({
  summary: "Connects a registry to a subnet of a VPC, where it takes one address, or deletes the connection.",
  input: {
    registryId,
    operation: manage.describe("`Create` makes the connection, `Delete` deletes it."),
    vpcId,
    subnetId,
    regionId: int("Number of the VPC's region; the registry's unless given.").optional(),
    regionName: string("Name of the VPC's region; the registry's unless given.").optional(),
  },
  output: { registryId },
  errors: ["ResourceNotFound", "ResourceInsufficient.ErrorInstanceNotRunning", "FailedOperation"],
}));

const dnsTarget = {
  instanceId: string("ID of the registry, such as `tcr-3f8a0c1e`."),
  vpcId,
  eniLbIp: spelt("EniLBIp", string("Address of the connection, `AccessIp` of DescribeInternalEndpoints.")),
  usePublicDomain: boolean(
    "True: the name is the registry's public domain. False, the default: its dedicated domain, `<registry>-vpc.<suffix>`.",
  ).optional(),
  regionName: string("Region of the VPC; the registry's unless given.").optional(),
};

export const createInternalEndpointDns = publicApiOperation("CreateInternalEndpointDns", () => ({
  summary: "Makes a VPC resolve a name of a registry to the address of its connection.",
  input: { ...dnsTarget, regionId: int("Number of the VPC's region; the registry's unless given.").optional() },
  errors: ["ResourceNotFound", "ResourceInsufficient.ErrorInstanceNotRunning"],
  repeatable: true,
}));

export const deleteInternalEndpointDns = publicApiOperation("DeleteInternalEndpointDns", () => ({
  summary: "Makes a VPC no longer resolve a name of a registry.",
  input: dnsTarget,
  errors: ["ResourceNotFound"],
  repeatable: true,
}));

export const describeInternalEndpointDnsStatus = publicApiOperation("DescribeInternalEndpointDnsStatus", () => ({
  summary: "Returns whether VPCs resolve names of registries.",
  input: { vpcSet: objects("The names to check.", dnsTarget) },
  output: {
    vpcSet: objects("The status of each name, in the order of the call.", {
      region: string("Region of the VPC."),
      vpcId,
      status: state(internalDnsStates).describe("`ENABLE`: the name resolves. `DISABLE`: it does not, or not yet."),
    }),
  },
  errors: ["ResourceNotFound"],
}));

const policyIndex = int("Position of the entry in the IP allowlist, from 0; it changes when an entry before it is deleted.");
const policyVersion = string("Version of the IP allowlist; it changes with every change of its entries.");
const cidrBlock = string("IPv4 or IPv6 CIDR block, or one address, that may use the public endpoint; not a /0.");
const description = string("Description of the entry.");

export const describeSecurityPolicies = operation("DescribeSecurityPolicies", () => ({
  summary: "Lists a registry's IP allowlist. Its public endpoint has to be open.",
  input: { registryId },
  output: {
    securityPolicySet: objects("The entries.", { policyIndex, description, cidrBlock, policyVersion }),
  },
  errors: ["ResourceNotFound"],
}));

export const createSecurityPolicy = operation("CreateSecurityPolicy", () => ({
  summary: "Adds an entry to a registry's IP allowlist. Its public endpoint has to be open.",
  input: { registryId, cidrBlock, description },
  output: { registryId },
  errors: ["ResourceNotFound", "UnsupportedOperation.DuplicatePolicy"],
}));

export const modifySecurityPolicy = publicApiOperation("ModifySecurityPolicy", () => ({
  summary: "Changes the description of an entry of a registry's IP allowlist.",
  input: { registryId, policyIndex, cidrBlock: cidrBlock.describe("The entry's CIDR block; it cannot be changed."), description },
  output: { registryId },
  errors: ["ResourceNotFound"],
  repeatable: true,
}));

export const deleteSecurityPolicy = publicApiOperation("DeleteSecurityPolicy", () => ({
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
  errors: ["ResourceNotFound", "UnsupportedOperation.VersionMismatch"],
}));

export const createMultipleSecurityPolicy = publicApiOperation("CreateMultipleSecurityPolicy", () => ({
  summary: "Adds entries to a registry's IP allowlist, all of them or none.",
  input: {
    registryId,
    securityGroupPolicySet: objects("The entries.", { cidrBlock, description: description.optional() }),
  },
  output: { registryId },
  errors: ["ResourceNotFound", "UnsupportedOperation.DuplicatePolicy"],
}));

export const deleteMultipleSecurityPolicy = publicApiOperation("DeleteMultipleSecurityPolicy", () => ({
  summary: "Deletes entries of a registry's IP allowlist, all of them or none. Indexes are those before the call.",
  input: {
    registryId,
    securityGroupPolicySet: objects("The entries, each by index or CIDR block.", {
      policyIndex: policyIndex.optional(),
      policyVersion: policyVersion.optional(),
      cidrBlock: cidrBlock.optional(),
      description: description.optional(),
    }),
  },
  output: { registryId },
  errors: ["ResourceNotFound", "UnsupportedOperation.VersionMismatch"],
}));
