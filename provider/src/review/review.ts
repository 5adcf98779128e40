import { byRisk, concluded, stays, worstOf } from "./assess/conclusion.ts";
import { costOf, type Prices } from "./cost.ts";
import { aliasLine, quotasOf, renamesIn, secondsFor, secondsOfAll, unanalysedOf } from "./assess/whole-plan.ts";
import { listed, notUndone, partlyUndone, undone } from "./assess/reviewed.ts";
import { failuresOf } from "./assess/run/failures.ts";
import type { Finding, Reason, Undo } from "./verdict.ts";
import { Graph } from "./plan/graph.ts";
import { isTrusted, opinionOf, reasonFor } from "./assess/judge.ts";
import { noSettings, type OtherProviders } from "./policy/settings.ts";
import type { Plan } from "./plan/plan.ts";
import { changedOf, isFolded, propertiesOf } from "./plan/properties.ts";
import { outputsLost } from "./assess/stack-outputs.ts";
import { failingSteps } from "./assess/run/simulation.ts";
import type { Change, Report } from "./report.ts";
import { displayNameOf, displayNameOfUrn } from "./plan/names.ts";
import { isKept, type Subject } from "./plan/subject.ts";
import { byValue } from "./assess/headline.ts";
import { kinds } from "../resources/reviews.ts";
import { refusedDeletions, withoutContainers } from "./assess/run/staying.ts";

/** What a review knows besides the plan. */
export interface Surroundings {
  /** What the settings say of resources of other providers. */
  readonly foreign?: OtherProviders | undefined;
  /** The stacks that read this one's outputs, if the states of others were given. */
  readonly readers?: readonly string[] | undefined;
  /** Without them, nothing is said about cost. */
  readonly prices?: Prices | undefined;
}

/** Reviews a plan. `findings`: the findings of policies. */
export function reviewOf(
  given: Plan,
  findings: readonly Finding[] = [],
  { foreign = noSettings.otherProviders, readers, prices }: Surroundings = {},
): Report {
  const plan = { ...given, subjects: withoutContainers(given.subjects) };
  const graph = new Graph(plan.subjects);
  const changed = changedOf(plan.subjects);
  const folded = plan.subjects.filter(isFolded);
  const failures = failuresOf(plan, graph);
  const renames = renamesIn(plan.subjects);
  const notes = notesOn(renames);
  const judged = withUndoOfCascades(changed.map((subject) => judgedOf(subject, graph, foreign, notes.get(subject.urn)))).toSorted(
    (one, other) => byRisk(one.change, other.change),
  );
  const quotas = quotasOf(plan.subjects);
  const policy = findings.flatMap((finding) => reasonsOf(finding, graph));
  const reasons = [
    ...failures,
    ...failingSteps(plan, renames),
    ...refusedDeletions(plan),
    ...judged.flatMap((one) => one.reasons),
    ...quotas.flatMap(overQuota),
    ...policy,
    ...outputsLost(plan, readers),
    ...partly(plan, graph),
  ];
  return concluded(plan, {
    about: "preview",
    reasons,
    failures,
    changes: [...failures.flatMap((failure) => refusedOf(failure, graph)), ...judged.map(({ change }) => change)],
    quotas,
    moves: stepsOf(plan, changed, graph),
    graph: edgesOf(changed, graph),
    findings: findings.filter(({ outcome }) => outcome !== "pass"),
    folded: folded.map(({ urn }) => urn),
    seconds: secondsOfAll(changed, graph),
    unanalysed: unanalysedOf(plan, changed),
    ...(prices ? { cost: costOf(changed, prices) } : {}),
  });
}

/** By URN of what is deleted, and of what is created under another name: that it could stay. */
function notesOn(renames: ReadonlyMap<string, Subject>): ReadonlyMap<string, string> {
  const pairs = [...renames].flatMap(([made, old]) => {
    const remedy = `if that is the same under another name, add ${aliasLine(old)} to the options of the new one, and it stays`;
    return [
      [made, `looks like ${displayNameOf(old)}, which is deleted: ${remedy}`],
      [old.urn, `looks like ${displayNameOfUrn(made)}, which is created: ${remedy}`],
    ] as const;
  });
  return new Map(pairs);
}

