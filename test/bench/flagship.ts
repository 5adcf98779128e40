import { type Recorded, Stack } from "../support/stack.ts";
import { type Verb, verbs } from "./figures.ts";

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

export async function callsOfExample(): Promise<Readonly<Record<Counted, Calls>>> {
  await using stack = await Stack.ofExample("platform", { programs: "language-host", unhurried: true });
  const during = async (verb: Counted) => {
    const before = stack.calls().length;
    await stack.ok(...verbs[verb]);
    return callsOf(verb, stack.calls().slice(before));
  };
  return { up: await during("up"), refresh: await during("refresh"), destroy: await during("destroy") };
}
