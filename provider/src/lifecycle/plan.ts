import { differs, meansSame } from "../schema/compare.ts";
import { schemaOf } from "../schema/parts.ts";
import { needsReplacement, refusalOf } from "../definition/changes.ts";
import { asSaid, driftNotes, onTopOf, refuseOnTop } from "./drift.ts";
import { privateStateOf } from "../schema/private-state.ts";
import { type About, ProviderError, refusal } from "../definition/codes.ts";
import { canCoexist } from "../definition/invariants.ts";
import type { Kind } from "../definition/definition.ts";
import { inputsLeftToPlatform } from "./resource.ts";
import { holdsUnknown, pick, type Props, same, unknown } from "../schema/values.ts";

export interface Plan {
  /** False: nothing to do. True: something to do although no input changes. Left out: the engine compares the inputs itself. */
  readonly changes?: boolean;
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
  /** Why there is something to do although no input changes, or nothing although the live resource differs. */
  readonly note?: string | undefined;
}

/**
 * The plan of an update, without a call. If an input that needs a replacement is not known yet, the plan is a replacement: the engine plans with
 * unknown values to find the resources that have to be replaced together with another one, and a preview must not announce less than the update does.
 */
export function plan(kind: Kind, id: string, olds: Props, news: Props, now: number): Plan {
  const { __failed: failed, __said: said } = privateStateOf(olds);
  const { __adopt: imported, __veiled: secrets } = privateStateOf(news);
  if (imported !== undefined && imported !== id)
    throw new ProviderError(
      "CannotImport",
      `import: this ${kind.type} is already ${id}, and cannot become ${imported}. Remove \`import\`, or declare another resource for ${imported}`,
      { path: "import" },
    );
  const desired = onTopOf(kind, news, said, olds);
  const before = asSaid(kind, olds);
  const isChanged = (key: string) => kind.changes[key] !== "order-only" && differs(schemaOf(kind, key), desired[key], olds[key]);
  const changed = Object.keys(kind.changes).filter(isChanged);
  // Drift alone replaces nothing.
  const replaces = changed.filter((key) =>
    key in said ? isReplaced(kind, key, news, before[key]) : isReplaced(kind, key, desired, olds[key]),
  );
  const of = { type: kind.type, id };
  // Without input that differs, Pulumi would compare the inputs and find no change.
  const forced = replaces.length === 0 ? { changes: true } : {};
  if (failed !== undefined) {
    requireUnprotected(kind, news, `the creation of ${kind.type} ${id} failed, and it must be replaced`, { of });
    const note = `replacing it, because its creation failed: ${failed}`;
    return { ...forced, replaces: [...replaces, "failed"], deleteBeforeReplace: true, note };
  }
  const due = kind.due?.({ ...olds, ...kind.id.parts(id) }, now);
  const reasons = [...replaces, ...(due && !kind.renew ? [due.property] : [])];
  if (reasons.length > 0) {
    const why = `changing ${reasons.join(", ")} replaces ${kind.type} ${id}`;
    const about = { of, path: reasons[0] };
    requireUnprotected(kind, olds, why, about);
    if (imported !== undefined)
      throw new ProviderError(
        "CannotImport",
        `${why}, but its options still have import. Remove \`import\` first, or set the properties to the values of ${id}`,
        about,
      );
    const deleteBeforeReplace = !canCoexist(kind, id, news, olds, replaces);
    return { ...forced, replaces: reasons, deleteBeforeReplace, note: due?.why };
  }
  const impossible = changed.flatMap((key) => (holdsUnknown(desired[key]) ? [] : (refusalOf(kind, key, desired, olds) ?? [])));
  if (impossible.length > 0) throw refusal(impossible);
  refuseOnTop(kind, desired, pick(before, Object.keys(said)), olds, secrets);
  // The option replaceOnChanges makes a replacement of an update, and goes by this.
  const order = canCoexist(kind, id, news, olds) ? {} : { deleteBeforeReplace: true };
  if (due) return { ...(changed.length === 0 ? { changes: true } : {}), ...order, note: due.why };
  const [note] = driftNotes(kind, id, news, desired);
  if (changed.length > 0 || !leavesTheSame(kind, olds, desired)) return { ...order, note };
  // The program may have taken over a value that was changed outside of Pulumi: the state has to forget that it differed.
  return { changes: Object.keys(said).some((key) => !differs(schemaOf(kind, key), news[key], olds[key])), note };
}

/**
 * The plan of a refresh of a resource that drift never replaces; `undefined` for another resource. A refresh shows an update, which it does not
 * make: Pulumi asks for a plan to go back to the state, and the program has not declared the resource yet.
 */
export function planOfRefresh(kind: Kind, olds: Props, news: Props): Plan | undefined {
  if (!kind.holdsWorkloads || holdsUnknown(news) || privateStateOf(olds).__failed !== undefined) return undefined;
  return leavesTheSame(kind, olds, news) ? { changes: false } : {};
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

function isReplaced(kind: Kind, key: string, news: Props, before: unknown): boolean {
  const change = kind.changes[key];
  const holdsParents = typeof change === "object" && change.unknownReplaces === true;
  return (news[key] === unknown && holdsParents) || needsReplacement(kind, key, news, before);
}

function requireUnprotected({ protectedBy }: Kind, props: Props, why: string, about: About): void {
  if (protectedBy === undefined || props[protectedBy] !== true) return;
  throw new ProviderError("Protected", `${why}, but ${protectedBy} is on. Set ${protectedBy} to false and run \`pulumi up\` first`, about);
}
