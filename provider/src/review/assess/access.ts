import { isDeepStrictEqual } from "node:util";
import { Addresses, areEveryone, canonicalRange, ruleRange } from "@container-platform/sdk";
import { isPrivate, rangeOf } from "../plan/addresses.ts";
import { alike, type Fields, holdsUnknown, isFields, isList, isText, type Value, without } from "../plan/values.ts";
import { acceptedBy, gre, letsIn, tcp, udp } from "../policy/language/openings.ts";
import { Part } from "../policy/language/rule.ts";
import { type ArgumentRule, argumentsGiven } from "../policy/language/arguments.ts";
import { type AccessChange, always, type Judgement, listed } from "./reviewed.ts";

/**
 * The change of a list whose entries give access. Of ranges, containment decides: what is part of another entry is neither opened nor
 * narrowed. `text`: an entry in words.
 */
export function listChange(before: Value | undefined, after: Value | undefined, text: (item: Value) => string): AccessChange {
  const [old, now] = [itemsOf(before), itemsOf(after)];
  return {
    opened: without(now, old)
      .filter((item) => !holdsUnknown(item))
      .flatMap((item) => beyond(item, old, text, canonicalRange)),
    narrowed: without(old, now).flatMap((item) => beyond(item, now, text, ruleRange)),
    everyone: areEveryone(rangesOf(now)) && !areEveryone(rangesOf(old)),
    undecided: holdsUnknown(after),
  };
}

/** The part of an entry that others do not have, as text. */
function beyond(item: Value, others: readonly Value[], text: (item: Value) => string, read: typeof ruleRange): string[] {
  return outside(item, ({ family }) => Addresses.in(family, rangesOf(others), read), text);
}

/** The part of an entry that is outside of some addresses, as text. `inside`: these addresses, as far as the entry has them. */
function outside(item: Value, inside: (all: Addresses) => Addresses, text: (item: Value) => string): string[] {
  const range = rangeIn(item);
  const family = range === undefined ? undefined : rangeOf(range)?.family;
  if (range === undefined || family === undefined) return [text(item)];
  const all = Addresses.in(family, [range]);
  const { ranges } = all.without(inside(all));
  if (isDeepStrictEqual(ranges, all.ranges)) return [text(item)];
  return ranges.length > 3 ? [`a part of ${text(item)}`] : ranges.map((part) => text(withRange(item, part)));
}

const rangeInputs = ["cidrBlock", "ipv6CidrBlock"] as const;

function rangeIn(item: Value): string | undefined {
  if (isText(item)) return item;
  return isFields(item) ? rangeInputs.map((key) => item[key]).find(isText) : undefined;
}

function rangesOf(items: readonly Value[]): string[] {
  return items.flatMap((item) => rangeIn(item) ?? []);
}

function withRange(item: Value, range: string): Value {
  return isFields(item) ? { ...item, [rangeInputs.find((key) => isText(item[key])) ?? "cidrBlock"]: range } : range;
}

/** The change of a security group's rules: `ACCEPT` gives access, and `DROP` takes it away. */
export function ruleChange(before: Value | undefined, after: Value | undefined): AccessChange {
  const [old, now] = [itemsOf(before).map(undescribed), itemsOf(after).map(undescribed)];
  const [removed, more] = [without(old, now), without(now, old)];
  const added = more.filter((rule) => !holdsUnknown(rule));
  // By identity: a secret is like nothing else, not even itself.
  const kept = [old.filter((rule) => !removed.includes(rule)), now.filter((rule) => !more.includes(rule))];
  const rules = { least: new Part(old), most: new Part(now) };
  // The addresses of the members of a dropped group are unknown here.
  const areKnown = [...old, ...now].every((rule) => accepts(rule) || rangeIn(rule) !== undefined);
  const beside = (rule: Value, reading: "most" | "least"): string[] => {
    if (!areKnown) return [ruleText(rule)];
    const traffic = { protocol: isFields(rule) ? textOf(rule, "protocol") : "", port: isFields(rule) ? textOf(rule, "port") : "" };
    return outside(rule, (all) => acceptedBy(rules[reading], traffic, all, reading), ruleText);
  };
  return {
    // With a rule that drops, the order decides what an accepted range is worth.
    reordered: !alike(kept[0], kept[1]) && !holdsUnknown(after),
    everyone: openToAll(after).length > 0 && openToAll(before).length === 0,
    opened: [
      ...added.filter(accepts).flatMap((rule) => beside(rule, "least")),
      ...removed.filter((rule) => !accepts(rule)).map((rule) => `no longer dropped: ${ruleText(rule)}`),
    ],
    narrowed: [
      ...removed.filter(accepts).flatMap((rule) => beside(rule, "most")),
      ...added.filter((rule) => !accepts(rule)).flatMap((rule) => beside(rule, "most").map((text) => `dropped: ${text}`)),
    ],
    undecided: holdsUnknown(after),
  };
}