function isEnding(subject: Subject | undefined): boolean {
  return subject?.operation === "delete" || subject?.operation === "replace";
}

interface Judged {
  readonly change: Change;
  readonly reasons: readonly Reason[];
}

function judgedOf(subject: Subject, graph: Graph, foreign: OtherProviders, note: string | undefined): Judged {
  const causes = graph.causesOf(subject);
  const ends = isEnding(subject);
  // A dependent that changes for other reasons only is not affected.
  const roots = new Set(causes.map(({ urn }) => urn));
  const isCausedBy = (one: Subject) => graph.causesOf(one).some(({ urn }) => roots.has(urn));
  const affected = ends ? graph.dependentsOf(subject.urn).filter((one) => one.operation !== "same" && isCausedBy(one)) : [];
  const cascade = affected.filter((one) => isEnding(one) && !isKept(one));
  const isTold = causes.some(({ urn }) => urn !== subject.urn && isEnding(graph.find(urn)));
  const isMade = (urn: string) => ["create", "replace"].includes(graph.find(urn)?.operation ?? "");
  const { reasons, unreachable, undo, notes } = opinionOf(subject, { cascade, causes, isTold, isMade, foreign });
  const change: Change = {
    ...identityOf(subject),
    takesAlong: cascade.map(({ urn }) => urn),
    touches: affected.filter(({ operation }) => operation === "update").map(({ urn }) => urn),
    unreachable: [...unreachable],
    notes: [...notes, ...(note === undefined ? [] : [note])],
    properties: propertiesOf(subject, (urn) => graph.displayName(urn)),
    seconds: secondsFor(subject),
    operation: reportedOperation(subject),
    verdict: worstOf(reasons, ends && !isKept(subject) && !isTrusted(subject, foreign) ? "needs-approval" : "safe"),
    causes: [...causes],
    ...(subject.operation === "replace" ? { order: orders[`${subject.deletesFirst}`] } : {}),
    undo,
  };
  return { change, reasons };
}

const undos = ["no", "partly", "yes"];

/** Adds the undo of dependents: a change that replaces or deletes others can be undone only if all of these can. */
function withUndoOfCascades(judged: readonly Judged[]): Judged[] {
  const byUrn = new Map(judged.map(({ change }) => [change.urn, change]));
  return judged.map((one) => {
    const { change, reasons } = one;
    const cascade = change.takesAlong.flatMap((urn) => byUrn.get(urn) ?? []);
    const worst = [change, ...cascade.toSorted(byValue)].reduce((found, other) =>
      undos.indexOf(other.undo.possible) < undos.indexOf(found.undo.possible) ? other : found,
    );
    if (worst === change) return one;
    return { change: { ...change, undo: { ...worst.undo, sentence: `${worst.called}: ${worst.undo.sentence}` } }, reasons };
  });
}

/** The parts of a change without effects on other resources. */
const unaffected = { takesAlong: [], touches: [], unreachable: [], notes: [], properties: [], seconds: 0 };

function identityOf({ urn, kind, type, name, id, source }: Subject) {
  const { file, line, column } = source ?? {};
  return {
    urn,
    called: displayNameOf({ type, name }),
    ...(kind === undefined ? {} : { kind }),
    type,
    name,
    ...(id === undefined ? {} : { id }),
    ...(file === undefined || line === undefined ? {} : { source: { file, line, ...(column === undefined ? {} : { column }) } }),
  };
}

function reportedOperation(subject: Subject): Change["operation"] {
  const { operation } = subject;
  if (isKept(subject)) return "detach";
  return operation === "same" || operation === "read" || operation === "unknown" ? "update" : operation;
}

const orders = { true: "old one first", false: "new one first", undefined: "not told" } as const;

/** A change that was refused during the preview, so that it is not in the plan. */
function refusedOf({ urn, called = "", property, sentence }: Reason, graph: Graph): Change[] {
  if (called === "") return [];
  const found = urn === undefined ? undefined : graph.find(urn);
  const [type = "", ...name] = called.split(" ");
  const kind = kinds.find((one) => one === type);
  return [
    {
      ...(found ? identityOf(found) : { urn: urn ?? called, called, ...(kind ? { kind } : {}), type, name: name.join(" ") }),
      ...unaffected,
      operation: "refused",
      verdict: "blocked",
      causes: [{ urn: urn ?? called, called, ...(property === undefined ? {} : { property }) }],
      undo: undone(""),
      notes: [sentence],
    },
  ];
}

