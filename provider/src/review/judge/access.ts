import { alike, without } from "../plan/values.ts";
import { type Fields, holdsUnknown, isFields, isList, type Value } from "../plan/values.ts";

/** How a change of who may reach something reads; `undecided` where a value is not known yet. */
export interface AccessChange {
  readonly opened: readonly string[];
  readonly narrowed: readonly string[];
  readonly undecided: boolean;
  /** The same rules in another order: the first that fits decides. */
  readonly moved?: boolean;
}

/** Of a list whose entries let somebody in. */
export function listChange(before: Value | undefined, after: Value | undefined, told: (item: Value) => string): AccessChange {
  const [old, now] = [itemsOf(before), itemsOf(after)];
  return {
    opened: without(now, old)
      .filter((item) => !holdsUnknown(item))
      .map(told),
    narrowed: without(old, now).map(told),
    undecided: holdsUnknown(after),
  };
}

/** Of a security group's rules: whoever is accepted is let in, and whoever is dropped is kept out. */
export function ruleChange(before: Value | undefined, after: Value | undefined): AccessChange {
  const [old, now] = [itemsOf(before), itemsOf(after)];
  const come = without(now, old).filter((rule) => !holdsUnknown(rule));
  const gone = without(old, now);
  const moved = come.length + gone.length === 0 && !alike(old, now) && !holdsUnknown(after);
  return {
    moved,
    opened: [
      ...come.filter(accepts).map(ruleText),
      ...gone.filter((rule) => !accepts(rule)).map((rule) => `no longer dropped: ${ruleText(rule)}`),
    ],
    narrowed: [...gone.filter(accepts).map(ruleText), ...come.filter((rule) => !accepts(rule)).map((rule) => `dropped: ${ruleText(rule)}`)],
    undecided: holdsUnknown(after),
  };
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

/** Every address there is. */
function isAnywhere(text: string): boolean {
  return text === "0.0.0.0/0" || text === "::/0";
}

const accepts = (rule: Value): boolean => isFields(rule) && rule["action"] === "ACCEPT";

function ruleText(rule: Value): string {
  if (!isFields(rule)) return "a rule";
  const other = textOf(rule, "cidrBlock") || textOf(rule, "ipv6CidrBlock") || textOf(rule, "securityGroupId") || "the group itself";
  return `${textOf(rule, "protocol") || "ALL"} ${textOf(rule, "port")} ${isAnywhere(other) ? `anywhere (${other})` : other}`.replace(
    "  ",
    " ",
  );
}

function textOf(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === "string" ? value : "";
}

/** What of a first rule set lets the whole internet in. */
export function openToAll(rules: Value | undefined): string[] {
  return itemsOf(rules)
    .filter((rule) => accepts(rule) && isFields(rule) && !/^ICMP/i.test(textOf(rule, "protocol")))
    .filter((rule) => isFields(rule) && [textOf(rule, "cidrBlock"), textOf(rule, "ipv6CidrBlock")].some(isAnywhere))
    .map(ruleText);
}
