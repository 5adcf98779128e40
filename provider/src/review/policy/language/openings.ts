import { Addresses, areEveryone, canonicalRange, type Family, ruleRange } from "@container-platform/sdk";
import { isPrivate, isWider, isWithin } from "../../plan/addresses.ts";
import { isText, type Value } from "../../plan/values.ts";
import { all, any, not, type Part, type Truth, truth } from "./rule.ts";

export interface Traffic {
  readonly protocol: (typeof protocols)[number];
  readonly from: number;
  readonly to: number;
}

/** `ALL`: any other protocol, which only rules about all protocols accept or drop. */
const protocols = ["TCP", "UDP", "ICMP", "ICMPV6", "GRE", "ALL"] as const;
const families = { cidrBlock: 4, ipv6CidrBlock: 6 } as const satisfies Readonly<Record<string, Family>>;
type Input = keyof typeof families;
const inputs: readonly Input[] = ["cidrBlock", "ipv6CidrBlock"];

/**
 * How much a range such as `0.0.0.0/8` is, which only some platforms take for everyone. `most`: as if all accepted ranges were as wide as
 * they can be and all dropped ones as narrow. `least`: the opposite.
 */
type Reading = "most" | "least";

export const tcp = (from: number, to = from): Traffic => ({ protocol: "TCP", from, to });
export const udp = (from: number, to = from): Traffic => ({ protocol: "UDP", from, to });
export const gre: Traffic = { protocol: "GRE", from: 0, to: 0 };

/** Whether a group accepts some of this traffic from everyone, in either address family. */
export function letsIn(rules: Part, ...some: readonly Traffic[]): Truth {
  return rules.anyOf(
    some.flatMap((traffic) =>
      portsThatMatter(rules, traffic).flatMap((port) => inputs.map((input) => isOpen(rules, traffic.protocol, port, input))),
    ),
  );
}

/** Whether a group accepts traffic on every port, from or to everyone. */
export function letsAllThrough(rules: Part): Truth {
  return rules.anyOf(
    [tcp(1, 65535), udp(1, 65535)].flatMap((traffic) =>
      inputs.map((input) => {
        const [first, ...others] = portsThatMatter(rules, traffic).map((port) => isOpen(rules, traffic.protocol, port, input));
        return first ? all(first, ...others) : truth(false, rules.path);
      }),
    ),
  );
}

/** Whether a group accepts traffic from everyone over IPv6, and the same traffic over IPv4 not. */
export function openInIpv6Only(rules: Part): Truth {
  const each = [tcp(1, 65535), udp(1, 65535)].flatMap((traffic) =>
    portsThatMatter(rules, traffic).map((port) => {
      const [narrow, wide] = inputs.map((input) => isOpen(rules, traffic.protocol, port, input));
      if (!narrow || !wide) return truth(false, rules.path);
      const broken = all(wide, not(narrow));
      return broken.holds === true ? { ...broken, at: wide.at } : broken;
    }),
  );
  return rules.anyOf(each);
}

/**
 * Whether a group that has rules for IPv6 accepts traffic of private addresses, or of everyone, over IPv4 only. An IPv6 range that is not
 * known yet counts as one of private addresses. ICMP has another name over IPv6, and public ranges stand for themselves.
 */
export function openInIpv4Only(...directions: readonly Part[]): Truth {
  const isDualStack = directions.some((rules) => rules.items.some((item) => hasRange(item, "ipv6CidrBlock")));
  return any(truth(false, "ingress"), ...(isDualStack ? directions.map(lacksIpv6) : []));
}

