import type { Reason, Undo } from "../verdict.ts";
import type { Subject } from "../plan/subject.ts";
import { fits } from "../plan/pattern.ts";

/** What the settings say of resources of other providers. Patterns of types: `aws:s3/*`; `*` stands for any text. */
export interface ForeignSettings {
  /** Besides those below, types whose creation and change need approval. */
  readonly needApproval: readonly string[];
  /** Types of which nothing needs approval. */
  readonly trusted: readonly string[];
}

export const noForeignSettings: ForeignSettings = { needApproval: [], trusted: [] };

/**
 * Types whose creation or change may open something, lose data, or run something, whatever the provider: who may do what, who is let
 * in, where names lead, keys and secrets, what stores data, and commands.
 */
const dangerous = [
  /(?:^|[^a-z])iam|identity|polic(?:y|ies)|role|permission|grant|binding|principal|account|user|member/i,
  /security|firewall|acl|ingress|gateway|loadbalancer|listener|public|endpoint|peering|vpn|route|cors|waf/i,
  /dns|record|domain|certificate/i,
  /secret|key|token|password|credential|kms|vault/i,
  /database|sql|rds|dynamo|cache|redis|mongo|elastic|bucket|disk|volume|snapshot|backup|storage|filesystem|cluster/i,
  /command|script|exec|webhook|helm|manifest|configfile|kustomize|dynamic|function|lambda|container|deployment|statefulset|daemonset|job|task|service|instance|machine|repository|collaborator|invit|membership|team|tunnel|distribution/i,
];

const unjudged: Undo = {
  possible: "no",
  sentence: "not judged: it is another provider's resource, and what undoes this is not known here",
};

/** The opinion on what is made, changed or imported by another provider: none, as far as it is not dangerous by its type. */
export function opinionOnForeign(subject: Subject, place: Pick<Reason, "urn" | "called" | "property">, settings: ForeignSettings) {
  const { type, operation } = subject;
  const needsApproval =
    !isAmong(type, settings.trusted) && (dangerous.some((form) => form.test(nameOf(type))) || isAmong(type, settings.needApproval));
  const done = operation === "create" ? "created" : operation === "adopt" ? "imported" : "changed";
  const sentence = `is ${done}, and what that means is not judged here: it is another provider's (${type})`;
  return {
    reasons: needsApproval ? [{ ...place, code: "undecided", verdict: "needs-approval", sentence } as const] : [],
    unreachable: [],
    undo: operation === "create" ? ({ possible: "yes", sentence: "it can be deleted again" } as const) : unjudged,
    notes: needsApproval ? [] : ["not judged: another provider's resource"],
  };
}

/** Whether the settings let everything pass of a type. */
export function isTrusted({ type, kind }: Subject, { trusted }: ForeignSettings): boolean {
  return kind === undefined && isAmong(type, trusted);
}

/** Without the name of the provider's package, which says nothing of one of its types. */
function nameOf(type: string): string {
  return type.split(":").slice(1).join(":");
}

function isAmong(type: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(pattern, type));
}
