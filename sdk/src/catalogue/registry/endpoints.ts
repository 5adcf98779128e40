import { z } from "zod";
import { operations, spelt, state } from "../../operation/operation.ts";
import { externalEndpointStates, internalDnsStates, internalEndpointStates } from "./states.ts";
import { registryId } from "./structures.ts";

const operation = operations("registry", "2019-09-24");

const vpcId = z.string().describe("ID of the VPC, such as `vpc-3f8a0c1e`.");
const subnetId = z.string().describe("ID of a subnet of that VPC, such as `subnet-5d20b7c4`.");
const manage = z.enum(["Create", "Delete"]);

export const describeExternalEndpointStatus = operation("DescribeExternalEndpointStatus", () => ({
  summary: "Returns the state of a registry's public endpoint.",
  input: { registryId },
  output: {
    status: state(externalEndpointStates).describe("State of the public endpoint."),
    reason: z.string().optional().describe("Reason if it could not be opened or closed."),
  },
  errors: ["ResourceNotFound"],
  effect: "read",
  source: "specification",
}));

export const manageExternalEndpoint = operation("ManageExternalEndpoint", () => ({
  summary: "Opens or closes a registry's public endpoint. Closing it deletes its IP allowlist.",
  input: { registryId, operation: manage.describe("`Create` opens it, `Delete` closes it.") },
  output: { registryId },
  errors: ["ResourceNotFound", "ResourceInsufficient.ErrorInstanceNotRunning", "InternalError.ErrorConflict"],
  effect: "write",
  repeatable: true,
  source: "specification",
}));

export const describeInternalEndpoints = operation("DescribeInternalEndpoints", () => ({
  summary: "Lists the VPCs to which a registry is connected.",
  input: { registryId },
  output: {
    internalEndpoint: z.array(z.string()).describe("Addresses of the running connections."),
    accessVpcSet: z
      .array(
        z.object({
          vpcId,
          subnetId,
          status: state(internalEndpointStates).describe("State of the connection; `Running` means connected."),
          accessIp: z.string().describe("Its address in the subnet; empty until it is connected."),
        }),
      )
      .describe("All connections, including pending connections."),
    totalCount: z.int().describe("Number of running connections."),
  },
  errors: ["ResourceNotFound"],
  effect: "read",
  source: "specification",
}));

export const manageInternalEndpoint = operation("ManageInternalEndpoint", () => ({
  summary: "Connects a registry to a subnet of a VPC, where it takes one address, or deletes the connection.",
  input: {
    registryId,
    operation: manage.describe("`Create` makes the connection, `Delete` deletes it."),
    vpcId,
    subnetId,
    regionId: z.int().optional().describe("Number of the VPC's region; the registry's unless given."),
    regionName: z.string().optional().describe("Name of the VPC's region; the registry's unless given."),
  },
  output: { registryId },
  errors: ["ResourceNotFound", "ResourceInsufficient.ErrorInstanceNotRunning", "FailedOperation"],
  effect: "write",
  source: "public-api",
}));

const dnsTarget = {
  instanceId: z.string().describe("ID of the registry, such as `tcr-3f8a0c1e`."),
  vpcId,
  eniLbIp: spelt("EniLBIp", z.string()).describe("Address of the connection, `AccessIp` of DescribeInternalEndpoints."),
  usePublicDomain: z
    .boolean()
    .optional()
    .describe("True: the name is the registry's public domain. False, the default: its dedicated domain, `<registry>-vpc.<suffix>`."),
  regionName: z.string().optional().describe("Region of the VPC; the registry's unless given."),
};

export const createInternalEndpointDns = operation("CreateInternalEndpointDns", () => ({
  summary: "Makes a VPC resolve a name of a registry to the address of its connection.",
  input: { ...dnsTarget, regionId: z.int().optional().describe("Number of the VPC's region; the registry's unless given.") },
  output: {},
  errors: ["ResourceNotFound", "ResourceInsufficient.ErrorInstanceNotRunning"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const deleteInternalEndpointDns = operation("DeleteInternalEndpointDns", () => ({
  summary: "Makes a VPC no longer resolve a name of a registry.",
  input: dnsTarget,
  output: {},
  errors: ["ResourceNotFound"],
  effect: "write",
  repeatable: true,
  source: "public-api",
}));

export const describeInternalEndpointDnsStatus = operation("DescribeInternalEndpointDnsStatus", () => ({
  summary: "Returns whether VPCs resolve names of registries.",
  input: { vpcSet: z.array(z.object(dnsTarget)).describe("The names to check.") },
  output: {
    vpcSet: z
      .array(
        z.object({
          region: z.string().describe("Region of the VPC."),
          vpcId,
          status: state(internalDnsStates).describe("`ENABLE`: the name resolves. `DISABLE`: it does not, or not yet."),
        }),
      )
      .describe("The status of each name, in the order of the call."),
  },
  errors: ["ResourceNotFound"],
  effect: "read",
  source: "public-api",
}));
