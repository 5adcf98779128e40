import { creationNotes } from "../creation-note.ts";
import { loggedCreations } from "../intent-log.ts";
import type { Subject } from "../possession.ts";
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

/**
 * Removes the notes of creations that have ended, left nothing pending, and are not in the program any more, such as of one that failed.
 * Otherwise such a note would prove for ever that this user has begun what a stack of the same name in another backend is creating.
 *
 * @param pending what the run knows to be pending on the platform
 */
export function forgetEnded(
  { session, place }: Pick<Subject, "session" | "place">,
  stack: string,
  pending: readonly { readonly owner: string | undefined }[],
): void {
  const ended = creationNotes(stack, place).filter(
    // Another `Provider` is in a process of its own, and sees what its part of the program has.
    (note) => note.isOld && note.isAtWork === false && note.provider === session.provider && !session.inProgram.has(note.owner),
  );
  if (ended.length === 0) return;
  const begun = [...pending, ...loggedCreations(stack, place)];
  for (const { owner, remove } of ended) if (!begun.some((one) => one.owner === owner)) remove();
}
