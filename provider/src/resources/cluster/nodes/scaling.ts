import * as cluster from "@container-platform/sdk/cluster";
import type { Cloud } from "@container-platform/sdk";
import type * as z from "@container-platform/sdk/zod";
import { differs } from "../../../schema/compare.ts";
import { type Native, native as schema } from "./native.ts";

interface Bounds {
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

/** How many nodes a pool may have. Without `scaling`, both bounds are `replicas`. */
export function boundsOf({ scaling, replicas = 0 }: Pick<Native, "scaling" | "replicas">): Bounds {
  return { minReplicas: scaling?.minReplicas ?? replicas, maxReplicas: scaling?.maxReplicas ?? replicas };
}

export function autoscales(native: Pick<Native, "scaling" | "replicas" | "enableAutoscaling">): boolean {
  const { minReplicas, maxReplicas } = boundsOf(native);
  return native.enableAutoscaling ?? minReplicas < maxReplicas;
}

/** How many running nodes a creation or an update waits for. */
export function desiredNodes(native: Pick<Native, "scaling" | "replicas" | "enableAutoscaling">): number {
  return autoscales(native) || native.replicas === undefined ? boundsOf(native).minReplicas : native.replicas;
}

type Change = NonNullable<z.input<typeof cluster.modifyNodePool.input>["native"]>;

/**
 * Sets the nodes' settings, and sends only those that differ. A change of size is made in an order that the platform never refuses:
 * the bounds are widened, the number is set, and the bounds are narrowed.
 */
export async function settleNative(cloud: Cloud, pool: { clusterId: string; nodePoolId: string }, desired: Native, live: Native) {
  const change = (native: Change) => cloud.call(cluster.modifyNodePool, { ...pool, native });
  const others = changedSettings(desired, live);
  if (Object.keys(others).length > 0) await change(others);
  const [from, to] = [boundsOf(live), boundsOf(desired)];
  const createPolicy = desired.scaling?.createPolicy;
  const wide = { minReplicas: Math.min(from.minReplicas, to.minReplicas), maxReplicas: Math.max(from.maxReplicas, to.maxReplicas) };
  const policy = createPolicy !== undefined && createPolicy !== live.scaling?.createPolicy ? { createPolicy } : {};
  const replicas = autoscales(desired) ? undefined : within(to, desired.replicas ?? live.replicas ?? to.minReplicas);
  const resized = replicas !== undefined && replicas !== live.replicas;
  // If no number has to be set in between, the bounds are set at once.
  const first = resized ? wide : to;
  if (!sameBounds(first, from) || Object.keys(policy).length > 0) await change({ scaling: { ...first, ...policy } });
  if (resized) await cloud.call(cluster.scaleNodePool, { ...pool, replicas });
  if (!sameBounds(first, to)) await change({ scaling: to });
}

const within = ({ minReplicas, maxReplicas }: Bounds, replicas: number): number => Math.min(Math.max(replicas, minReplicas), maxReplicas);

const sameBounds = (one: Bounds, other: Bounds): boolean => one.minReplicas === other.minReplicas && one.maxReplicas === other.maxReplicas;

/** The settings that differ and are changed in place, except the size. */
function changedSettings(desired: Native, live: Native): Change {
  const settings = schema.keyof().options.filter((key) => !["scaling", "replicas", "updateExistedNode"].includes(key));
  const changed = settings.filter((key) => differs(schema.shape[key], desired[key], live[key]));
  const autoscaling = autoscales(desired) === autoscales(live) ? {} : { enableAutoscaling: autoscales(desired) };
  if (changed.length === 0) return autoscaling;
  return {
    ...Object.fromEntries(changed.map((key) => [key, desired[key]])),
    ...autoscaling,
    ...(desired.updateExistedNode === undefined ? {} : { updateExistedNode: desired.updateExistedNode }),
  };
}
