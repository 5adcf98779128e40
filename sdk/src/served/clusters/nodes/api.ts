import { z } from "zod";
import { metadata, texts } from "../control-plane/watched.ts";

const condition = z.object({ type: z.string(), status: z.string(), reason: z.string().default(""), message: z.string().default("") });

const taint = z.object({ key: z.string(), value: z.string().optional(), effect: z.string() });
export type Taint = z.output<typeof taint>;

export const nodeObject = z.object({
  metadata,
  spec: z
    .object({ podCIDRs: z.array(z.string()).default([]), unschedulable: z.boolean().default(false), taints: z.array(taint).default([]) })
    .prefault({}),
  status: z
    .object({
      conditions: z.array(condition).default([]),
      nodeInfo: z.object({ kubeletVersion: z.string().default("") }).prefault({}),
    })
    .prefault({}),
});
export type NodeObject = z.output<typeof nodeObject>;

const container = z.object({ name: z.string(), image: z.string().default("") });
export type Container = z.output<typeof container>;

export const podObject = z.object({
  metadata,
  spec: z.object({
    nodeName: z.string().default(""),
    hostNetwork: z.boolean().default(false),
    restartPolicy: z.string().default("Always"),
    imagePullSecrets: z.array(z.object({ name: z.string().default("") })).default([]),
    // One that is always restarted runs beside the others.
    initContainers: z.array(container.extend({ restartPolicy: z.string().default("") })).default([]),
    containers: z.array(container),
  }),
  status: z
    .object({
      phase: z.string().default("Pending"),
      startTime: z.string().optional(),
      conditions: z.array(condition).default([]),
      podIPs: z.array(z.object({ ip: z.string() })).default([]),
    })
    .prefault({}),
});
export type PodObject = z.output<typeof podObject>;

export const secretObject = z.object({ type: z.string().default(""), data: texts });
export type SecretObject = z.output<typeof secretObject>;

/** Whether a condition of an object holds; `undefined` if the object does not have it. */
export function conditionOf({ status }: Pick<NodeObject | PodObject, "status">, type: string) {
  return status.conditions.find((one) => one.type === type);
}

/** The path of an object of the core group. */
export function pathOf(kind: "pods" | "secrets", namespace: string, name: string): string {
  return `/api/v1/namespaces/${namespace}/${kind}/${name}`;
}
