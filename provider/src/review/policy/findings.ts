import type { Finding } from "../finding.ts";
import type { RawViolation } from "../input.ts";
import type { Plan } from "../plan.ts";
import { changedOf } from "../review.ts";
import { evaluate } from "./evaluate.ts";
import { packName } from "./pack-name.ts";
import type { Settings } from "./settings.ts";

/**
 * What rules have against what a plan changes, and what the engine's event log tells of policy packs. What stays as it is, is not
 * held against a change.
 *
 * @param settings none: our own rules judge nothing
 */
export function findingsOf(plan: Plan, settings: Settings | undefined, today: string): Finding[] {
  const ours = settings === undefined ? [] : evaluate(changedOf(plan), settings, today);
  // The same rules as a policy pack would be told twice.
  const theirs = plan.violations.filter(({ policyPackName }) => settings === undefined || policyPackName !== packName);
  return [...ours, ...theirs.map(findingOf)];
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
