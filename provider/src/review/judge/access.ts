import { alike, without } from "../plan/values.ts";
import { type Fields, holdsUnknown, isFields, isList, type Value } from "../plan/values.ts";

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

/** The change of a list whose entries give access. `text`: an entry in words. */
export function listChange(before: Value | undefined, after: Value | undefined, text: (item: Value) => string): AccessChange {
  const [old, now] = [itemsOf(before), itemsOf(after)];
  return {
    opened: without(now, old)
      .filter((item) => !holdsUnknown(item))
      .map(text),
    narrowed: without(old, now).map(text),
    undecided: holdsUnknown(after),
  };
}

/** The change of a security group's rules: `ACCEPT` gives access, and `DROP` takes it away. */
export function ruleChange(before: Value | undefined, after: Value | undefined): AccessChange {
  const [old, now] = [itemsOf(before), itemsOf(after)];
  const added = without(now, old).filter((rule) => !holdsUnknown(rule));
  const removed = without(old, now);
  const reordered = added.length + removed.length === 0 && !alike(old, now) && !holdsUnknown(after);
  return {
    reordered,
    opened: [
      ...added.filter(accepts).map(ruleText),
      ...removed.filter((rule) => !accepts(rule)).map((rule) => `no longer dropped: ${ruleText(rule)}`),
    ],
    narrowed: [
      ...removed.filter(accepts).map(ruleText),
      ...added.filter((rule) => !accepts(rule)).map((rule) => `dropped: ${ruleText(rule)}`),
    ],
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

/** Whether a range contains all addresses. */
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

/** The rules of a new security group that let the whole internet in. */
export function openToAll(rules: Value | undefined): string[] {
  return itemsOf(rules)
    .filter((rule) => accepts(rule) && isFields(rule) && !/^ICMP/i.test(textOf(rule, "protocol")))
    .filter((rule) => isFields(rule) && [textOf(rule, "cidrBlock"), textOf(rule, "ipv6CidrBlock")].some(isAnywhere))
    .map(ruleText);
}
