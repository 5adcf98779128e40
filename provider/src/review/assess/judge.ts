import { sayOutliving } from "../../definition/outliving.ts";
import { type KindName, reviewed } from "../../resources/reviews.ts";
import { type Definition, effectOf } from "../plan/definition.ts";
import { definitions } from "../plan/definitions.ts";
import { topOf } from "../plan/graph.ts";
import { hidden, type IsThere, type Judgement, judgementsOn, listed, notUndone, partlyUndone, undone, unknownEnding } from "./reviewed.ts";
import type { Cause } from "../report.ts";
import type { OtherProviders } from "../policy/settings.ts";
import type { Reason, Undo } from "../verdict.ts";
import { displayNameOf, displayNameOfUrn } from "../plan/names.ts";
import { fits, isKept, type Subject } from "../plan/subject.ts";
import { typeOf } from "../plan/engine-output.ts";
import { kindOf } from "../plan/plan.ts";
import { holdsHidden, holdsUnknown, Unknown } from "../plan/values.ts";

export interface Opinion {
  readonly reasons: readonly Reason[];
  readonly unreachable: readonly string[];
  readonly undo: Undo;
  readonly notes: readonly string[];
}

const simple = undone("changing it back undoes it");
const deletable = undone("it can be deleted again");

/** The causes of a change, and the dependents that are replaced or deleted because of it. */
interface Reach {
  readonly cascade: readonly Subject[];
  readonly causes: readonly Cause[];
  /** Whether a deletion or a replacement that causes this one says so. */
  readonly isTold: boolean;
  /** Whether the same run makes a resource. */
  readonly isMade: (urn: string) => boolean;
  readonly foreign: OtherProviders;
}

export function opinionOf(subject: Subject, reach: Reach): Opinion {
  const own = ownOpinionOf(subject, reach);
  return { ...own, reasons: [...unguardedBy(subject), ...own.reasons] };
}

function opinion(undo: Undo, reasons: readonly Reason[], notes: readonly string[] = []): Opinion {
  return { reasons, unreachable: [], undo, notes };
}

export function reasonFor(
  { urn, ...subject }: Pick<Subject, "urn" | "type" | "name">,
  code: Reason["code"],
  sentence: string,
  property?: string,
  verdict: Reason["verdict"] = "needs-approval",
): Reason {
  return { code, verdict, urn, called: displayNameOf(subject), ...(property === undefined ? {} : { property }), sentence };
}

function ownOpinionOf(subject: Subject, reach: Reach): Opinion {
  if (subject.operation === "unknown") return notKnown(subject);
  if (subject.type.startsWith("pulumi:providers:")) return opinionOfProvider(subject);
  const isEnding = subject.operation === "delete" || subject.operation === "replace";
  if (subject.kind === undefined && !isEnding) return opinionOnForeign(subject, reach.foreign);
  switch (subject.operation) {
    case "update":
      return opinionOfUpdate(subject);
    case "delete":
    case "replace":
      return opinionOfEnding(subject, reach);
    case "adopt":
      return opinionOfImport(subject, reach);
    default:
      return opinion(deletable, firstAccess(subject, reach));
  }
}

/** An import makes what is there as the program says. */
function opinionOfImport(subject: Subject, reach: Reach): Opinion {
  const { importChanges, inputs } = subject;
  const open = Object.keys(inputs).filter((key) => holdsUnknown(inputs[key]));
  const changes = [
    ...importChanges,
    ...(open.length > 0 ? [`${listed(open)}: whether it becomes something else is known only after apply`] : []),
  ];
  const imported = "pulumi state delete removes it from the stack again, and leaves it as it is";
  const notes = ["imports an existing resource: from now on, up changes it and destroy deletes it"];
  if (changes.length === 0) return opinion(undone(imported), [], notes);
  const changing = reasonFor(subject, "undecided", `the import changes what is there: ${changes.join("; ")}`);
  return opinion(partlyUndone(`${imported}; what the import has changed stays`), [changing, ...firstAccess(subject, reach)], notes);
}

/** What the engine is to do is not known to this reviewer, so nothing of it may pass. */
function notKnown(subject: Subject): Opinion {
  const sentence = `the engine is to carry out ${subject.ops.map((op) => JSON.stringify(op)).join(", ")}, which this reviewer does not know`;
  return opinion(notUndone("what undoes it is not known here"), [reasonFor(subject, "undecided", sentence, undefined, "blocked")]);
}

