import type { Finding } from "../judge/finding.ts";
import type { RawViolation } from "../plan/input.ts";
import type { Plan } from "../plan/plan.ts";
import { changedOf } from "../review.ts";
import type { Subject } from "../plan/subject.ts";
import { evaluate } from "./evaluate.ts";
import { packName } from "./pack-name.ts";
import type { Settings } from "./settings.ts";

/**
 * What rules have against what a plan changes, and what the engine's event log tells of policy packs. What stays as it is, is not
 * held against a change; and what was so before stops nobody who changes something else of the same resource.
 *
 * @param settings none: our own rules judge nothing
 */
export function findingsOf(plan: Plan, settings: Settings | undefined, today: string): Finding[] {
  const changed = changedOf(plan);
  const ours = settings === undefined ? [] : evaluate(changed, settings, today).map(knownFrom(changed, settings, today));
  // The same rules as a policy pack would be told twice.
  const theirs = plan.violations.filter(({ policyPackName }) => settings === undefined || policyPackName !== packName);
  return [...ours, ...theirs.map(findingOf)];
}

/** Tells of a finding that it was so before. */
function knownFrom(changed: readonly Subject[], settings: Settings, today: string): (finding: Finding) => Finding {
  const before = changed.flatMap((subject) => (subject.before ? [{ ...subject, inputs: subject.before }] : []));
  const keyOf = ({ rule, urn, property }: Finding) => [rule, urn, property].join(" ");
  const old = new Set(evaluate(before, settings, today).flatMap((finding) => (finding.outcome === "fail" ? [keyOf(finding)] : [])));
  return (finding) =>
    finding.outcome === "fail" && old.has(keyOf(finding)) ? { ...finding, enforcement: "advise", before: true } : finding;
}

const levels: Readonly<Record<string, Finding["enforcement"]>> = { mandatory: "block", remediate: "block" };
const severities = ["low", "medium", "high", "critical"] as const;

function findingOf({ policyPackName, policyName, resourceUrn, message, enforcementLevel, severity }: RawViolation): Finding {
  return {
    rule: `${policyPackName}/${policyName}`,
    severity: severities.find((one) => one === severity) ?? "medium",
    enforcement: levels[enforcementLevel] ?? "advise",
    // Pulumi's words for a policy that asked for what is not known yet.
    outcome: /^can't run policy .* during preview: /m.test(message) ? "undetermined" : "fail",
    urn: resourceUrn ?? "",
    sentence: message.trim(),
  };
}
