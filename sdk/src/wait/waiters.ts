import { setTimeout as sleep } from "node:timers/promises";
import { describeClusterEndpointStatus } from "../catalogue/cluster.ts";
import { describeExternalEndpointStatus } from "../catalogue/registry.ts";
import type { Cloud } from "../client/client.ts";
import { InputError } from "../operation/errors.ts";
import { clusterFinder, nodePoolsOf, nodesOf } from "../finders/cluster.ts";
import { registryFinder } from "../finders/registry.ts";
import { clusterEndpointStatus, clusterStatus, nodePoolStatus, nodeStatus } from "../status/cluster.ts";
import { type Readiness, readinessOf, type Status } from "../status/readiness.ts";
import { registryEndpointStatus, registryStatus } from "../status/registry.ts";
import { listingDelay, pauseAfter, spoken } from "./pauses.ts";

interface Waiter {
  readonly summary: string;
  /** An example of an id. Slashes separate its parts. */
  readonly looks: string;
  readonly states: Readonly<Record<string, Readiness>>;
  readonly look: (cloud: Cloud, ...parts: readonly string[]) => Promise<Status | undefined>;
}

/** What can be waited for. */
export const waiters = {
  cluster: {
    summary: "A cluster, after a creation, an upgrade or a change.",
    looks: "cls-3f8a0c1e",
    states: readinessOf.cluster,
    look: async (cloud, clusterId = "") => {
      const found = await clusterFinder.find(cloud, clusterId);
      return found && clusterStatus(cloud, found);
    },
  },
  "node-pool": {
    summary: "A node pool, with the desired number of nodes.",
    looks: "cls-3f8a0c1e/np-3f8a0c1e",
    states: readinessOf.nodePool,
    look: async (cloud, clusterId = "", nodePoolId = "") => {
      const found = (await nodePoolsOf(cloud, clusterId)).find((pool) => pool.nodePoolId === nodePoolId);
      return found && nodePoolStatus(cloud, found, found.lifeState === "Running" ? found.native?.replicas : 0);
    },
  },
  node: {
    summary: "A node of a cluster.",
    looks: "cls-3f8a0c1e/ins-3f8a0c1e",
    states: readinessOf.node,
    look: async (cloud, clusterId = "", instanceId = "") => {
      const found = (await nodesOf(cloud, clusterId)).find((node) => node.instanceId === instanceId);
      return found && nodeStatus(found);
    },
  },
  "cluster-endpoint": {
    summary: "The public or the private endpoint of a cluster.",
    looks: "cls-3f8a0c1e/public or cls-3f8a0c1e/internal",
    states: readinessOf.clusterEndpoint,
    look: async (cloud, clusterId = "", side = "") => {
      const found = await cloud.find(describeClusterEndpointStatus, { clusterId, isExtranet: side === "public" });
      return found && clusterEndpointStatus(found);
    },
  },
  registry: {
    summary: "A registry.",
    looks: "tcr-3f8a0c1e",
    states: readinessOf.registry,
    look: async (cloud, registryId = "") => {
      const found = await registryFinder.find(cloud, registryId);
      return found && registryStatus(cloud, found);
    },
  },
  "registry-endpoint": {
    summary: "The public endpoint of a registry.",
    looks: "tcr-3f8a0c1e",
    states: readinessOf.registryEndpoint,
    look: async (cloud, registryId = "") => {
      const found = await cloud.find(describeExternalEndpointStatus, { registryId });
      return found && registryEndpointStatus(found);
    },
  },
} as const satisfies Readonly<Record<string, Waiter>>;

export type WaitedFor = keyof typeof waiters;

export function isWaitedFor(name: string): name is WaitedFor {
  return Object.hasOwn(waiters, name);
}

/** A wait that failed: the resource failed, is gone, or took too long. */
export class WaitError extends Error {
  override readonly name = "WaitError";
  /** Whether the platform has never listed the resource. */
  readonly neverListed: boolean;
  constructor(message: string, neverListed = false) {
    super(message);
    this.neverListed = neverListed;
  }
}

