import { differs, leftToPlatform } from "./compare.ts";
import { schemaOf } from "./check.ts";
import { hiddenOf, isHidden } from "./hidden.ts";
import type { Kind } from "./kind.ts";
import { holdsUnknown, pick, type Props, same, unknown } from "./values.ts";

export interface Difference {
  /** False: nothing to do. True: something to do that no input tells. Absent: let the engine compare the inputs. */
  readonly changes?: boolean;
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
  /** Why something is to be done that no input tells. */
  readonly note?: string;
}

/**
 * What an update would do. Pure: nothing is asked of the platform. `olds`: the old outputs, which echo the old inputs; `now`: milliseconds.
 *
 * An unknown new value of a replacing input is a replacement: the engine finds what goes along with a replaced thing by asking
 * with unknowns, and a preview must not promise less than the update does.
 */
export function diff(kind: Kind, id: string, olds: Props, news: Props, now: number): Difference {
  const hidden = hiddenOf(olds);
  const changed = Object.keys(kind.changes).filter(
    (key) => kind.changes[key] !== "order" && differs(schemaOf(kind, key), news[key], olds[key]),
  );
  const replaces = changed.filter((key) => isReplaced(kind, key, news[key], olds[key]));
  const failed = hidden.__failed;
  const due = failed === undefined ? kind.due?.({ ...olds, ...kind.id.parts(id) }, now) : undefined;
  const reasons = [...replaces, ...(failed === undefined ? [] : ["failed"]), ...(due && !kind.renew ? [due.property] : [])];
  if (reasons.length > 0) {
    refuseReplacement(kind, id, olds, news, reasons);
    const deleteBeforeReplace = failed !== undefined || (kind.deleteFirst?.(knownOf(kind, news), visible(olds)) ?? false);
    const note = failed === undefined ? due?.why : `it is made anew, because its creation failed: ${failed}`;
    // Left to compare inputs itself, the engine would find none to differ.
    const unseen = replaces.length === 0 ? { changes: true } : {};
    return { ...unseen, replaces: reasons, deleteBeforeReplace, ...(note === undefined ? {} : { note }) };
  }
  if (due) return { ...(changed.length === 0 ? { changes: true } : {}), note: due.why };
  return changed.length > 0 || !same(hidden.__left, leftBy(kind, news)) ? {} : { changes: false };
}

/** The inputs that the user leaves to the platform. */
export function leftBy(kind: Kind, news: Props): string[] {
  return Object.keys(kind.inputs.shape).filter((key) => news[key] === undefined && leftToPlatform(schemaOf(kind, key)));
}

function isReplaced(kind: Kind, key: string, wish: unknown, before: unknown): boolean {
  const change = kind.changes[key];
  if (change === "replace") return true;
  if (typeof change !== "object") return false;
  return wish === unknown ? change.standsOn === true : (change.replaces?.(wish, before) ?? false);
}

function refuseReplacement(kind: Kind, id: string, olds: Props, news: Props, reasons: readonly string[]): void {
  const why = `a change of ${reasons.join(", ")} makes a new ${kind.type} in place of ${id}`;
  if (kind.protectedBy !== undefined && olds[kind.protectedBy] === true)
    throw new Error(`${why}, but ${kind.protectedBy} is on: set ${kind.protectedBy} to false and run \`pulumi up\` first`);
  if (hiddenOf(news).__adopt !== undefined)
    throw new Error(`${why}, but its options still say import: remove \`import\` first, or give the properties the values that ${id} has`);
}

/** The wish without what is not known yet. */
function knownOf(kind: Kind, news: Props): Props {
  return pick(
    news,
    Object.keys(kind.inputs.shape).filter((key) => !holdsUnknown(news[key])),
  );
}

function visible(props: Props): Props {
  return pick(
    props,
    Object.keys(props).filter((key) => !isHidden(key)),
  );
}