/** Whether an accepted IPv4 range of private addresses or of everyone has no rule for IPv6 with at least the same traffic. */
function lacksIpv6(rules: Part): Truth {
  const each = rules.items.map((item) => {
    const range = item.at("cidrBlock");
    const isEveryone = range.text((text) => areEveryone([text]));
    const twins = rules.items.map((other) => {
      const isWideEnough = any(
        not(isEveryone),
        other.at("ipv6CidrBlock").text((text) => areEveryone([text])),
      );
      return all(
        other.at("action").is("ACCEPT"),
        truth(hasRange(other, "ipv6CidrBlock"), other.path),
        isWideEnough,
        hasTrafficOf(other, item),
      );
    });
    const isMeant = all(
      item.at("action").is("ACCEPT"),
      not(item.at("protocol").text((text) => /^icmp$/i.test(text))),
      any(isEveryone, range.text(isPrivate)),
    );
    const lacking = all(not(any(truth(false, item.path), ...twins)), isMeant);
    return lacking.holds === true ? { ...lacking, at: item.path } : lacking;
  });
  return rules.anyOf(each);
}

/** Whether a rule has a range of a family. A range that is unknown or secret counts. */
function hasRange(item: Part, input: Input): boolean {
  const { shown } = item.at(input);
  return shown === undefined || isText(shown.value);
}

/** One port for each part of the traffic that all rules treat alike. */
function portsThatMatter(rules: Part, { from, to }: Traffic): number[] {
  const bounds = rules.items.flatMap((item) => {
    const port = item.at("port").shown?.value;
    return isText(port) ? portsOf(port).flatMap(([first, last]) => [first, last + 1]) : [];
  });
  return [...new Set([from, ...bounds.filter((bound) => bound > from && bound <= to)])];
}

/** Whether a group accepts traffic on one port from everyone, by one rule or by several together. */
function isOpen(rules: Part, protocol: Traffic["protocol"], port: number, input: Input): Truth {
  const { everyoneBy, openAtMost, lacks } = reachOf(rules, protocol, port, input, "most");
  if (everyoneBy !== undefined) return truth(true, everyoneBy);
  return openAtMost.areEveryone ? truth(undefined, lacks ?? rules.path) : truth(false, rules.path);
}

/** The part of some addresses of one family from which a group accepts all traffic that a rule is about. */
export function acceptedBy(
  rules: Part,
  rule: { readonly protocol: string; readonly port: string },
  addresses: Addresses,
  reading: Reading,
): Addresses {
  const input = addresses.family === 4 ? "cidrBlock" : "ipv6CidrBlock";
  const about = protocols.filter((protocol) => ["ALL", protocol].includes(rule.protocol.toUpperCase() || "ALL"));
  const traffic = about.flatMap((protocol) => portsOf(rule.port || "ALL").map(([from, to]) => ({ protocol, from, to })));
  let accepted = addresses;
  for (const one of traffic)
    for (const port of portsThatMatter(rules, one)) {
      if (accepted.isEmpty) return accepted;
      accepted = accepted.within(reachOf(rules, one.protocol, port, input, reading).open);
    }
  return accepted;
}

interface Reach {
  /** The addresses that are accepted, whatever the hidden values are. */
  readonly open: Addresses;
  readonly openAtMost: Addresses;
  /** The rule with which everyone is accepted. */
  readonly everyoneBy: string | undefined;
  /** The first hidden value. */
  readonly lacks: string | undefined;
}

const reaches = new WeakMap<Part, Map<string, Reach>>();

/** The same as `reachIn`, cached: each rule that is asked about asks for the same ports. */
function reachOf(rules: Part, ...traffic: Matched): Reach {
  const known = reaches.get(rules) ?? new Map<string, Reach>();
  const reach = known.get(traffic.join()) ?? reachIn(rules, ...traffic);
  reaches.set(rules, known.set(traffic.join(), reach));
  return reach;
}

type Matched = readonly [protocol: Traffic["protocol"], port: number, input: Input, reading: Reading];

