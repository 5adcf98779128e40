import type { Part } from "./part.ts";
import { isWithin, prefixOf } from "./ranges.ts";
import { all, any, choose, not, type Truth, truth } from "./truth.ts";

/** Traffic from everywhere, on some ports. */
export interface Traffic {
  readonly protocol: "TCP" | "UDP";
  readonly from: number;
  readonly to: number;
}

const families = ["cidrBlock", "ipv6CidrBlock"] as const;
type Family = (typeof families)[number];

export function tcp(from: number, to = from): Traffic {
  return { protocol: "TCP", from, to };
}

export function udp(from: number, to = from): Traffic {
  return { protocol: "UDP", from, to };
}

/** Whether a group accepts some of this traffic from everywhere, in either address family. The first rule that matches decides. */
export function letsIn(rules: Part, first: Traffic, ...others: readonly Traffic[]): Truth {
  const each = (traffic: Traffic): Truth => any(decided(rules, traffic, "cidrBlock"), decided(rules, traffic, "ipv6CidrBlock"));
  return any(each(first), ...others.map(each));
}

/** Whether a group accepts traffic on every port, from or to everywhere. */
export function letsAllThrough(rules: Part): Truth {
  const wide = (family: Family): Truth => firstOf(rules.items, rules, (item) => all(everywhere(item, family), onEveryPort(item)));
  return any(
    rules.count(() => false),
    wide("cidrBlock"),
    wide("ipv6CidrBlock"),
  );
}

function decided(rules: Part, traffic: Traffic, family: Family): Truth {
  const unknownRules = rules.count(() => false);
  return any(
    unknownRules,
    firstOf(rules.items, rules, (item) => matches(item, traffic, family)),
  );
}

/** Whether the first rule that matches accepts. */
function firstOf(items: readonly Part[], rules: Part, matching: (item: Part) => Truth): Truth {
  const [item, ...later] = items;
  if (!item) return truth(false, rules.path);
  const accepted = { ...item.at("action").is("ACCEPT"), at: item.path };
  return choose(matching(item), accepted, firstOf(later, rules, matching));
}

function matches(item: Part, traffic: Traffic, family: Family): Truth {
  const wide = everywhere(item, family);
  if (wide.holds === false) return wide;
  const protocol = item.at("protocol").text((name) => name.toUpperCase() === traffic.protocol || name.toUpperCase() === "ALL");
  return all(wide, protocol, choose(item.at("action").is("ACCEPT"), touches(item, traffic), covers(item, traffic)));
}

/** Whether the other end of a rule is everyone. */
function everywhere(item: Part, family: Family): Truth {
  return item.at(family).text((range) => prefixOf(range) === 0);
}

function onEveryPort(item: Part): Truth {
  const port = item.at("port");
  const named = port.text((text) => portsOf(text).some(([from, to]) => from <= 1 && to === 65535));
  return all(
    item.at("protocol").text((name) => /^(all|tcp|udp)$/i.test(name)),
    any(port.missing, named),
  );
}

/** Whether a rule is for at least one of the ports. */
function touches(item: Part, { from, to }: Traffic): Truth {
  const port = item.at("port");
  return any(
    port.missing,
    port.text((text) => portsOf(text).some(([first, last]) => first <= to && last >= from)),
  );
}

/** Whether a rule is for all of the ports. */
function covers(item: Part, { from, to }: Traffic): Truth {
  const port = item.at("port");
  return any(
    port.missing,
    port.text((text) => portsOf(text).some(([first, last]) => first <= from && last >= to)),
  );
}

/** `80,443`, `30000-32767` or `ALL` as ranges. */
function portsOf(text: string): [number, number][] {
  if (text.toUpperCase() === "ALL") return [[0, 65535]];
  return text.split(",").map((part) => {
    const [first = "", last = first] = part.split("-");
    return [Number(first), Number(last)];
  });
}

/** Whether a rule accepts traffic from everywhere over IPv6, and no rule accepts the same traffic over IPv4. */
export function openInIpv6Only(rules: Part): Truth {
  return rules.some((item) => {
    const icmp = item.at("protocol").text((name) => /^icmpv6$/i.test(name));
    const wide = all(item.at("action").is("ACCEPT"), everywhere(item, "ipv6CidrBlock"), not(icmp));
    const twin = rules.some((other) => all(other.at("action").is("ACCEPT"), everywhere(other, "cidrBlock"), hasTrafficOf(other, item)));
    const broken = all(wide, not(twin));
    return broken.holds === true ? { ...broken, at: item.path } : broken;
  });
}

/** Whether a rule drops traffic that an earlier rule accepts. */
export function refusesTooLate(rules: Part): Truth {
  const [first, ...others] = rules.items.map((item, index) => {
    const before = rules.items
      .slice(0, index)
      .map((earlier) => all(earlier.at("action").is("ACCEPT"), hasSourceOf(earlier, item), hasTrafficOf(earlier, item)));
    const late = all(item.at("action").is("DROP"), any(truth(false, item.path), ...before));
    return late.holds === true ? { ...late, at: item.path } : late;
  });
  return first ? any(first, ...others) : rules.count(() => false);
}

function hasSourceOf(wide: Part, narrow: Part): Truth {
  const ranges = families.map((family) => wide.at(family).textWith(narrow.at(family), (outer, inner) => isWithin(inner, outer)));
  return any(truth(false, wide.path), ...ranges);
}

/** Whether a rule matches all traffic that another one matches. */
function hasTrafficOf(wide: Part, narrow: Part): Truth {
  return all(isWide(wide.at("protocol"), narrow.at("protocol")), isWide(wide.at("port"), narrow.at("port")));
}

/** Whether a value is `ALL`, missing, or equal to the other one. */
function isWide(wide: Part, narrow: Part): Truth {
  return any(
    wide.missing,
    wide.text((text) => text.toUpperCase() === "ALL"),
    wide.textWith(narrow, (one, other) => one.toUpperCase() === other.toUpperCase()),
  );
}
