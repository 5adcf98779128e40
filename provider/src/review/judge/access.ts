import { isDeepStrictEqual } from "node:util";
import { Addresses, rangeOf } from "../plan/addresses.ts";
import { alike, type Fields, holdsUnknown, isFields, isList, isText, type Value, without } from "../plan/values.ts";
import { letsIn, portsOf, tcp, udp } from "../policy/language/openings.ts";
import { Part } from "../policy/language/part.ts";
import { isPrivate } from "../policy/language/ranges.ts";

/** How a change of an input changes access. */
export interface AccessChange {
  /** Who gets access, one text for each entry. */
  readonly opened: readonly string[];
  /** Who loses access. */
  readonly narrowed: readonly string[];
  /** A value is not known yet. */
  readonly undecided: boolean;
  /** The same rules in another order, which matters because the first that matches decides. */
  readonly reordered?: boolean;
}

/**
 * The change of a list whose entries give access. Of ranges, containment decides: what is part of another entry is neither opened nor
 * narrowed. `text`: an entry in words.
 */
export function listChange(before: Value | undefined, after: Value | undefined, text: (item: Value) => string): AccessChange {
  const [old, now] = [itemsOf(before), itemsOf(after)];
  return {
    opened: without(now, old)
      .filter((item) => !holdsUnknown(item))
      .flatMap((item) => beyond(item, old, text)),
    narrowed: without(old, now).flatMap((item) => beyond(item, now, text)),
    undecided: holdsUnknown(after),
  };
}

/** In words, what of an entry is not part of others. */
function beyond(item: Value, others: readonly Value[], text: (item: Value) => string): string[] {
  const range = rangeIn(item);
  const family = range === undefined ? undefined : rangeOf(range)?.family;
  if (range === undefined || family === undefined) return [text(item)];
  const all = Addresses.in(family, [range]);
  const left = all.without(
    Addresses.in(
      family,
      others.flatMap((other) => rangeIn(other) ?? []),
    ),
  );
  const { ranges } = left;
  if (isDeepStrictEqual(ranges, all.ranges)) return [text(item)];
  return ranges.length > 3 ? [`a part of ${text(item)}`] : ranges.map((part) => text(withRange(item, part)));
}

const rangeInputs = ["cidrBlock", "ipv6CidrBlock"] as const;

function rangeIn(item: Value): string | undefined {
  if (isText(item)) return item;
  return isFields(item) ? rangeInputs.map((key) => item[key]).find(isText) : undefined;
}

function withRange(item: Value, range: string): Value {
  return isFields(item) ? { ...item, [rangeInputs.find((key) => isText(item[key])) ?? "cidrBlock"]: range } : range;
}

/** The change of a security group's rules: `ACCEPT` gives access, and `DROP` takes it away. */
export function ruleChange(before: Value | undefined, after: Value | undefined): AccessChange {
  const [old, now] = [itemsOf(before).map(undescribed), itemsOf(after).map(undescribed)];
  const added = without(now, old).filter((rule) => !holdsUnknown(rule));
  const removed = without(old, now);
  const reordered = added.length + removed.length === 0 && !alike(old, now) && !holdsUnknown(after);
  // With a rule that drops, the order decides what an accepted range is worth.
  const isPlain = [...old, ...now].every(accepts);
  const beside = (rule: Value, others: readonly Value[]): string[] =>
    isPlain
      ? beyond(
          rule,
          others.filter((other) => isAbout(other, rule)),
          ruleText,
        )
      : [ruleText(rule)];
  return {
    reordered,
    opened: [
      ...added.filter(accepts).flatMap((rule) => beside(rule, old)),
      ...removed.filter((rule) => !accepts(rule)).map((rule) => `no longer dropped: ${ruleText(rule)}`),
    ],
    narrowed: [
      ...removed.filter(accepts).flatMap((rule) => beside(rule, now)),
      ...added.filter((rule) => !accepts(rule)).map((rule) => `dropped: ${ruleText(rule)}`),
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
  return isFields(item)
    ? textOf(item, "cidrBlock") || textOf(item, "subnetId") || "an entry"
    : typeof item === "string"
      ? item
      : "an entry";
}

/** Whether a range is half of the internet, or more. */
function isEveryone(text: string): boolean {
  const family = rangeOf(text)?.family;
  return family !== undefined && Addresses.in(family, [text]).areEveryone;
}

const accepts = (rule: Value): boolean => isFields(rule) && rule["action"] === "ACCEPT";

function ruleText(rule: Value): string {
  if (!isFields(rule)) return "a rule";
  const other = textOf(rule, "cidrBlock") || textOf(rule, "ipv6CidrBlock") || textOf(rule, "securityGroupId") || "the group itself";
  return `${textOf(rule, "protocol") || "ALL"} ${textOf(rule, "port")} ${rangeOf(other)?.prefix === 0 ? `anywhere (${other})` : other}`.replace(
    "  ",
    " ",
  );
}

function textOf(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === "string" ? value : "";
}

/** Whether a rule is about all traffic that another one is about, whatever is at the other end. */
function isAbout(rule: Value, other: Value): boolean {
  if (!isFields(rule) || !isFields(other)) return false;
  const [protocol, otherProtocol] = [rule, other].map((one) => textOf(one, "protocol").toUpperCase() || "ALL");
  const [ports, otherPorts] = [rule, other].map((one) => portsOf(textOf(one, "port") || "ALL"));
  const isWide = otherPorts?.every(([from, to]) => ports?.some(([first, last]) => first <= from && to <= last)) === true;
  return (protocol === otherProtocol || protocol === "ALL") && isWide;
}

/** The rules of a new security group that let the whole internet in, alone or together. */
export function openToAll(rules: Value | undefined): string[] {
  const accepting = itemsOf(rules).filter((rule) => accepts(rule) && isFields(rule) && !/^ICMP/i.test(textOf(rule, "protocol")));
  const isOpen = letsIn(new Part(rules), tcp(1, 65535), udp(1, 65535)).holds === true;
  const alone = accepting.filter((rule) => isEveryone(rangeIn(rule) ?? ""));
  if (!isOpen) return alone.filter((rule) => isFields(rule) && /^GRE$/i.test(textOf(rule, "protocol"))).map(ruleText);
  const together = accepting.filter((rule) => rangeIn(rule) !== undefined && !isPrivate(rangeIn(rule) ?? ""));
  return (alone.length > 0 ? alone : together).map(ruleText);
}
