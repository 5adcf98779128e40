import { outdatedBy } from "../../sdk/src/client/read-cache.ts";
import type { Recorded } from "./world-content.ts";

type Asked = Pick<Recorded, "action" | "names" | "effect">;

/**
 * Whether a call asks what was not known. An answer serves for some seconds, until a write outdates it: how often the same is asked again
 * besides depends on the machine.
 */
export function isNeeded({ action, names, effect }: Asked, place: number, calls: readonly Asked[]): boolean {
  const last = calls.slice(0, place).findLastIndex((call) => call.action === action && call.names.join() === names.join());
  const isOutdated = ({ effect: kind, action: write }: Asked) => kind === "write" && outdatedBy[write]?.includes(action) !== false;
  return effect === "write" || last < 0 || calls.slice(last, place).some(isOutdated);
}
