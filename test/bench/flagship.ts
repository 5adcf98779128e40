import { durationOf } from "../../sdk/src/local/time-scale.ts";
import { type Recorded, Stack } from "../support/stack.ts";
import { type Verb, verbs } from "./cost.ts";

/** Calls of the example in `examples/platform`, verb by verb, beside the fewest with which it could be done. */

type Counted = Exclude<Verb, "preview">;

/**
 * Reads that cannot be saved. A refresh has to read everything once. An operation that describes many resources is called once, and
 * one that describes a single one (a direction of access, the permissions of a user) once for each.
 */
const reads: Readonly<Record<Counted, number>> = {
  // A look at everything; one for what earlier runs have left; the nodes that access waits for; two kubeconfigs; what others have
  // granted meanwhile, once a user.
  up: 21 + 1 + 1 + 2 + 2,
  refresh: 21,
  // One look until each of these is gone: the cluster, its nodes, two ways of access, the registry, its namespace; and the grants of
  // two users, which are set as a whole.
  destroy: 6 + 2,
};

export interface Calls {
  readonly made: number;
  readonly fewest: number;
}

/** Writes cannot be saved: the tables of the tests say for each change which ones it takes. */
function callsOf(verb: Counted, calls: readonly Recorded[]): Calls {
  const writes = calls.filter(({ effect }) => effect === "write").length;
  return { made: calls.length, fewest: writes + reads[verb] };
}

interface CallsOfExample extends Readonly<Record<Counted, Calls>> {
  /** The operations that its preview calls, each as often as it does. */
  readonly checks: readonly string[];
}

export async function callsOfExample(): Promise<CallsOfExample> {
  await using stack = await Stack.ofExample("platform", { programs: "language-host", unhurried: true });
  const during = async (verb: Verb) => {
    const before = stack.calls().length;
    await stack.ok(...verbs[verb]);
    return stack.calls().slice(before);
  };
  const checks = (await during("preview")).map(({ action }) => action).sort();
  const [up, refresh, destroy] = [await during("up"), await during("refresh"), await during("destroy")];
  return { checks, up: callsOf("up", up), refresh: callsOf("refresh", refresh), destroy: callsOf("destroy", destroy) };
}

/**
 * What nothing can shorten: the cluster, then its node pool and the nodes of it, then access from the internet, which waits for a node.
 * All else of the example is made meanwhile.
 */
const longestPath = (["clusterCreate", "poolCreate", "nodeCreate", "endpointCreate"] as const)
  .map((transition) => durationOf(transition, "realistic"))
  .reduce((sum, milliseconds) => sum + milliseconds, 0);

/** The time of `up` of the example at the platform's own pace, as a multiple of its longest path. */
export async function timeOfExample(): Promise<number> {
  await using stack = await Stack.ofExample("platform", { programs: "language-host", unhurried: true, pace: "realistic", seconds: 1200 });
  const begun = performance.now();
  await stack.ok(...verbs.up);
  return (performance.now() - begun) / longestPath;
}