/** A rule without its description, which lets nobody in. */
function undescribed(rule: Value): Value {
  return isFields(rule) ? Object.fromEntries(Object.entries(rule).filter(([key]) => key !== "policyDescription")) : rule;
}

export function itemsOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : [];
}

export function entryText(item: Value): string {
  if (isText(item)) return item;
  return (isFields(item) && (textOf(item, "cidrBlock") || textOf(item, "subnetId"))) || "an entry";
}

const accepts = (rule: Value): boolean => isFields(rule) && rule["action"] === "ACCEPT";

function ruleText(rule: Value): string {
  if (!isFields(rule)) return "a rule";
  const other = textOf(rule, "cidrBlock") || textOf(rule, "ipv6CidrBlock") || textOf(rule, "securityGroupId") || "the group itself";
  const where = rangeOf(other)?.prefix === 0 ? `anywhere (${other})` : other;
  return [textOf(rule, "protocol") || "ALL", textOf(rule, "port"), where].filter((part) => part !== "").join(" ");
}

function textOf(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === "string" ? value : "";
}

/** The rules of a new security group that let the whole internet in, alone or together. */
export function openToAll(rules: Value | undefined): string[] {
  const accepting = itemsOf(rules).filter((rule) => accepts(rule) && isFields(rule) && !/^ICMP/i.test(textOf(rule, "protocol")));
  const isOpen = letsIn(new Part(rules), tcp(1, 65535), udp(1, 65535), gre).holds === true;
  const alone = accepting.filter((rule) => areEveryone(rangesOf([rule])));
  const together = accepting.filter((rule) => rangesOf([rule]).some((range) => !isPrivate(range)));
  return isOpen ? (alone.length > 0 ? alone : together).map(ruleText) : [];
}

/** The clients that a list allows, as text. */
export function clientsIn(list: Value | undefined): string {
  const texts = itemsOf(list).map(entryText).join(", ");
  return areEveryone(rangesOf(itemsOf(list))) ? `everyone: ${texts}` : texts;
}

/** How arguments of Kubernetes' components open what they guard. The same rules tell it that policies check. */

/** Whether a rule keeps others out. */
function isGuard({ severity }: ArgumentRule): boolean {
  return severity === "critical" || severity === "high";
}

function broken(rules: readonly ArgumentRule[], inputs: Fields): readonly ArgumentRule[] {
  const part = new Part(inputs);
  return rules.filter((rule) => isGuard(rule) && rule.fails(part, {}).holds === true);
}

/** What the arguments of a resource open, in words; `undefined` if they open nothing. */
export function openedByArguments(rules: readonly ArgumentRule[], inputs: Fields): string | undefined {
  const found = broken(rules, inputs).map((rule) => rule.found);
  return found.length === 0 ? undefined : found.join(", and ");
}

/** What a change of arguments opens: by what they say now, or by what they no longer say. `who`: the components, such as "the API server". */
export function argumentsChanged(rules: readonly ArgumentRule[], before: Fields, after: Fields, who: string): readonly Judgement[] {
  const already = broken(rules, before);
  const opened = broken(rules, after).filter((rule) => !already.includes(rule));
  const [old, now] = [new Part(before), new Part(after)];
  const guards = rules.filter((rule) => isGuard(rule) && !already.includes(rule));
  const withdrawn = guards.flatMap(({ about }) =>
    about.flatMap(({ component, name }) => {
      const values = argumentsGiven(old, component).get(name);
      return values && !argumentsGiven(now, component).has(name) ? [`${name}=${values.at(-1) ?? ""}`] : [];
    }),
  );
  const weakened = `${who} is no longer told ${listed([...new Set(withdrawn)])}: its own default decides, which may let anybody in`;
  return [
    ...opened.flatMap(({ found }) => always("access-opened", `an argument of ${who} ${found}`)),
    ...(withdrawn.length === 0 ? [] : always("safeguard-weakened", weakened)),
  ];
}

/** The arguments of a kubelet that change how much it can do, and not who may do what. */
const harmless =
  /^(?:max-pods|pods-per-core|pod-max-pids|(?:kube|system)-reserved|reserved-(?:cpus|memory)|eviction-.+|image-gc-.+|cpu-(?:manager|cfs)-.+|(?:memory|topology)-manager-.+|registry-(?:qps|burst)|kube-api-(?:qps|burst)|event-(?:qps|burst)|serialize-image-pulls|max-parallel-image-pulls|container-log-max-.+|node-status-.+-frequency|v)$/;

/** The arguments of kubelets that change, and of which it is not known here what they do. */
export function unknownKubeletArguments(rules: readonly ArgumentRule[], before: Fields, after: Fields): readonly string[] {
  const [old, now] = [before, after].map((inputs) => argumentsGiven(new Part(inputs), "kubelet"));
  const told = new Set(rules.filter(isGuard).flatMap(({ about }) => about.map(({ name }) => name)));
  const all = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])];
  return all.filter((name) => !harmless.test(name) && !told.has(name) && old?.get(name)?.join("\0") !== now?.get(name)?.join("\0"));
}
