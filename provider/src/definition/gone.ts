import type { Kind } from "./definition.ts";
import type { Props } from "../schema/values.ts";

/** Whether a state says that the resource does not exist any more. */
export function isGone({ states = {} }: Kind, live: Props): boolean {
  return Object.entries(states).some(([key, readinessOf]) => readinessOf[String(live[key])] === "gone");
}
