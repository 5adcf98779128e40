import type { Finding } from "../judge/finding.ts";
import type { RawViolation } from "../plan/engine-output.ts";
import type { Plan } from "../plan/plan.ts";
import { changedOf } from "../review.ts";
import type { Subject } from "../plan/subject.ts";
import { evaluate } from "./evaluate.ts";
import { packName } from "./pack-name.ts";
import type { Settings } from "./settings/settings.ts";

/**
 * The findings of the rules about the resources that a plan changes, and those of policy packs in the engine's event log. Resources that
 * do not change are not checked. A finding from before the change only advises, so that it does not stop other changes of the resource.
 *
 * @param settings if there are none, this package's own rules are not checked
 */
export function findingsOf(plan: Plan, settings: Settings | undefined, today: string): Finding[] {
  const changed = changedOf(plan);
  const own = settings === undefined ? [] : evaluate(changed, settings, today).map(markingOld(changed, settings, today));
  // If these rules also run as a policy pack, their findings would be reported twice.
  const others = plan.violations.filter(({ policyPackName }) => settings === undefined || policyPackName !== packName);
  return [...own, ...others.map(findingOf)];
}

/** Marks findings that were already there before the change. */
function markingOld(changed: readonly Subject[], settings: Settings, today: string): (finding: Finding) => Finding {
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
    // Pulumi's message if a policy has read a value that is not known yet.
    outcome: /^can't run policy .* during preview: /m.test(message) ? "undetermined" : "fail",
    urn: resourceUrn ?? "",
    sentence: message.trim(),
  };
}
