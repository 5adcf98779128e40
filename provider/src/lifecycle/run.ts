import type { Leftovers } from "../recovery/left-behind/leftovers.ts";
import type { RunSession } from "../recovery/run-session.ts";
import type { Unclaimed } from "../recovery/left-behind/unclaimed.ts";

/** What all resources of one run of the engine share. */
export interface Run {
  readonly session: RunSession;
  readonly leftovers: Leftovers;
  readonly unclaimed: Unclaimed;
}
