import { differs, leftToPlatform, meansSame } from "../schema/compare.ts";
import { schemaOf } from "../schema/property.ts";
import { hiddenOf, isHidden } from "./private-state.ts";
import type { Kind } from "../definition/definition.ts";
import { holdsUnknown, pick, type Props, same, unknown } from "../schema/values.ts";

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
  refuseAnother(kind, id, news);
  const changed = Object.keys(kind.changes).filter(
    (key) => kind.changes[key] !== "order-only" && differs(schemaOf(kind, key), news[key], olds[key]),
  );
  const replaces = changed.filter((key) => isReplaced(kind, key, news, olds[key]));
  const failed = hidden.__failed;
  const due = failed === undefined ? kind.due?.({ ...olds, ...kind.id.parts(id) }, now) : undefined;
  const reasons = [...replaces, ...(failed === undefined ? [] : ["failed"]), ...(due && !kind.rare?.renew ? [due.property] : [])];
  if (reasons.length > 0) {
    if (failed === undefined) refuseReplacement(kind, id, olds, news, reasons);
    else refuseWhileProtected(kind, news, `the creation of ${kind.type} ${id} failed, and a new one is to be made in its place`);
    const deleteBeforeReplace = failed !== undefined || cannotStandBeside(kind, id, news, olds);
    const note = failed === undefined ? due?.why : `it is made anew, because its creation failed: ${failed}`;
    // Left to compare inputs itself, the engine would find none to differ.
    const unseen = replaces.length === 0 ? { changes: true } : {};
    return { ...unseen, replaces: reasons, deleteBeforeReplace, ...(note === undefined ? {} : { note }) };
  }
  if (due) return { ...(changed.length === 0 ? { changes: true } : {}), note: due.why };
  return changed.length > 0 || !leavesTheSame(kind, olds, news) ? {} : { changes: false };
}

/** Whether the same is left to the platform as before: what is taken out may stay as it is there, but is no longer managed. */
function leavesTheSame(kind: Kind, olds: Props, news: Props): boolean {
  const { __left: left } = hiddenOf(olds);
  const given = Object.keys(kind.changes).filter((key) => kind.changes[key] !== "order-only" && !left.includes(key));
  return same(left, leftBy(kind, news)) && given.every((key) => meansSame(schemaOf(kind, key), news[key], olds[key]));
}

/** The inputs that the user leaves to the platform. */
export function leftBy(kind: Kind, news: Props): string[] {
  return Object.keys(kind.inputs.shape).filter((key) => news[key] === undefined && leftToPlatform(schemaOf(kind, key)));
}

/** Whether the old resource has to be deleted before the new one can be created. Of what is not known yet, nothing is said. */
function cannotStandBeside(kind: Kind, id: string, news: Props, olds: Props): boolean {
  const desired = knownOf(kind, news);
  const idIsKnown = kind.id.names.every((key) => key in kind.inputs.shape && !holdsUnknown(news[key]));
  return (idIsKnown && kind.id.of(desired) === id) || (kind.deleteBeforeReplace?.(desired, visible(olds)) ?? false);
}

/** The inputs that a live thing cannot be changed to. */
export function fixedOf(kind: Kind, wish: Props, live: Props): string[] {
  return Object.keys(kind.inputs.shape).filter(
    (key) => differs(schemaOf(kind, key), wish[key], live[key]) && cannotBecome(kind, key, wish, live[key]),
  );
}

/** Whether changing an input that differs takes a new thing. */
export function cannotBecome(kind: Kind, key: string, wish: Props, before: unknown): boolean {
  const change = kind.changes[key];
  return change === "replace" || (typeof change === "object" && (change.replaces?.(wish[key], before, wish) ?? false));
}

function isReplaced(kind: Kind, key: string, news: Props, before: unknown): boolean {
  const change = kind.changes[key];
  const unknownReplaces = typeof change === "object" && change.unknownReplaces === true;
  return (news[key] === unknown && unknownReplaces) || cannotBecome(kind, key, news, before);
}

function refuseReplacement(kind: Kind, id: string, olds: Props, news: Props, reasons: readonly string[]): void {
  const why = `a change of ${reasons.join(", ")} makes a new ${kind.type} in place of ${id}`;
  refuseWhileProtected(kind, olds, why);
  if (hiddenOf(news).__adopt !== undefined)
    throw new Error(`${why}, but its options still say import: remove \`import\` first, or give the properties the values that ${id} has`);
}

/** What a resource stands for is settled once it is in the state. */
function refuseAnother({ type }: Kind, id: string, news: Props): void {
  const { __adopt: adopted = id } = hiddenOf(news);
  if (adopted !== id)
    throw new Error(
      `this ${type} is ${id} already, but its options say import: "${adopted}": remove \`import\`, or write a resource of its own for ${adopted}`,
    );
}

function refuseWhileProtected({ protectedBy }: Kind, props: Props, why: string): void {
  if (protectedBy !== undefined && props[protectedBy] === true)
    throw new Error(`${why}, but ${protectedBy} is on: set ${protectedBy} to false and run \`pulumi up\` first`);
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
