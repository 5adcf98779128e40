import { setTimeout as sleep } from "node:timers/promises";
import { describeClusterEndpointStatus } from "../catalogue/cluster.ts";
import { describeExternalEndpointStatus } from "../catalogue/registry.ts";
import type { Cloud } from "../client/client.ts";
import { InputError } from "../operation/errors.ts";
import { clusterFailure, clusterFinder, lackingNodes, nodePoolFailure, nodePoolsOf, nodesOf } from "../finders/cluster.ts";
import { registryFailure, registryFinder } from "../finders/registry.ts";
import { type Verdict, verdicts } from "./verdicts.ts";
import { pauseAfter, spoken } from "./pauses.ts";

/** A thing as whoever waits for it sees it. */
interface Sight {
  readonly state: string;
  /** Why, in the platform's words. */
  readonly reason?: string | undefined;
  readonly requestId?: string | undefined;
  /** What it lacks, although its state is a ready one. */
  readonly lacking?: string | undefined;
  /** What will not come about by itself any more, although its state is a ready one. */
  readonly hopeless?: string | undefined;
}

interface Waiter {
  readonly summary: string;
  /** An id, as it looks. Its parts are between slashes. */
  readonly looks: string;
  readonly states: Readonly<Record<string, Verdict>>;
  readonly look: (cloud: Cloud, ...parts: readonly string[]) => Promise<Sight | undefined>;
}

/** What can be waited for. */
export const waiters = {
  cluster: {
    summary: "A cluster: until it runs, after a creation, an upgrade or a change.",
    looks: "cls-3f8a0c1e",
    states: verdicts.cluster,
    look: async (cloud, clusterId = "") => {
      const found = await clusterFinder.find(cloud, clusterId);
      const state = found?.clusterState;
      return found && state && { state, reason: await clusterFailure(cloud, clusterId, state), requestId: found.requestId };
    },
  },
  "node-pool": {
    summary: "A node pool: until it runs, with as many nodes as it is to have.",
    looks: "cls-3f8a0c1e/np-3f8a0c1e",
    states: verdicts.nodePool,
    look: async (cloud, clusterId = "", nodePoolId = "") => {
      const pool = (await nodePoolsOf(cloud, clusterId)).find((one) => one.nodePoolId === nodePoolId);
      if (!pool) return undefined;
      const { lifeState: state, requestId, native } = pool;
      const wished = native?.replicas ?? 0;
      const lack = state === "Running" ? await lackingNodes(cloud, pool, wished) : undefined;
      return {
        state,
        reason: await nodePoolFailure(cloud, pool),
        requestId,
        lacking: lack && `${lack.running} of ${wished} nodes running`,
        hopeless: lack?.failed && `node ${lack.failed.instanceId} failed: ${lack.failed.failedReason}`,
      };
    },
  },
  node: {
    summary: "A node of a cluster: until it runs.",
    looks: "cls-3f8a0c1e/ins-3f8a0c1e",
    states: verdicts.node,
    look: async (cloud, clusterId = "", instanceId = "") => {
      const found = (await nodesOf(cloud, clusterId)).find((node) => node.instanceId === instanceId);
      return found && { state: found.instanceState, reason: found.failedReason };
    },
  },
  "cluster-endpoint": {
    summary: "Access to a cluster's API server, from the internet or the VPC.",
    looks: "cls-3f8a0c1e/public or cls-3f8a0c1e/internal",
    states: verdicts.clusterEndpoint,
    look: async (cloud, clusterId = "", side = "") => {
      const found = await cloud.find(describeClusterEndpointStatus, { clusterId, isExtranet: side === "public" });
      return found && { state: found.status, reason: found.errorMsg, requestId: found.requestId };
    },
  },
  registry: {
    summary: "A registry: until it runs.",
    looks: "tcr-3f8a0c1e",
    states: verdicts.registry,
    look: async (cloud, registryId = "") => {
      const found = await registryFinder.find(cloud, registryId);
      if (!found) return undefined;
      return { state: found.status, ...(found.status === "Running" ? {} : await registryFailure(cloud, registryId)) };
    },
  },
  "registry-endpoint": {
    summary: "A registry's access from the internet.",
    looks: "tcr-3f8a0c1e",
    states: verdicts.registryEndpoint,
    look: async (cloud, registryId = "") => {
      const found = await cloud.find(describeExternalEndpointStatus, { registryId });
      return found && { state: found.status, reason: found.reason, requestId: found.requestId };
    },
  },
} as const satisfies Readonly<Record<string, Waiter>>;