/** A provider that is configured otherwise, such as for another account or region: all of its resources are managed through it. */
function opinionOfProvider(subject: Subject): Opinion {
  const changed = [...new Set(subject.differences.map(({ path }) => path))];
  const what = changed.length > 0 ? ` (${changed.join(", ")})` : "";
  const sentence = `the provider is configured otherwise${what}: from now on, its resources are looked for, changed and deleted there`;
  const undo = partlyUndone("configuring it as before undoes it, unless something was changed meanwhile");
  return opinion(undo, [reasonFor(subject, "undecided", sentence, changed[0])]);
}

/** Pulumi's options that the program takes away, and without which the next run may delete the resource. */
function unguardedBy(subject: Subject): Reason[] {
  const isGuarded = protectingInput(subject) !== undefined;
  return subject.unguarded.flatMap((guard): Reason[] => {
    // The input sets Pulumi's option, too, and is judged itself.
    if (guard === "protect" && isGuarded) return [];
    const sentence =
      guard === "protect"
        ? "Pulumi's option protect is taken away: from now on, up and destroy can delete it"
        : "Pulumi's option retainOnDelete is taken away: from now on, it is deleted when the program does not have it any more";
    return [reasonFor(subject, "safeguard-weakened", sentence)];
  });
}

function opinionOfUpdate(subject: Subject): Opinion {
  const { kind, inputs, before = {} } = subject;
  const changed = [...new Set(subject.differences.map(({ path }) => topOf(path)))];
  const judgements = changed.flatMap((input): [string, Judgement][] => {
    if (kind === undefined || staysTheSame(kind, input, subject)) return [];
    const change = { before: before[input], after: inputs[input], old: before, live: subject.live };
    return judgementsOn(reviewed(kind).changes[input], change).map((one) => [input, one]);
  });
  const undos = judgements.flatMap(([, { undo }]) => undo ?? []);
  return {
    reasons: judgements.flatMap(([property, { code, sentence }]) =>
      code === undefined ? [] : [reasonFor(subject, code, sentence, property)],
    ),
    unreachable: judgements.flatMap(([, { unreachable }]) => unreachable ?? []),
    undo: undos.find(({ possible }) => possible === "no") ?? undos.find(({ possible }) => possible === "partly") ?? undos[0] ?? simple,
    notes: judgements.flatMap(([, { code, sentence }]) => (code === undefined ? [sentence] : [])),
  };
}

/** Whether a difference of an input is none on the platform: it only determines an order, or the engine sees the same value, otherwise spelt. */
function staysTheSame(kind: KindName, input: string, { paths }: Subject): boolean {
  const effect = effectOf(definitions[kind], input);
  // An engine that does not say what differs says nothing of what is the same, either.
  return effect === "order-only" || (effect === "replace" && paths.length > 0 && !paths.map(topOf).includes(input));
}

function opinionOfEnding(subject: Subject, reach: Reach): Opinion {
  const { cascade, causes, isTold, foreign } = reach;
  const ending = subject.kind ? reviewed(subject.kind).ending : unknownEnding;
  if (isKept(subject)) return opinionOfKept(subject);
  const replaced = subject.operation === "replace";
  let openings = replaced ? openedBy(subject, reach) : [];
  const special = subject.kind && replaced ? reviewed(subject.kind).replacement?.(subject) : undefined;
  if (special) {
    const { property, undo, ends = false, code, sentence } = special;
    const own = reasonFor(subject, code, sentence, property);
    if (!ends) return opinion(undo, [own]);
    openings = [own, ...openings.filter((one) => one.property !== property)];
  }
  const loses = ending.loses?.(subject);
  const isCause = causes.some(({ urn }) => urn === subject.urn);
  const from = isCause
    ? subject.replaceKeys
    : causes.map(({ called, property }) => (property === undefined ? called : `${called}.${property}`));
  const [property] = subject.replaceKeys;
  const sentence = [
    `is ${replaced ? "replaced" : "deleted"}`,
    from.length > 0 && !(isCause && from.length === 1) ? ` because of ${from.slice(0, 5).join(", ")}` : "",
    isCause && cascade.length > 0 ? `, together with ${cascade.length} dependent resource${cascade.length === 1 ? "" : "s"}` : "",
    loses === undefined ? "" : `. Lost with it: ${loses}`,
  ].join("");
  const end = reasonFor(subject, replaced ? "replaces" : "deletes", sentence, replaced && isCause ? property : undefined);
  return {
    reasons: [...guarded(subject, cascade), ...(isTrusted(subject, foreign) || (isTold && loses === undefined) ? [] : [end]), ...openings],
    unreachable: ending.unreachable(subject),
    undo: ending.undo,
    notes: [
      ...(ending.outliving?.(subject.before ?? {}) ?? []).map(sayOutliving),
      ...(replaced || ending.refused === undefined ? [] : [ending.refused]),
    ],
  };
}

