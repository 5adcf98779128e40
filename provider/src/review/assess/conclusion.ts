import type { Plan } from "../plan/plan.ts";
import type { Change, Report } from "../report.ts";
import type { Reason, Verdict } from "../verdict.ts";
import { displayNameOfUrn } from "../plan/names.ts";
import { headlineOf, worthOf } from "./headline.ts";
import { createHash } from "node:crypto";
import { isProps } from "../../schema/values.ts";

const nothing = { quotas: [], moves: [], graph: [], findings: [], folded: [], seconds: 0 };
type Parts = Pick<Report, "about" | "reasons" | "failures" | "changes" | "unanalysed"> &
  Partial<Pick<Report, keyof typeof nothing | "cost">>;

/** The report of these parts: with its verdict, and in order. */
export function concluded(plan: Plan, given: Parts): Report {
  const { project, stack, region, subjects } = plan;
  const parts = { ...nothing, ...given };
  const counts = { create: 0, update: 0, replace: 0, delete: 0, adopt: 0, detach: 0, refused: 0 };
  for (const { operation } of parts.changes) counts[operation] += 1;
  const report = {
    version: 1 as const,
    ...(project === undefined ? {} : { project }),
    ...(stack === undefined ? {} : { stack }),
    ...(region === undefined ? {} : { region }),
    ...parts,
    verdict: verdictOf(parts),
    reasons: parts.reasons.toSorted(worstFirst),
    changes: parts.changes.toSorted(byRisk),
    counts: { ...counts, same: subjects.filter(({ operation }) => operation === "same").length },
    warnings: warningsOf(plan),
  };
  return { ...report, headline: headlineOf(report), fingerprint: fingerprintOf(report, plan.isKeyed) };
}

export function verdictOf({
  reasons,
  failures,
  changes,
  findings,
}: Pick<Report, "reasons" | "failures" | "changes" | "findings">): Verdict {
  const failed = findings.filter(({ outcome, before }) => outcome === "fail" && before !== true);
  const risks = [...reasons, ...failures, ...changes.filter(({ verdict }) => verdict !== "safe")];
  return risks.length + changes.length + failed.length === 0 ? "nothing" : worstOf(risks, "safe");
}

export function worstOf(
  reasons: readonly Pick<Reason | Change, "verdict">[],
  least: "safe" | "needs-approval",
): Exclude<Verdict, "nothing"> {
  if (reasons.some(({ verdict }) => verdict === "blocked")) return "blocked";
  return reasons.length > 0 ? "needs-approval" : least;
}

const worstFirst = (one: Reason, other: Reason): number => Number(other.verdict === "blocked") - Number(one.verdict === "blocked");

const urgency = ["refused", "delete", "replace", "update", "create", "adopt", "detach"];
const severity = ["blocked", "needs-approval", "safe"];

/** Deletions, replacements and refusals first, then by verdict; those that cause others before the others, and what is worth most before the rest. */
export function byRisk(one: Change, other: Change): number {
  const ends = ({ operation }: Change) => Number(["refused", "delete", "replace"].includes(operation));
  return (
    ends(other) - ends(one) ||
    severity.indexOf(one.verdict) - severity.indexOf(other.verdict) ||
    urgency.indexOf(one.operation) - urgency.indexOf(other.operation) ||
    other.takesAlong.length - one.takesAlong.length ||
    worthOf(one) - worthOf(other)
  );
}

/** The fate of a change outside of Pulumi that cannot be changed back in place. */
export const stays =
  "changed outside of Pulumi, which only a new resource could take back. pulumi up leaves it: write it into the program, or replace the resource with --target-replace";

function warningsOf({ diagnostics, subjects }: Plan): Report["warnings"] {
  const said = diagnostics
    .filter(({ severity: found }) => found === "warning")
    .map(({ urn, message }) => ({
      ...(urn === undefined ? {} : { urn, called: displayNameOfUrn(urn) }),
      sentence: message,
    }));
  const left = subjects
    .filter(({ drifted }) => drifted.length > 0)
    .map(({ urn, drifted }) => ({ urn, called: displayNameOfUrn(urn), sentence: `${drifted.join(", ")}: ${stays}` }));
  return [...said, ...left];
}

/**
 * A hash of what is approved. Lines of the program are left out, and so are the hashes of secrets if each run has a key of its own: they
 * may differ between runs that would do the same.
 */
function fingerprintOf(
  { about, project, stack, verdict, reasons, changes }: Omit<Report, "fingerprint" | "headline">,
  isKeyed: boolean,
): string {
  // Pulumi plans resources that do not depend on each other in any order.
  const unordered = (list: readonly unknown[]) => list.map((item) => JSON.stringify(inOrder(item, isKeyed))).toSorted();
  const approved = changes.map(({ urn, operation, causes, properties }) => ({ urn, operation, causes: unordered(causes), properties }));
  const text = JSON.stringify([about, project, stack, verdict, unordered(reasons), unordered(approved)]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** A value, in which an object is the list of its keys and values, in the order of the keys. */
function inOrder(value: unknown, isKeyed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, isKeyed));
  if (!isProps(value)) return typeof value === "string" && !isKeyed ? value.replaceAll(/\[secret [0-9a-f]+\]/g, "[secret]") : value;
  const entries: unknown[] = [];
  for (const key of Object.keys(value).toSorted())
    if (value[key] !== undefined && (isKeyed || key !== "digest")) entries.push([key, inOrder(value[key], isKeyed)]);
  return entries;
}