export type WaitedFor = keyof typeof waiters;

export function isWaitedFor(name: string): name is WaitedFor {
  return Object.hasOwn(waiters, name);
}

/** A wait that did not come to its end: the thing failed, is gone, or took too long. */
export class WaitError extends Error {
  override readonly name = "WaitError";
}

export interface WaitOptions {
  /** What is waited for: that it is ready, which is the default, or that it is gone. */
  readonly until?: "ready" | "gone";
  /** Seconds that it may take in all; an hour unless given. */
  readonly within?: number;
  /** Seconds between two looks; unless given, fewer at first than later. */
  readonly interval?: number | undefined;
  readonly signal?: AbortSignal;
  /** Is told after each look in what state the thing is. */
  readonly show?: (state: string) => void;
}

/** How long a new thing may be missing from the platform's lists, in seconds. */
const listingDelay = 10;

/**
 * Waits until a thing is ready, or gone. Answers its last state.
 *
 * @param id such as `cls-3f8a0c1e`, or `cls-3f8a0c1e/np-3f8a0c1e` for what is a part of another thing
 * @throws InputError if it is no id of such a thing, WaitError if the thing fails, vanishes or takes too long, and PlatformError if
 *   the platform cannot be asked.
 * @example
 * await waitFor(cloud, "cluster", clusterId, { within: 1800 });
 */
export async function waitFor(cloud: Cloud, what: WaitedFor, id: string, options: WaitOptions = {}): Promise<string> {
  const { until = "ready", within = 3600, interval, signal, show } = options;
  const waiter: Waiter = waiters[what];
  const parts = partsOf(what, id);
  const begun = performance.now();
  let seen = false;
  for (;;) {
    signal?.throwIfAborted();
    const sight = await waiter.look(cloud, ...parts);
    const waited = (performance.now() - begun) / 1000;
    if (!sight && until === "gone") return "gone";
    if (!sight && (seen || waited >= listingDelay))
      throw new WaitError(seen ? `${what} ${id} is gone` : `there is no ${what} ${id} in ${cloud.region}`);
    seen ||= sight !== undefined;
    const state = sight ? withReason(sight) : "not listed yet";
    if (sight && isOver(waiter, sight, { until, name: `${what} ${id}`, state })) return state;
    show?.(state);
    if (waited >= within) throw new WaitError(`gave up after ${spoken(within)}: ${what} ${id} is ${state}`);
    const pause = Math.min(interval ?? pauseAfter(waited), Math.max(within - waited, 0.01));
    await sleep(pause * 1000, undefined, signal ? { signal } : {});
  }
}

/** @throws WaitError if what is waited for will not come about any more. */
function isOver(
  { states }: Waiter,
  sight: Sight,
  { until, name, state }: { until: "ready" | "gone"; name: string; state: string },
): boolean {
  const verdict = states[sight.state] ?? "wait";
  const { lacking, hopeless, requestId } = sight;
  const request = requestId === undefined ? "" : ` (request ${requestId})`;
  if (verdict === "undeleted") throw new WaitError(`${name} could not be deleted: it is ${state}${request}`);
  if (until === "gone") return verdict === "gone";
  if (verdict === "failed" || verdict === "gone") throw new WaitError(`${name} is ${state}${request}`);
  if (hopeless !== undefined) throw new WaitError(`${name}: ${hopeless}${request}`);
  return verdict === "ready" && lacking === undefined;
}

function withReason({ state, reason, lacking }: Sight): string {
  return [state, reason || lacking].filter(Boolean).join(": ");
}

function partsOf(what: WaitedFor, id: string): string[] {
  const { looks } = waiters[what];
  const parts = id.split("/");
  const isWhole = parts.length === looks.split(" or ")[0]?.split("/").length && parts.every((part) => part !== "");
  const isSide = what !== "cluster-endpoint" || parts[1] === "public" || parts[1] === "internal";
  if (!isWhole || !isSide) throw new InputError(`${id} is no id of a ${what}: it looks like ${looks}`);
  return parts;
}
