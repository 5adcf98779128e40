import { differs, meansSame } from "../schema/compare.ts";
import { leftToPlatform } from "../schema/marks.ts";
import { schemaOf } from "../schema/parts.ts";
import { needsReplacement, refusalOf } from "../definition/changes.ts";
import { asSaid, isWritten, onTopOf, refuseOnTop, remarksOn } from "./drift.ts";
import { privateStateOf } from "../schema/private-state.ts";
import { canCoexist } from "../definition/invariants.ts";
import type { Kind } from "../definition/definition.ts";
import { holdsUnknown, pick, type Props, same, unknown } from "../schema/values.ts";

export interface Plan {
  /** False: nothing to do. True: something to do although no input changes. Left out: the engine compares the inputs itself. */
  readonly changes?: boolean;
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
  /** Why there is something to do although no input changes, or nothing although the live resource differs. */
  readonly note?: string;
}

/**
 * What an update would do. It does not call the platform.
 *
 * If an input that needs a replacement is not known yet, the plan is a replacement. The engine plans with unknown values to find the
 * resources that have to be replaced together with another one, and a preview must not announce less than the update does.
 *
 * @param olds the old outputs, which repeat the old inputs
 * @param now milliseconds
 */
export function plan(kind: Kind, id: string, olds: Props, news: Props, now: number): Plan {
  refuseAnotherImport(kind, id, news);
  const { __failed: failed, __said: said } = privateStateOf(olds);
  const desired = onTopOf(kind, news, said, olds);
  const before = asSaid(kind, olds);
  const changed = Object.keys(kind.changes).filter(
    (key) => kind.changes[key] !== "order-only" && differs(schemaOf(kind, key), desired[key], olds[key]),
  );
  // Drift alone replaces nothing.
  const replaces = changed.filter((key) =>
    key in said ? isReplaced(kind, key, news, before[key]) : isReplaced(kind, key, desired, olds[key]),
  );
  if (failed !== undefined) return replacementOfFailed(kind, id, news, failed, replaces);
  const due = kind.due?.({ ...olds, ...kind.id.parts(id) }, now);
  const reasons = [...replaces, ...(due && !kind.renew ? [due.property] : [])];
  if (reasons.length > 0) {
    refuseReplacement(kind, id, olds, news, reasons);
    const deleteBeforeReplace = !canCoexist(kind, id, news, olds, replaces);
    return { ...(replaces.length === 0 ? forced : {}), replaces: reasons, deleteBeforeReplace, ...(due ? { note: due.why } : {}) };
  }
  refuseImpossible(kind, changed, desired, olds);
  refuseOnTop(kind, desired, pick(before, Object.keys(said)), olds, privateStateOf(news).__veiled);
  // The option replaceOnChanges makes a replacement of an update, and goes by this.
  const order = canCoexist(kind, id, news, olds) ? {} : { deleteBeforeReplace: true };
  if (due) return { ...(changed.length === 0 ? { changes: true } : {}), ...order, note: due.why };
  const [remark] = remarksOn(kind, id, news, desired);
  const remarks = remark === undefined ? {} : { note: remark };
  if (changed.length > 0 || !leavesTheSame(kind, olds, desired)) return { ...order, ...remarks };
  // The inputs do not differ, but the state has to forget that they did.
  return { changes: isWritten(kind, news, said, olds), ...remarks };
}

/** A replacement although no input differs: without it, Pulumi would compare the inputs and find no change. */
const forced = { changes: true };

/** A resource whose creation ended in a failed state is replaced. */
function replacementOfFailed(kind: Kind, id: string, news: Props, failed: string, replaces: readonly string[]): Plan {
  refuseWhileProtected(kind, news, `the creation of ${kind.type} ${id} failed, and a new one is to be made in its place`);
  const note = `a new one is made, because its creation failed: ${failed}`;
  return { ...(replaces.length === 0 ? forced : {}), replaces: [...replaces, "failed"], deleteBeforeReplace: true, note };
}

/**
 * What a refresh shows of a resource: an update, which it does not make. The engine asks for a plan to go back to what is in the state, and
 * the program has said nothing yet.
 */
export function planOfRefresh(kind: Kind, olds: Props, news: Props): Pick<Plan, "changes"> {
  return leavesTheSame(kind, olds, news) ? { changes: false } : {};
}

/** Whether a plan is asked for by a refresh, of a resource that a refresh never replaces. */
export function isForRefresh(kind: Kind, olds: Props, news: Props, isChecked: boolean): boolean {
  return kind.holdsWorkloads === true && !isChecked && !holdsUnknown(news) && privateStateOf(olds).__failed === undefined;
}

/** @throws if the platform never makes one of the changes in place, and nothing else replaces the resource */
function refuseImpossible(kind: Kind, changed: readonly string[], desired: Props, live: Props): void {
  const reasons = changed.flatMap((key) => (holdsUnknown(desired[key]) ? [] : (refusalOf(kind, key, desired, live) ?? [])));
  if (reasons.length > 0) throw new Error(reasons.join("\n"));
}

/**
 * Whether the inputs mean the same as before, and the same ones are left to the platform. An input that is taken out may keep its
 * value on the platform, but is no longer managed, which is a change. Of what was read and not managed yet, a program may leave out anything.
 */
function leavesTheSame(kind: Kind, olds: Props, news: Props): boolean {
  const { __left: left, __unmarked: isAsRead } = privateStateOf(olds);
  const isSame = (key: string) =>
    isAsRead ? !differs(schemaOf(kind, key), news[key], olds[key]) : meansSame(schemaOf(kind, key), news[key], olds[key]);
  const given = Object.keys(kind.changes).filter((key) => kind.changes[key] !== "order-only" && !left.includes(key));
  return same(left, inputsLeftToPlatform(kind, news)) && given.every(isSame);
}

/** The inputs that the user leaves to the platform. */
export function inputsLeftToPlatform(kind: Kind, news: Props): string[] {
  return Object.keys(kind.inputs.shape).filter((key) => news[key] === undefined && leftToPlatform(schemaOf(kind, key)));
}

function isReplaced(kind: Kind, key: string, news: Props, before: unknown): boolean {
  const change = kind.changes[key];
  const holdsParents = typeof change === "object" && change.unknownReplaces === true;
  return (news[key] === unknown && holdsParents) || needsReplacement(kind, key, news, before);
}

function refuseReplacement(kind: Kind, id: string, olds: Props, news: Props, reasons: readonly string[]): void {
  const why = `a change of ${reasons.join(", ")} makes a new ${kind.type} in place of ${id}`;
  refuseWhileProtected(kind, olds, why);
  if (privateStateOf(news).__adopt !== undefined)
    throw new Error(`${why}, but its options still say import: remove \`import\` first, or give the properties the values that ${id} has`);
}

/** Once a resource is in the state, its id is settled: an import of another one is refused. */
function refuseAnotherImport({ type }: Kind, id: string, news: Props): void {
  const { __adopt: imported = id } = privateStateOf(news);
  if (imported !== id)
    throw new Error(
      `this ${type} is ${id} already, but its options say import: "${imported}": remove \`import\`, or write a resource of its own for ${imported}`,
    );
}

function refuseWhileProtected({ protectedBy }: Kind, props: Props, why: string): void {
  if (protectedBy !== undefined && props[protectedBy] === true)
    throw new Error(`${why}, but ${protectedBy} is on: set ${protectedBy} to false and run \`pulumi up\` first`);
}
