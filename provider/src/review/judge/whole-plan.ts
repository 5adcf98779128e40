import { type Graph, topOf } from "../plan/graph.ts";
import type { Plan, PlannedStep } from "../plan/plan.ts";
import { effectOf } from "../plan/definition.ts";
import { definitions } from "../plan/definitions.ts";
import type { Subject } from "../plan/subject.ts";
import { kinds, reviewed } from "../../resources/reviews.ts";
import type { Quota, Report } from "../report.ts";
import { alike, holds, holdsUnknown, Secret } from "../plan/values.ts";
import { differencesOf } from "../plan/properties.ts";

function secondsOf(subject: Subject, does: PlannedStep["does"]): number {
  const { kind, paths } = subject;
  if (kind === undefined || does === "adopt") return 2;
  const { changes = {}, ...usual } = reviewed(kind).seconds;
  if (does !== "update") return usual[does];
  const inputs = [...new Set(paths.map(topOf))].filter((input) => effectOf(definitions[kind], input) !== "local-only");
  const extra = inputs.map((input) => changes[input] ?? usual.update);
  return extra.length === 0 ? 1 : Math.max(...extra);
}

/** How many seconds a change of one resource takes. A replacement is a creation and a deletion. */
export function secondsFor(subject: Subject): number {
  switch (subject.operation) {
    case "replace":
      return secondsOf(subject, "create") + secondsOf(subject, "delete");
    case "create":
    case "update":
    case "delete":
      return secondsOf(subject, subject.operation);
    case "adopt":
      return 2;
    default:
      return 0;
  }
}

/** How many seconds the whole plan takes: the longest chain of dependencies, since all else happens in parallel. Deletions come last. */
export function secondsOfAll(changed: readonly Subject[], graph: Graph): number {
  const creationTimes = new Map<string, number>();
  const deletionTimes = new Map<string, number>();
  const secondsToCreate = (subject: Subject): number =>
    longestChain(subject, creationTimes, secondsToCreate, graph, ["create", "update", "replace", "adopt"], (one) =>
      secondsOf(one, one.operation === "update" ? "update" : one.operation === "adopt" ? "adopt" : "create"),
    );
  const secondsToDelete = (subject: Subject): number =>
    longestChain(subject, deletionTimes, secondsToDelete, graph, ["delete", "replace"], (one) => secondsOf(one, "delete"));
  return Math.max(0, ...changed.map(secondsToCreate)) + Math.max(0, ...changed.map(secondsToDelete));
}

function longestChain(
  subject: Subject,
  known: Map<string, number>,
  deeper: (subject: Subject) => number,
  graph: Graph,
  counted: readonly Subject["operation"][],
  own: (subject: Subject) => number,
): number {
  const found = known.get(subject.urn);
  if (found !== undefined) return found;
  known.set(subject.urn, 0);
  const dependencies = graph.dependenciesOf(subject).map(deeper);
  const total = Math.max(0, ...dependencies) + (counted.includes(subject.operation) ? own(subject) : 0);
  known.set(subject.urn, total);
  return total;
}

/** The quotas that a plan comes near. They count this stack's resources only, because the reviewer sees no others. */
export function quotasOf(subjects: readonly Subject[]): Quota[] {
  return kinds.flatMap((kind) => {
    const { limit: quota } = reviewed(kind);
    if (!quota) return [];
    const { what, limit, per, shared } = quota;
    const places = Map.groupBy(
      subjects.filter((subject) => subject.kind === kind),
      per,
    );
    return [...places].flatMap(([at, there]) => {
      const count = (fits: (subject: Subject) => boolean) => there.filter(fits).length;
      const before = count(({ operation }) => operation !== "create" && operation !== "adopt");
      const after = count(({ operation }) => operation !== "delete");
      // The engine deletes old resources after it has created all new ones, unless they have to be deleted first.
      const most =
        before +
        count(
          (one) => one.operation === "create" || one.operation === "adopt" || (one.operation === "replace" && one.deletesFirst !== true),
        );
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
  const differences = changed.map((subject) => differencesOf(subject).flatMap(({ before, after }) => [before, after]));
  const secretsIn = (isHashed: boolean): number =>
    differences.filter((values) =>
      values.some((value) => holds(value, (one) => one instanceof Secret && (one.digest !== undefined) === isHashed)),
    ).length;
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
