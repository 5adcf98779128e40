import { z } from "zod";
import { instanceChargeTypes } from "../../../catalogue/cluster/native.ts";
import { enhancedService, loginSettings } from "../../../catalogue/cluster/structures.ts";
import { tags } from "../../../catalogue/shared.ts";
import { spelt } from "../../../operation/operation.ts";
import { fromWire, isObject, type JsonObject, valueAt, wirePath } from "../../../operation/codec.ts";
import type { Call } from "../../behaviour.ts";
import { zonesOf } from "../../regions.ts";
import { unknownNames } from "../../requests/input.ts";

/** Requests that the cluster service passes on to the compute service: JSON objects as text. */

/** A field of the public API of which the local platform makes nothing. */
const unused = z.unknown().optional();

const diskRequest = z.object({
  diskType: z.string().default("CLOUD_PREMIUM"),
  diskSize: z.int().default(50),
  diskId: unused,
  diskName: unused,
  cdcId: unused,
  encrypt: unused,
  kmsKeyId: unused,
});

const machineFields = {
  instanceType: z.string().min(1),
  instanceChargeType: z.enum(instanceChargeTypes).default("POSTPAID_BY_HOUR"),
  imageId: z.string().optional(),
  systemDisk: diskRequest.optional(),
  securityGroupIds: z.array(z.string()).default([]),
  loginSettings: loginSettings.optional(),
  enhancedService: enhancedService.optional(),
  camRoleName: unused,
  dataDisks: unused,
  dedicatedClusterId: unused,
  disasterRecoverGroupIds: unused,
  hpcClusterId: unused,
  instanceChargePrepaid: unused,
  instanceMarketOptions: unused,
  internetAccessible: unused,
  metadata: unused,
  userData: unused,
};

export const machineRequest = z.object({
  ...machineFields,
  instanceName: z.string().default(""),
  instanceCount: z.int().min(1).max(100).default(1),
  placement: z
    .object({
      zone: z.string().optional(),
      projectId: unused,
      hostIds: unused,
      dedicatedResourcePackIds: unused,
      dedicatedResourcePackTenancy: unused,
    })
    .optional(),
  virtualPrivateCloud: z
    .object({ vpcId: z.string(), subnetId: z.string(), asVpcGateway: unused, privateIpAddresses: unused, ipv6AddressCount: unused })
    .optional(),
  tagSpecification: z.array(z.object({ resourceType: z.string(), tags })).default([]),
  actionTimer: unused,
  chcIds: unused,
  clientToken: unused,
  cpuTopology: unused,
  disableApiTermination: unused,
  dryRun: unused,
  enableJumboFrame: unused,
  hostName: unused,
  launchTemplate: unused,
  minCount: unused,
});
export type MachineRequest = z.output<typeof machineRequest>;

export const launchConfiguration = z.object({
  ...machineFields,
  diskTypePolicy: unused,
  hostNameSettings: unused,
  imageFamily: unused,
  instanceNameSettings: unused,
  instanceTags: unused,
  instanceTypes: unused,
  instanceTypesCheckPolicy: unused,
  launchConfigurationName: unused,
  projectId: unused,
  tags: unused,
  ipv6InternetAccessible: spelt("IPv6InternetAccessible", unused),
});

export const scalingGroupRequest = z.object({
  vpcId: z.string(),
  subnetIds: z.array(z.string()).min(1),
  minSize: z.int().min(0),
  maxSize: z.int().min(0),
  desiredCapacity: z.int().min(0).optional(),
  zones: z.array(z.string()).optional(),
  autoScalingGroupName: unused,
  capacityRebalance: unused,
  defaultCooldown: unused,
  forwardLoadBalancers: unused,
  healthCheckType: unused,
  instanceAllocationPolicy: unused,
  instanceNameIndexSettings: unused,
  ipv6AddressCount: unused,
  launchConfigurationId: unused,
  loadBalancerHealthCheckGracePeriod: unused,
  loadBalancerIds: unused,
  multiZoneSubnetPolicy: unused,
  projectId: unused,
  retryPolicy: unused,
  serviceSettings: unused,
  spotMixedAllocationPolicy: unused,
  tags: unused,
  terminationPolicies: unused,
  zonesCheckPolicy: unused,
});

/** Parses a request; refuses one that is not a JSON object, or does not fit the schema. */
export function requestIn<Schema extends z.ZodObject>(call: Call, parameter: string, schema: Schema, text: string): z.output<Schema> {
  const given = objectIn(call, parameter, text);
  const [unknown] = unknownNames(schema, given);
  if (unknown) throw call.error("InvalidParameter", `${parameter} has no field ${unknown.path}; it takes ${unknown.instead.join(", ")}`);
  const input = fromWire(schema, given);
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path ?? [];
  const path = wirePath(schema, place);
  if (valueAt(input, place) === undefined) throw call.error("MissingParameter", `${parameter}: ${path} is required`);
  throw call.error("InvalidParameter", `${parameter}: ${path}: ${issue?.message ?? ""}`);
}

/** Refuses a zone that the region does not have, that is not available, or that is not one of the subnets'. */
export function refuseOtherZone(
  call: Call<"InvalidZone.ZoneNotAvailable">,
  parameter: string,
  asked: readonly string[],
  zones: readonly string[],
): void {
  const usable = zonesOf(call.region).flatMap(({ zone, available }) => (available && zones.includes(zone) ? [zone] : []));
  const odd = asked.find((zone) => !usable.includes(zone));
  if (odd !== undefined)
    throw call.error(
      "InvalidZone.ZoneNotAvailable",
      `${parameter} is ${JSON.stringify(odd)}; it takes ${usable.join(", ")}, where the machines' subnets are`,
    );
}

function objectIn(call: Call, parameter: string, text: string): JsonObject {
  const value = valueOf(text);
  if (isObject(value)) return value;
  throw call.error("InvalidParameter", `${parameter} is no JSON object; it takes a request for the compute service, a JSON object as text`);
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