/** The addresses from which a group accepts traffic on one port. The first rule that matches an address decides. */
function reachIn(rules: Part, ...traffic: Matched): Reach {
  const [, , input] = traffic;
  const family = families[input];
  const nobody = Addresses.in(family, []);
  let [open, openAtMost, dropped, droppedAtMost] = [nobody, nobody, nobody, nobody];
  let lacks: string | undefined;
  let everyoneBy: string | undefined;
  for (const item of rules.items) {
    const effect = effectOf(item, ...traffic);
    if (effect.matches === false) continue;
    const from = effect.from ?? Addresses.all(family);
    const isSure = effect.matches === true && effect.from !== undefined;
    lacks ??= effect.lacks;
    if (effect.accepts !== false) {
      openAtMost = openAtMost.and(from.without(dropped));
      if (isSure && effect.accepts === true) open = open.and(from.without(droppedAtMost));
      if (everyoneBy === undefined && open.areEveryone) everyoneBy = item.path;
    }
    if (effect.accepts !== true) {
      droppedAtMost = droppedAtMost.and(from);
      if (isSure && effect.accepts === false) dropped = dropped.and(from);
    }
  }
  return { open, openAtMost, everyoneBy, lacks };
}

/** Whether the ranges of a list are too wide: one of them, or all together. `rangeOf`: the range of an entry. */
export function areWide(
  list: Part,
  given: { readonly ipv4: number; readonly ipv6: number },
  rangeOf = (entry: Part): Part => entry,
): Truth {
  const texts = list.items.flatMap((entry) => rangeOf(entry).shown?.value ?? []).filter(isText);
  return any(
    list.some((entry) => rangeOf(entry).text((text) => isWider(text, given) && !isPrivate(text))),
    truth(areEveryone(texts), list.path),
  );
}

/** What a rule does with traffic, and from where: `undefined` if that is not known yet. `lacks`: what would have to be known. */
function effectOf(item: Part, ...[protocol, port, input, reading]: Matched) {
  const isProtocol = asked(item.at("protocol"), (value) => !isText(value) || [protocol, "ALL"].includes(value.toUpperCase()));
  const isPort = asked(item.at("port"), (value) => !isText(value) || portsOf(value).some(([first, last]) => first <= port && port <= last));
  const accepts = asked(item.at("action"), (value) => value === "ACCEPT");
  const read = (accepts.answer !== false) === (reading === "most") ? ruleRange : canonicalRange;
  const from = asked(item.at(input), (value) => Addresses.in(families[input], isText(value) ? [value] : [], read));
  const isNever = [isProtocol, isPort].some(({ answer }) => answer === false) || from.answer?.isEmpty === true;
  const open = [from, isProtocol, isPort, accepts].find(({ answer }) => answer === undefined);
  return {
    matches: isNever ? false : isProtocol.answer === true && isPort.answer === true ? true : undefined,
    accepts: accepts.answer,
    from: from.answer,
    lacks: open?.path,
  };
}

/** What is true of a value; `undefined` if it is hidden. */
function asked<Answer>(
  part: Part,
  ask: (value: Value | undefined) => Answer,
): { readonly answer: Answer | undefined; readonly path: string } {
  const { shown, path } = part;
  return { answer: shown && ask(shown.value), path };
}

/** `80,443`, `30000-32767` or `ALL` as ranges. */
export function portsOf(text: string): [number, number][] {
  if (text.toUpperCase() === "ALL") return [[0, 65535]];
  return text.split(",").map((part) => {
    const [first = "", last = first] = part.split("-");
    return [Number(first), Number(last)];
  });
}

/** Whether a rule drops traffic that an earlier rule accepts. */
export function refusesTooLate(rules: Part): Truth {
  const each = rules.items.map((item, index) => {
    const before = rules.items
      .slice(0, index)
      .map((earlier) => all(earlier.at("action").is("ACCEPT"), hasSourceOf(earlier, item), hasTrafficOf(earlier, item)));
    const late = all(item.at("action").is("DROP"), any(truth(false, item.path), ...before));
    return late.holds === true ? { ...late, at: item.path } : late;
  });
  return rules.anyOf(each);
}

function hasSourceOf(wide: Part, narrow: Part): Truth {
  const ranges = inputs.map((input) => wide.at(input).textWith(narrow.at(input), (outer, inner) => isWithin(inner, outer)));
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
