import { z } from "zod";
import { instanceChargeTypes } from "../../../catalogue/cluster/native.ts";
import { enhancedService, loginSettings } from "../../../catalogue/cluster/structures.ts";
import { tags } from "../../../catalogue/shared.ts";
import { fromWire, isObject, type JsonObject, wirePath } from "../../../operation/codec.ts";
import type { Call } from "../../behaviour.ts";

/** Requests that the cluster service passes on to the compute service: JSON objects as text. */

const diskRequest = z.object({ diskType: z.string().default("CLOUD_PREMIUM"), diskSize: z.int().default(50) });

/** The fields of a request for machines that the local platform uses; others are ignored. */
const machineFields = {
  instanceType: z.string().min(1),
  instanceName: z.string().default(""),
  instanceChargeType: z.enum(instanceChargeTypes).default("POSTPAID_BY_HOUR"),
  imageId: z.string().optional(),
  systemDisk: diskRequest.optional(),
  securityGroupIds: z.array(z.string()).default([]),
  loginSettings: loginSettings.optional(),
  enhancedService: enhancedService.optional(),
};

export const machineRequest = z.object({
  ...machineFields,
  instanceCount: z.int().min(1).max(100).default(1),
  virtualPrivateCloud: z.object({ vpcId: z.string(), subnetId: z.string() }).optional(),
  tagSpecification: z.array(z.object({ resourceType: z.string(), tags })).default([]),
});
export type MachineRequest = z.output<typeof machineRequest>;

export const launchConfiguration = z.object(machineFields);

export const scalingGroupRequest = z.object({
  vpcId: z.string(),
  subnetIds: z.array(z.string()).min(1),
  minSize: z.int().min(0),
  maxSize: z.int().min(0),
  desiredCapacity: z.int().min(0).optional(),
});

/** Parses a request; refuses one that is not a JSON object, or does not fit the schema. */
export function requestIn<Schema extends z.ZodObject>(call: Call, parameter: string, schema: Schema, text: string): z.output<Schema> {
  const parsed = schema.safeParse(fromWire(schema, objectIn(call, parameter, text)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw call.error("InvalidParameter", `${parameter}: ${wirePath(schema, issue?.path ?? [])}: ${issue?.message ?? ""}`);
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
