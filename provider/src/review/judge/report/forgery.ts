import { isDeepStrictEqual } from "node:util";
import type { Report } from "../../report.ts";
import { countsOf, verdictOf } from "./conclusion.ts";
import { isReason, sentenceOf } from "../finding.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { headlineOf } from "./headline.ts";

/**
 * Why a report that was saved cannot be one that this reviewer has written, if it cannot: what it says of the whole does not follow from its
 * parts. Whoever writes all of it anew is not found out.
 */
export function forgeryIn(report: Report): string | undefined {
  const { verdict, reasons, changes, failures, findings, counts } = report;
  const worst = verdictOf(report);
  if (verdict !== worst) return `its verdict is ${verdict}, and the worst of its reasons and changes is ${worst}`;
  const ended = changes.find(({ kind, operation, verdict: own }) => kind && /^(?:delete|replace)$/.test(operation) && own === "safe");
  if (ended) return `it says that a deletion or a replacement is safe, of ${ended.called}`;
  const missing = failures.find(({ sentence }) => !reasons.some((reason) => reason.sentence === sentence));
  if (missing) return `it has a failure that is not among its reasons: ${missing.sentence}`;
  const unsaid = findings.find((finding) => isReason(finding) && !reasons.some(({ sentence }) => sentence === sentenceOf(finding)));
  if (unsaid) return `it has a finding that is not among its reasons: ${unsaid.rule}`;
  if (!isDeepStrictEqual({ ...counts, same: 0 }, { ...countsOf(changes), same: 0 })) return "it does not count the changes that it has";
  if (report.headline !== headlineOf(report)) return "its headline is not that of what it has";
  // Whether there was a key, it does not say.
  const prints = [true, false].map((isKeyed) => fingerprintOf(report, isKeyed));
  return prints.includes(report.fingerprint) ? undefined : "its fingerprint is not that of what it has";
}
