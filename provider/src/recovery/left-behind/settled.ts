import { loggedCreations } from "../intent-log.ts";
import { stackOf } from "../ownership-tags.ts";
import { isAt } from "../place.ts";
import type { Subject } from "../possession.ts";
import type { SavedStack } from "../saved-resources.ts";

/**
 * Removes the entries of the intent log whose resources the engine has saved: the run that made them was killed before it could do that.
 * It is done before the engine drops a resource from the state: then nothing tells that it was ever saved.
 */
export function settle(stack: string, place: readonly string[], { resources }: SavedStack): void {
  for (const { type, id, remove } of loggedCreations(stack, place))
    if (resources.some((one) => one.type === type && one.id === id && !one.isToBeRemade && isAt(one, place))) remove();
}

/** The same, of what is saved by now. Without an entry, nothing is read. */
export async function settleSaved({ urn, place, session }: Subject): Promise<void> {
  const stack = stackOf(urn);
  if (stack === undefined || loggedCreations(stack, place).length === 0) return;
  const saved = await session.readSaved(urn);
  if (saved) settle(stack, place, saved);
}