function reasonsOf(finding: Finding, graph: Graph): Reason[] {
  const { rule, outcome, enforcement, urn, property, sentence } = finding;
  if (enforcement === "advise" || outcome === "pass" || outcome === "excepted") return [];
  const verdict = enforcement === "block" && outcome === "fail" ? "blocked" : "needs-approval";
  const place = urn === "" ? {} : { urn, called: graph.displayName(urn) };
  return [{ code: "policy", verdict, ...place, ...(property === undefined ? {} : { property }), sentence: `${rule}: ${sentence}` }];
}

/** What is left out is as the program says only after another run, which does more than this review says. */
function partly({ leftOut }: Plan, graph: Graph): Reason[] {
  if (leftOut === undefined) return [];
  const such = leftOut.length === 0 ? "" : `, such as ${listed(leftOut.map((urn) => graph.displayName(urn)))},`;
  const sentence = `is looked at only in part (--target, --exclude): what is left out${such} stays as it is, and is not reviewed`;
  return [{ code: "undecided", verdict: "needs-approval", called: "stack", sentence }];
}

function overQuota({ what, at, limit, most }: Report["quotas"][number]): Reason[] {
  if (most <= limit) return [];
  return [{ code: "quota", verdict: "blocked", sentence: `${most} ${what} (${at}), but only ${limit} are allowed` }];
}

function stepsOf({ steps }: Plan, changed: readonly Subject[], graph: Graph): Report["moves"] {
  const reported = new Set(changed.map(({ urn }) => urn));
  if (!changed.some(({ operation }) => operation === "replace" || operation === "delete")) return [];
  if (changed.some(({ operation, deletesFirst }) => operation === "replace" && deletesFirst === undefined)) return [];
  const kept = new Set(changed.filter(isKept).map(({ urn }) => urn));
  return steps
    .filter(({ urn }) => reported.has(urn))
    .map(({ does, urn }) => ({ does: kept.has(urn) ? "detach" : does, urn, called: graph.displayName(urn) }));
}

function edgesOf(changed: readonly Subject[], graph: Graph): Report["graph"] {
  const reported = new Set(changed);
  return changed.flatMap((subject) =>
    graph
      .dependenciesOf(subject)
      .filter((dependency) => reported.has(dependency) && dependency !== subject)
      .map((dependency) => ({ from: subject.urn, to: dependency.urn })),
  );
}

/** The report of resources that were changed or deleted outside of Pulumi. */
export function driftOf(plan: Plan): Report {
  const found = plan.drift.filter((subject) => subject.operation === "delete" || subject.differences.length > 0);
  const failures = plan.failures.map(({ urn, message }): Reason => ({
    code: "failed",
    verdict: "blocked",
    ...(urn === undefined ? {} : { urn, called: displayNameOfUrn(urn) }),
    sentence: message,
  }));
  return concluded(plan, {
    about: "drift",
    reasons: [...failures, ...found.map(driftReasonOf)],
    failures,
    changes: found.map(driftChangeOf),
    unanalysed: failures.length > 0 ? ["the refresh did not finish: further differences are not known"] : [],
  });
}

function driftReasonOf(subject: Subject): Reason {
  if (subject.operation === "delete") return reasonFor(subject, "drift", "was deleted outside of Pulumi");
  return reasonFor(subject, "drift", "was changed outside of Pulumi", subject.differences[0]?.path);
}

function undoOfDrift({ operation, drifted }: Subject): Undo {
  if (operation === "delete") return partlyUndone("pulumi up --refresh creates a new one; what was in the old one is lost");
  if (drifted.length > 0) return notUndone(`${drifted.join(", ")}: ${stays}`);
  return undone("pulumi up --refresh changes it back; to keep it, write it into the program");
}

function driftChangeOf(subject: Subject): Change {
  const identity = identityOf(subject);
  return {
    ...identity,
    ...unaffected,
    operation: subject.operation === "delete" ? "delete" : "update",
    verdict: "needs-approval",
    causes: [{ urn: identity.urn, called: identity.called }],
    undo: undoOfDrift(subject),
    properties: propertiesOf(subject, displayNameOfUrn),
  };
}
