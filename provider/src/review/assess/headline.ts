import type { Change, Cost, Report } from "../report.ts";
import type { Reason } from "../verdict.ts";
import { type KindName, kinds, reviewed } from "../../resources/reviews.ts";

type Told = Pick<Report, "about" | "verdict" | "reasons" | "changes" | "seconds" | "cost">;

/** One sentence that says the worst first. */
export function headlineOf(told: Told): string {
  if (told.verdict === "nothing") return "Nothing changes";
  const parts = told.about === "drift" ? ofDrift(told) : ofPreview(told);
  const sentence = parts.filter((part) => part !== "").join("; ");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function ofDrift({ reasons, changes }: Told): string[] {
  const gone = changes.filter(({ operation }) => operation === "delete").length;
  const changed = changes.length - gone;
  const parts = [
    ...(gone > 0 ? [`${counted(gone, "resource")} deleted`] : []),
    ...(changed > 0 ? [`${counted(changed, "resource")} changed`] : []),
  ];
  return [...hindrances(reasons, "refresh"), ...(parts.length > 0 ? [`${enumerated(parts)} outside of Pulumi`] : [])];
}

function ofPreview({ reasons, changes, seconds, verdict, cost }: Told): string[] {
  const ended = changes.filter(({ operation }) => operation === "replace" || operation === "delete");
  const did = changes.filter(({ operation }) => operation !== "refused");
  const hindered = hindrances(reasons, "preview");
  const mood = hindered.length > 0 ? would : does;
  const destroyed = endings(ended, mood);
  const risks = [...destroyed, ...effects(reasons, destroyed.length > 0, mood)];
  const isFailed = reasons.some(({ code }) => code === "failed");
  return [
    ...hindered,
    ...(risks.length > 0 ? risks : plainly(did, mood)),
    ...(verdict === "safe" ? [harmless(did)] : undoOf(did)),
    ...(seconds > 0 && !isFailed ? [durationOf(seconds)] : []),
    ...(cost && !isFailed ? costOf(cost) : []),
  ];
}

/** What other providers do is not judged: of that, nothing is claimed. */
function harmless(did: readonly Change[]): string {
  return did.every(({ kind }) => kind !== undefined)
    ? "nothing is lost, interrupted or opened"
    : "nothing of this platform is lost, interrupted or opened; other providers' resources are not judged";
}

/** Only where no price is missing: a part of it could be the opposite of the whole. */
function costOf({ difference, currency, missing }: Cost): string[] {
  if (difference === 0 || missing.length > 0) return [];
  return [`${Math.abs(difference).toLocaleString("en-US")} ${currency} ${difference > 0 ? "more" : "less"} a month`];
}

/** How a verb is written, given with and without the ending of the third person: `destroy`, `destroys`. */
type Mood = (verb: string, third: string) => string;
const would: Mood = (verb) => `would ${verb}`;
const does: Mood = (_, third) => third;

/** Why it cannot be carried out. */
function hindrances(reasons: readonly Reason[], what: "preview" | "refresh"): string[] {
  const blocking = reasons.filter(({ verdict }) => verdict === "blocked");
  const of = (code: Reason["code"]) => blocking.filter((reason) => reason.code === code);
  return [
    at(of("failed"), (where) => `the ${what} failed${where === "" ? "" : ` at ${where}`}`),
    at(of("collides"), (where) => `would fail in the middle, at ${where}`),
    at(of("protected"), (where) => `cannot be carried out, because of the protection of ${where}`),
    at(of("undecided"), (where) => `does what this reviewer does not know, at ${where}`),
    at(of("quota"), () => "exceeds a quota"),
    at(of("policy"), (where) => `breaks a policy that blocks${where === "" ? "" : `, at ${where}`}`),
  ].filter((part) => part !== "");
}

/** What is destroyed, the most valuable first. */
function endings(ended: readonly Change[], mood: Mood): string[] {
  const said = (["delete", "replace"] as const).flatMap((operation) => {
    const groups = grouped(ended.filter((change) => change.operation === operation));
    const [first] = groups;
    const verb = operation === "delete" ? mood("destroy", "destroys") : mood("destroy and recreate", "destroys and recreates");
    return first ? [{ worth: first.worth, sentence: `${verb} ${these(groups)}` }] : [];
  });
  return said.toSorted((one, other) => one.worth - other.worth).map(({ sentence }) => sentence);
}

interface Group {
  readonly noun: string;
  readonly worth: number;
  readonly changes: readonly Change[];
}

function grouped(changes: readonly Change[]): Group[] {
  const byNoun = Map.groupBy(changes, (change) => nounOf(change.type));
  return [...byNoun]
    .map(([noun, found]) => ({ noun, worth: Math.min(...found.slice(0, 1).map(worthOf)), changes: found }))
    .toSorted((one, other) => one.worth - other.worth || one.changes.length - other.changes.length);
}

/** `1 cluster with 2 node pools and 9 more resources`. */
function these([first, ...others]: readonly Group[]): string {
  if (!first) return "";
  const along = new Set(first.changes.flatMap(({ takesAlong }) => takesAlong));
  const isAlong = ({ changes }: Group) => changes.every(({ urn }) => along.has(urn));
  const [second] = others.toSorted((one, other) => one.worth - other.worth || Number(isAlong(other)) - Number(isAlong(one)));
  const rest = others.reduce((sum, { changes }) => sum + changes.length, 0) - (second?.changes.length ?? 0);
  const more = rest > 0 ? [counted(rest, "more resource")] : [];
  const name = ({ changes, noun }: Group) => counted(changes.length, noun);
  if (!second) return name(first);
  return isAlong(second) ? enumerated([`${name(first)} with ${name(second)}`, ...more]) : enumerated([name(first), name(second), ...more]);
}

/** What needs approval besides: code, verb, words after it; `lesser` is told only where nothing is destroyed. */
const phrases: readonly (readonly [code: Reason["code"], verb: string, third: string, object: string, lesser?: "lesser"])[] = [
  ["access-opened", "open", "opens", "access at"],
  ["safeguard-weakened", "take", "takes", "a safeguard away from"],
  ["interrupts", "interrupt", "interrupts", "", "lesser"],
  ["access-narrowed", "close", "closes", "access at", "lesser"],
  ["access-changed", "change", "changes", "who has access at", "lesser"],
  ["irreversible", "change", "changes", "", "lesser"],
  ["policy", "break", "breaks", "a policy at", "lesser"],
  ["undecided", "do", "does", "what cannot be judged yet, at", "lesser"],
];

function effects(reasons: readonly Reason[], isDestroying: boolean, mood: Mood): string[] {
  return phrases.flatMap(([code, verb, third, object, lesser]) => {
    const found = reasons.filter((reason) => reason.code === code && reason.verdict === "needs-approval");
    if (found.length === 0 || (isDestroying && lesser !== undefined)) return [];
    return at(found, (where) => [mood(verb, third), object, where || "the stack"].filter((part) => part !== "").join(" "));
  });
}

/** A phrase with the resource that reasons are about, or how many there are; empty if there is no reason. */
function at(reasons: readonly Reason[], phrase: (where: string) => string): string {
  if (reasons.length === 0) return "";
  const called = [...new Set(reasons.flatMap((reason) => reason.called ?? []))];
  return phrase(called.length > 1 ? counted(called.length, "resource") : (called[0] ?? ""));
}

/** What is done, where nothing of it is a risk. */
function plainly(changes: readonly Change[], mood: Mood): string[] {
  const verbs = [
    ["detach", "stop managing", "stops managing"],
    ["update", "change", "changes"],
    ["create", "create", "creates"],
    ["adopt", "import", "imports"],
  ] as const;
  const parts = verbs.flatMap(([done, verb, third]) => {
    const count = changes.filter(({ operation }) => operation === done).length;
    return count === 0 ? [] : [`${mood(verb, third)} ${counted(count, "resource")}`];
  });
  return parts.length === 0 ? [] : [enumerated(parts)];
}

function undoOf(changes: readonly Change[]): string[] {
  if (changes.some(({ undo }) => undo.possible === "no")) return ["cannot be undone"];
  if (changes.some(({ undo }) => undo.possible === "partly")) return ["can be undone only in part"];
  return changes.length > 0 ? ["can be undone"] : [];
}

/** Names of kinds that are not their own words. */
const nouns: Partial<Readonly<Record<KindName, string>>> = { Vpc: "VPC", Ipv6Block: "IPv6 block", RegistryInstance: "registry" };

/** What a resource is called in a sentence: `node pool`. */
function nounOf(type: string): string {
  const last = type.slice(type.lastIndexOf(":") + 1);
  const kind = kinds.find((one) => one === last);
  return (kind && nouns[kind]) ?? last.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ").toLowerCase();
}

/** `1 node pool`, `2 registries`. */
function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
  return `${count.toLocaleString("en-US")} ${plural}`;
}

/** A list as in a sentence: `a, b and c`. */
function enumerated(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1) ?? ""}`;
}

export function durationOf(seconds: number): string {
  if (seconds < 50) return "less than a minute";
  return `about ${counted(Math.max(1, Math.round(seconds / 60)), "minute")}`;
}

/** Clusters and registries, whose loss matters most, first. */
export function byValue(one: { readonly kind?: KindName | undefined }, other: { readonly kind?: KindName | undefined }): number {
  return Number(isValuable(other)) - Number(isValuable(one));
}

function isValuable({ kind }: { readonly kind?: KindName | undefined }): boolean {
  return kind === "Cluster" || kind === "RegistryInstance";
}

/** The lower, the more is lost: what holds workloads or images, what holds other data, what this reviewer does not know, and the rest. */
export function worthOf({ kind }: { readonly kind?: KindName | undefined }): number {
  if (isValuable({ kind })) return 0;
  if (kind === undefined) return 2;
  return reviewed(kind).ending.loses === undefined ? 3 : 1;
}
