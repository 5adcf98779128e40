import { creationNotes } from "../creation-note.ts";
import { loggedCreations } from "../intent-log.ts";
import type { Pending } from "./pending.ts";

/**
 * Removes the entries of the intent log whose resources the platform does not have any more. Otherwise a later resource of the same name,
 * of somebody else, would be taken for this stack's own. A creation that may still be under way keeps its entry.
 *
 * @param stack the own stack, as ownership tags name it
 * @param place endpoint, region and account
 */
export function forgetGone(gone: readonly Pending[], stack: string, place: readonly string[]): void {
  if (gone.length === 0) return;
  const notes = creationNotes(stack, place);
  for (const { type, id, owner, isOld, remove } of loggedCreations(stack, place)) {
    if (!isOld || !gone.some((one) => one.kind.type === type && one.id === id && one.owner === owner)) continue;
    const noted = notes.filter((note) => note.owner === owner && note.type === type);
    if (noted.some(({ isAtWork }) => isAtWork)) continue;
    remove();
    for (const note of noted) if (note.isOld) note.remove();
  }
}