/** It is taken out of the program, and stays on the platform. */
function opinionOfKept(subject: Subject): Opinion {
  // The engine refuses it all the same.
  return opinion(undone("it can be imported again"), subject.protect ? guarded(subject, []) : [], [whyKept(subject)]);
}

function whyKept({ takenOverBy, retained, leftWith }: Subject): string {
  if (takenOverBy !== undefined) return `it stays on the platform: ${displayNameOfUrn(takenOverBy)} takes it over`;
  const option =
    retained || leftWith === undefined ? "retainOnDelete" : `deletedWith ${displayNameOfUrn(leftWith)}, with which it does not go`;
  return `it stays on the platform, and is no longer managed (${option})`;
}

/** The reason why the engine or the platform refuses to delete the resource, if it is protected. `cascade`: those that end with it. */
function guarded(subject: Subject, cascade: readonly Subject[]): Reason[] {
  // The input also sets Pulumi's option, and lifts it again.
  const input = protectingInput(subject);
  const guard = input ?? (subject.protect ? "Pulumi's option protect" : undefined);
  if (guard === undefined) return [];
  const remedy = input === undefined ? "Take the option out and run pulumi up" : `Set ${input} to false and run pulumi up`;
  const done = subject.operation === "delete" ? "deleted" : "replaced";
  const gone = cascade.filter(({ operation }) => operation === "delete").map(displayNameOf);
  const early = gone.length > 0 ? `. That update already deletes what the program leaves out then: ${listed(gone)}` : "";
  const sentence = `cannot be ${done}: ${guard} is on. ${remedy} first, if that is meant${early}`;
  return [reasonFor(subject, "protected", sentence, input, "blocked")];
}

/** The input that forbids the deletion of the resource now. */
function protectingInput({ kind, before }: Subject): string | undefined {
  const definition: Definition | undefined = kind && definitions[kind];
  const input = definition?.protectedBy;
  return input !== undefined && before?.[input] === true ? input : undefined;
}

/** Access that a replacement opens besides: by inputs that could change in place as well, and by those that replace it. */
function openedBy(subject: Subject, reach: Reach): Reason[] {
  const { reasons } = opinionOfUpdate(subject);
  const opens = subject.kind && reviewed(subject.kind).opens;
  const wasOpen = opens?.opening(subject.before ?? {}, isThereBeside(reach)) !== undefined;
  const found = reasons.filter(({ code }) => code === "access-opened" || code === "safeguard-weakened");
  return [
    ...found,
    ...(wasOpen ? [] : firstAccess(subject, reach).filter(({ property }) => !found.some((one) => one.property === property))),
  ];
}

/** An id that is hidden, or comes also from what is there, is taken for one of that: the worse of the two. */
function isThereBeside({ isMade }: Reach): IsThere {
  return (id) => id !== undefined && !(id instanceof Unknown && id.from.every((urn) => kindOf(typeOf(urn)) === undefined || isMade(urn)));
}

/** The reason for a new resource that opens access. */
function firstAccess(subject: Subject, reach: Reach): Reason[] {
  const opens = subject.kind && reviewed(subject.kind).opens;
  if (!opens) return [];
  const opening = opens.opening(subject.inputs, isThereBeside(reach));
  if (opening) {
    const { property, code = "access-opened", sentence } = opening;
    return [reasonFor(subject, code, sentence, property)];
  }
  return Object.entries(opens.decidedBy(subject.inputs)).flatMap(([property, value]) =>
    holdsHidden(value) ? [reasonFor(subject, "undecided", hidden("whether it lets somebody in", value), property)] : [],
  );
}

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

const unjudged = notUndone("not judged: it is another provider's resource, and what undoes this is not known here");

/** The opinion on what is made, changed or imported by another provider: none, as far as it is not dangerous by its type. */
function opinionOnForeign(subject: Subject, settings: OtherProviders): Opinion {
  const { type, operation } = subject;
  // The name of the provider's package says nothing of one of its types.
  const name = type.slice(type.indexOf(":") + 1);
  const needsApproval =
    !isAmong(type, settings.trusted) && (dangerous.some((form) => form.test(name)) || isAmong(type, settings.needApproval));
  const done = operation === "create" ? "created" : operation === "adopt" ? "imported" : "changed";
  const sentence = `is ${done}, and what that means is not judged here: it is another provider's (${type})`;
  const undo = operation === "create" ? deletable : unjudged;
  return needsApproval
    ? opinion(undo, [reasonFor(subject, "undecided", sentence)])
    : opinion(undo, [], ["not judged: another provider's resource"]);
}

/** Whether the settings let everything pass of a type. */
export function isTrusted({ type, kind }: Subject, { trusted }: OtherProviders): boolean {
  return kind === undefined && isAmong(type, trusted);
}

function isAmong(type: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(pattern, type));
}
