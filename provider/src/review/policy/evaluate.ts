import { identityOf } from "../../runtime/tokens.ts";
import type { Finding } from "../judge/finding.ts";
import { displayNameOf, type Subject } from "../plan/subject.ts";
import { Part } from "./language/part.ts";
import { fits } from "../plan/pattern.ts";
import type { Rule } from "./language/rule.ts";
import { rules } from "./rules.ts";
import type { Exception, Settings } from "./settings/settings.ts";
import type { Truth } from "./language/truth.ts";

/** The part of a resource that rules check. */
export type Judged = Pick<Subject, "urn" | "kind" | "type" | "name" | "operation" | "inputs">;

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
    const inputs = new Part(subject.inputs);
    const found = among.flatMap((rule) => (isAbout(rule, subject) ? (findingOf(rule, { subject, inputs, settings, today }) ?? []) : []));
    const failed = new Map(found.filter(({ outcome }) => outcome === "fail").map((finding) => [finding.rule, finding]));
    return found.filter(({ rule, outcome }) => outcome !== "fail" || !failed.has(widerThan(rule)));
  });
}

interface CheckContext {
  readonly subject: Judged;
  readonly inputs: Part;
  readonly settings: Settings;
  readonly today: string;
}

function findingOf(rule: Rule, { subject, inputs, settings, today }: CheckContext): Finding | undefined {
  const { enforcement = rule.enforcement, parameters = {} } = settings.rules[rule.id] ?? {};
  if (enforcement === "off") return undefined;
  const { holds, at } = rule.fails(inputs, parameters);
  if (holds === false) return undefined;
  const exceptions = settings.exceptions.filter((one) => one.rule === rule.id && isMeant(one, subject));
  const excepted = holds ? exceptions.find(({ until }) => today <= until) : undefined;
  return {
    rule: rule.id,
    severity: rule.severity,
    enforcement,
    outcome: holds === undefined ? "undetermined" : excepted ? "excepted" : "fail",
    urn: subject.urn,
    ...(at === "" ? {} : { property: at }),
    sentence: [sentenceOf(rule, { holds, at }), ...(excepted ? [holding(excepted)] : holds ? exceptions.map(ended) : [])].join(" "),
    remedy: rule.remedy,
    references: referencesOf(rule),
  };
}

function isAbout({ kinds }: Rule, { kind }: Judged): boolean {
  return kind !== undefined && (kinds === "any" || kinds.includes(kind));
}

function widerThan(id: string): string {
  return rules.find((rule) => rule.id === id)?.within ?? "";
}

function isMeant({ resource }: Exception, subject: Judged): boolean {
  return [displayNameOf(subject), subject.urn, identityOf(subject.urn)].some((text) => fits(resource, text));
}

function sentenceOf({ title, found }: Rule, { holds, at }: Truth): string {
  return holds ? `${at} ${found}.` : `${at} is not known yet, and with it whether this holds: ${title}.`;
}

function holding({ reason, until }: Exception): string {
  return `An exception holds until ${until}: ${reason}`;
}

function ended({ reason, until }: Exception): string {
  return `The exception for it (${reason}) ended on ${until}.`;
}

/** The ids of the same rule in other catalogues: `CIS EKS 1.7.0 5.4.1`, `CKV_TC_7`. */
function referencesOf({ cis = [], checkov = [] }: Pick<Rule, "cis" | "checkov">): string[] {
  return [...cis.map((id) => `CIS ${id}`), ...checkov];
}
