import { type Coded, parse } from "../../definition/codes.ts";
import type { Finding } from "../verdict.ts";
import type { RawViolation } from "../plan/engine-output.ts";
import type { Plan } from "../plan/plan.ts";
import { changedOf } from "../plan/properties.ts";
import { displayNameOf } from "../plan/names.ts";
import { fits, type Subject } from "../plan/subject.ts";
import type { Exception, Settings } from "./settings.ts";
import { identityOf } from "../../runtime/tokens.ts";
import { Part, type Rule } from "./language/rule.ts";
import { rules } from "./rules.ts";

/**
 * The findings of the rules about the resources that a plan changes, and those of policy packs in the engine's event log. Resources that
 * do not change are not checked. A finding from before the change only advises, so that it does not stop other changes of the resource.
 *
 * @param settings if there are none, this package's own rules are not checked
 */
export function findingsOf(plan: Plan, settings: Settings | undefined, today: string): Finding[] {
  const warnings = Map.groupBy(
    plan.diagnostics.filter(({ severity }) => severity === "warning"),
    ({ urn }) => urn,
  );
  const warned = (urn: string): readonly Coded[] => (warnings.get(urn) ?? []).flatMap(({ message }) => parse(message) ?? []);
  const changed = changedOf(plan.subjects).map((subject) => ({ ...subject, warned: warned(subject.urn) }));
  const own = settings === undefined ? [] : evaluate(changed, settings, today).map(markingOld(changed, settings, today));
  // If these rules also run as a policy pack, their findings would be reported twice.
  const others = plan.violations.filter(({ policyPackName }) => settings === undefined || policyPackName !== packName);
  return [...own, ...others.map(findingOfViolation)];
}

/** Marks findings that were already there before the change. */
function markingOld(changed: readonly Subject[], settings: Settings, today: string): (finding: Finding) => Finding {
  const before = changed.flatMap((subject) => (subject.before ? [{ ...subject, inputs: subject.before, warned: [] }] : []));
  const keyOf = ({ rule, urn, property }: Finding) => [rule, urn, property].join(" ");
  const old = new Set(evaluate(before, settings, today).flatMap((finding) => (finding.outcome === "fail" ? [keyOf(finding)] : [])));
  return (finding) =>
    finding.outcome === "fail" && old.has(keyOf(finding)) ? { ...finding, enforcement: "advise", before: true } : finding;
}

const levels: Readonly<Record<string, Finding["enforcement"]>> = { mandatory: "block", remediate: "block" };
const severities = ["low", "medium", "high", "critical"] as const;

function findingOfViolation({ policyPackName, policyName, resourceUrn, message, enforcementLevel, severity }: RawViolation): Finding {
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

/** The part of a resource that rules check. */
export interface Judged extends Pick<Subject, "urn" | "kind" | "type" | "name" | "operation" | "inputs"> {
  /** The provider's warnings about it. A policy pack does not see them. */
  readonly warned?: readonly Coded[];
}

/**
 * Checks desired resources. Returns the rules that are broken, and those that cannot be decided yet. Resources that are deleted are not
 * checked, and rules that are off check nothing.
 *
 * @param today such as `2026-01-31`: an exception holds until the end of its last day
 * @param among the rules to check; all by default
 */
export function evaluate(subjects: readonly Judged[], settings: Settings, today: string, among = rules): Finding[] {
  return subjects.flatMap((subject) => {
    if (subject.operation === "delete" || subject.operation === "read") return [];
    const inputs = new Part(subject.inputs, "", subject.warned);
    const found = among.flatMap((rule) => (isAbout(rule, subject) ? (findingOf(rule, subject, inputs, settings, today) ?? []) : []));
    const failed = new Set(found.filter(({ outcome }) => outcome === "fail").map(({ rule }) => rule));
    const widerThan = (id: string) => rules.find((rule) => rule.id === id)?.within ?? "";
    return found.filter(({ rule, outcome }) => outcome !== "fail" || !failed.has(widerThan(rule)));
  });
}

function findingOf(rule: Rule, subject: Judged, inputs: Part, settings: Settings, today: string): Finding | undefined {
  const { enforcement = rule.enforcement, parameters = {} } = settings.rules[rule.id] ?? {};
  if (enforcement === "off") return undefined;
  const { holds, at } = rule.fails(inputs, parameters);
  if (holds === false) return undefined;
  const exceptions = settings.exceptions.filter((one) => one.rule === rule.id && isMeant(one, subject));
  const excepted = holds ? exceptions.find(({ until }) => today <= until) : undefined;
  const { reason = "", until = "" } = excepted ?? {};
  const ended = exceptions.map((one) => `The exception for it (${one.reason}) ended on ${one.until}.`);
  return {
    rule: rule.id,
    severity: rule.severity,
    enforcement,
    outcome: holds === undefined ? "undetermined" : excepted ? "excepted" : "fail",
    urn: subject.urn,
    ...(at === "" ? {} : { property: at }),
    sentence: [
      holds ? `${at} ${rule.found}.` : `${at} is not known yet, and with it whether this holds: ${rule.title}.`,
      ...(excepted ? [`An exception holds until ${until}: ${reason}`] : holds ? ended : []),
    ].join(" "),
    remedy: rule.remedy,
    references: [...(rule.cis ?? []).map((id) => `CIS ${id}`), ...(rule.checkov ?? [])],
  };
}

function isAbout({ kinds }: Rule, { kind }: Judged): boolean {
  return kind !== undefined && (kinds === "any" || kinds.includes(kind));
}

function isMeant({ resource }: Exception, subject: Judged): boolean {
  return [displayNameOf(subject), subject.urn, identityOf(subject.urn)].some((text) => fits(resource, text));
}

/** The name of these rules as a policy pack. */
export const packName = "container-platform";
