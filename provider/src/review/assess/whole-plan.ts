import { chainsBy, type Graph, topOf } from "../plan/graph.ts";
import type { Plan } from "../plan/plan.ts";
import { effectOf } from "../plan/definition.ts";
import { definitions } from "../plan/definitions.ts";
import type { Subject } from "../plan/subject.ts";
import { kinds, reviewed } from "../../resources/reviews.ts";
import type { Quota, Report } from "../report.ts";
import { alike, holds, holdsUnknown, Secret, type Value } from "../plan/values.ts";

/** How many seconds a change of one resource takes. A replacement is a creation and a deletion. */
export function secondsFor(subject: Subject): number {
  return secondsToMake(subject) + secondsToDelete(subject);
}

function secondsToMake({ kind, operation, paths }: Subject): number {
  if (operation === "adopt") return 2;
  if (operation !== "create" && operation !== "replace" && operation !== "update") return 0;
  if (kind === undefined) return 2;
  const { changes = {}, create, update } = reviewed(kind).seconds;
  if (operation !== "update") return create;
  const inputs = [...new Set(paths.map(topOf))].filter((input) => effectOf(definitions[kind], input) !== "local-only");
  return Math.max(...(inputs.length === 0 ? [1] : inputs.map((input) => changes[input] ?? update)));
}

function secondsToDelete({ kind, operation }: Subject): number {
  if (operation !== "delete" && operation !== "replace") return 0;
  return kind === undefined ? 2 : reviewed(kind).seconds.delete;
}

/** How many seconds the whole plan takes: the longest chain of dependencies, since all else happens in parallel. Deletions come last. */
export function secondsOfAll(changed: readonly Subject[], graph: Graph): number {
  return longestChain(changed, graph, secondsToMake) + longestChain(changed, graph, secondsToDelete);
}

function longestChain(changed: readonly Subject[], graph: Graph, secondsOf: (subject: Subject) => number): number {
  const dependenciesOf = (subject: Subject) => graph.dependenciesOf(subject);
  return Math.max(0, ...changed.map(chainsBy(dependenciesOf, secondsOf)));
}

/** The quotas that a plan comes near. They count this stack's resources only, because the reviewer sees no others. */
export function quotasOf(subjects: readonly Subject[]): Quota[] {
  return kinds.flatMap((kind) => {
    const { limit: quota } = reviewed(kind);
    if (!quota) return [];
    const { what, limit, per, shared } = quota;
    const ofKind = subjects.filter((subject) => subject.kind === kind);
    return [...Map.groupBy(ofKind, per)].flatMap(([at, there]) => {
      const isNew = ({ operation }: Subject) => operation === "create" || operation === "adopt";
      const before = there.filter((one) => !isNew(one)).length;
      const after = there.filter(({ operation }) => operation !== "delete").length;
      // The engine deletes old resources after it has created all new ones, unless they have to be deleted first.
      const most = before + there.filter((one) => isNew(one) || (one.operation === "replace" && one.deletesFirst !== true)).length;
      const near = shared === true || most * 2 > limit;
      return near && (after > before || most > before) ? [{ what, limit, at, before, after, most }] : [];
    });
  });
}

/** Of more deletions of one type, no renames are told: each would be compared with each creation. */
const most = 100;

/**
 * The resources that are deleted here and created there under another name or parent, by the URN of the new one: of one type, and with
 * the same inputs, but for some that can be changed in place. With an alias, they would stay.
 */
export function renamesIn(subjects: readonly Subject[]): ReadonlyMap<string, Subject> {
  const deleted = Map.groupBy(
    subjects.filter(({ operation }) => operation === "delete"),
    ({ type }) => type,
  );
  const found = new Map<string, Subject>();
  const taken = new Set<Subject>();
  for (const made of subjects.filter(({ operation }) => operation === "create")) {
    const ofType = deleted.get(made.type) ?? [];
    if (ofType.length > most) continue;
    const alikes = ofType.filter((old) => !taken.has(old) && couldBe(old, made));
    const [nearest] = alikes.toSorted((one, other) => differing(one, made).length - differing(other, made).length);
    if (!nearest) continue;
    taken.add(nearest);
    found.set(made.urn, nearest);
  }
  return found;
}

/** The option that gives a resource the place in the state that another name has. */
export function aliasLine({ urn }: Subject): string {
  return `aliases: ["${urn}"]`;
}

function couldBe(old: Subject, made: Subject): boolean {
  const { kind } = made;
  const changed = differing(old, made);
  if (kind === undefined) return changed.length === 0;
  return changed.every((key) => effectOf(definitions[kind], key) !== "replace") && changed.length <= Object.keys(made.inputs).length / 2;
}

/** The inputs that differ. One that is known only after apply may be the same. */
function differing({ before = {} }: Subject, { inputs }: Subject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(inputs)])].filter(
    (key) => !holdsUnknown(inputs[key]) && !alike(before[key], inputs[key]),
  );
}

/** What this review could not analyse. It is reported, and never taken for harmless. */
export function unanalysedOf(plan: Plan, changed: readonly Subject[]): Report["unanalysed"] {
  const { subjects, lacksSames, hasDependencies, hasEventLog, failures, violations } = plan;
  const foreign = changed.filter(({ kind }) => kind === undefined);
  const types = [...new Set(foreign.map(({ type }) => type))];
  const waiting = changed.filter(({ inputs }) => Object.values(inputs).some(holdsUnknown)).length;
  const secretsIn = (isHashed: boolean): number => {
    const isSuch = (value: Value | undefined) => holds(value, (one) => one instanceof Secret && (one.digest !== undefined) === isHashed);
    return changed.filter(({ differences }) => differences.some(({ before, after }) => isSuch(before) || isSuch(after))).length;
  };
  const [hashed, notShown] = [secretsIn(true), secretsIn(false)];
  const lacksOrder =
    failures.length === 0 && changed.some(({ operation, deletesFirst }) => operation === "replace" && deletesFirst === undefined);
  const found = [
    failures.length > 0 && "the preview did not finish: further changes are not known",
    foreign.length > 0 && `${counted(foreign.length)} of other providers (${types.join(", ")}): what their changes mean is not known here`,
    !hasDependencies &&
      subjects.length > 0 &&
      "dependencies: an event log does not have them. Give the output of pulumi preview --json, too",
    lacksSames &&
      failures.length === 0 &&
      changed.some(({ operation }) => operation !== "create") &&
      "resources that do not change: this preview was made without --show-sames",
    lacksOrder && "the order of replacements: this preview was made without --show-replacement-steps",
    !hasEventLog &&
      subjects.length > 0 &&
      violations.length === 0 &&
      "results of policy packs: only the engine's event log has them (--event-log)",
    waiting > 0 && `values that are known only after apply, in ${counted(waiting)}: the fingerprint does not bind them`,
    !plan.isKeyed &&
      hashed > 0 &&
      `secrets, in ${counted(hashed)}: without CONTAINER_PLATFORM_REVIEW_KEY, the fingerprint does not bind them`,
    notShown > 0 && `secrets that the engine does not show, in ${counted(notShown)}: the fingerprint does not bind them`,
  ];
  return found.filter((sentence): sentence is string => typeof sentence === "string");
}

function counted(resources: number): string {
  return `${resources} resource${resources === 1 ? "" : "s"}`;
}