export interface WaitOptions {
  /** What is waited for: that it is ready, which is the default, or that it is gone. */
  readonly until?: "ready" | "gone";
  /**
   * Seconds that it may take in all. Unless given an hour, and until it is overdue: a cluster is treated as abnormal after 30 minutes in
   * `Creating`. Whoever gives a time waits for so long.
   */
  readonly within?: number | undefined;
  /** Seconds for which a resource that was just created may be missing from the platform's lists; 60 unless given. */
  readonly appears?: number;
  /** Seconds between two polls. Default: few at first, then more. */
  readonly interval?: number | undefined;
  readonly signal?: AbortSignal;
  /** Called with the state after each poll. */
  readonly show?: (state: string) => void;
}

/**
 * Waits until a resource is ready, or gone. Answers its last state.
 *
 * @param id such as `cls-3f8a0c1e`, or `cls-3f8a0c1e/np-3f8a0c1e` for a part of a cluster
 * @throws InputError if it is no id of such a resource, WaitError if the resource fails, vanishes or takes too long, and
 *   PlatformError if the platform cannot be asked.
 * @example
 * await waitFor(cloud, "cluster", clusterId, { within: 1800 });
 */
export async function waitFor(cloud: Cloud, what: WaitedFor, id: string, options: WaitOptions = {}): Promise<string> {
  const { until = "ready", within = 3600, appears = listingDelay, interval, signal, show } = options;
  const waiter: Waiter = waiters[what];
  const parts = partsOf(what, id);
  const begun = performance.now();
  let listed = false;
  for (;;) {
    signal?.throwIfAborted();
    const asked = (performance.now() - begun) / 1000;
    const status = await waiter.look(cloud, ...parts);
    const waited = (performance.now() - begun) / 1000;
    if (!status && until === "gone") return "gone";
    if (!status && (listed || asked >= appears))
      throw new WaitError(
        listed ? `${what} ${id} is gone` : `there is no ${what} ${id} in ${cloud.region}: look at its id and its region`,
        !listed,
      );
    listed ||= status !== undefined;
    const state = status ? withReason(status) : "not listed yet";
    if (status?.overdue !== undefined && until === "ready" && options.within === undefined)
      throw new WaitError(`${what} ${id} is ${state}${requestOf(status)}`);
    if (status && isOver(waiter, status, { until, name: `${what} ${id}`, state })) return state;
    show?.(state);
    if (waited >= within) throw new WaitError(`gave up after ${spoken(within)}: ${what} ${id} is ${state}`);
    const pause = Math.min(
      interval ?? pauseAfter(waited),
      Math.max((status || listed ? within : Math.min(within, appears)) - waited, 0.01),
    );
    await sleep(pause * 1000, undefined, signal ? { signal } : {});
  }
}

/** @throws WaitError if the resource can no longer get there. */
function isOver(
  { states }: Waiter,
  { state: key, lacking, hopeless, ...status }: Status,
  { until, name, state }: { until: "ready" | "gone"; name: string; state: string },
): boolean {
  const readiness = states[key] ?? "pending";
  const request = requestOf(status);
  if (readiness === "deletionFailed") throw new WaitError(`${name} could not be deleted: it is ${state}${request}`);
  if (until === "gone") return readiness === "gone";
  if (readiness === "failed" || readiness === "gone") throw new WaitError(`${name} is ${state}${request}`);
  if (hopeless !== undefined) throw new WaitError(`${name}: ${hopeless}${request}`);
  return readiness === "ready" && lacking === undefined;
}

function requestOf({ requestId }: Pick<Status, "requestId">): string {
  return requestId === undefined ? "" : ` (request ${requestId})`;
}

/** What is overdue says its state itself. */
function withReason({ state, reason, lacking, overdue }: Status): string {
  return overdue ?? [state, reason || lacking].filter(Boolean).join(": ");
}

function partsOf(what: WaitedFor, id: string): string[] {
  const { looks } = waiters[what];
  const parts = id.split("/");
  const isWhole = parts.length === looks.split(" or ")[0]?.split("/").length && parts.every((part) => part !== "");
  const isOfKind = id.startsWith(looks.slice(0, looks.indexOf("-") + 1));
  const isSide = what !== "cluster-endpoint" || parts[1] === "public" || parts[1] === "internal";
  if (!isWhole || !isOfKind || !isSide) throw new InputError(`${id} is no id of a ${what}: it looks like ${looks}`);
  return parts;
}
