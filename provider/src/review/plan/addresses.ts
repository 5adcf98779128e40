import { addressAt, type Cidr, contains, type Family, parseCidr, ruleRange } from "@container-platform/sdk";

interface Span {
  readonly first: bigint;
  readonly last: bigint;
}

/** Fixed bits of a single address. */
const bits: Readonly<Record<Family, number>> = { 4: 32, 6: 128 };
const everything: Readonly<Record<Family, string>> = { 4: "0.0.0.0/0", 6: "::/0" };
/** What hosts on the internet have addresses from. */
const internet: Readonly<Record<Family, string>> = { 4: "0.0.0.0/0", 6: "2000::/3" };

const seen = new Map<string, Cidr | undefined>();

/** The addresses that a range or an address in a rule or a list means. The results are cached: the same texts come often. */
export function rangeOf(text: string): Cidr | undefined {
  if (!seen.has(text)) seen.set(text, parseCidr(ruleRange(text) ?? ""));
  return seen.get(text);
}

export class Addresses {
  readonly #family: Family;
  /** In order, and apart from each other. */
  readonly #spans: readonly Span[];

  private constructor(family: Family, spans: readonly Span[]) {
    this.#family = family;
    this.#spans = spans;
  }

  /** Those of one family in ranges and single addresses. A text that is neither has none. */
  static in(family: Family, texts: readonly string[]): Addresses {
    return texts.reduce(
      (sum, text) => {
        const range = rangeOf(text);
        return range?.family === family ? sum.and(new Addresses(family, [range])) : sum;
      },
      new Addresses(family, []),
    );
  }

  static all(family: Family): Addresses {
    return Addresses.in(family, [everything[family]]);
  }

  and(others: Addresses): Addresses {
    const joined: Span[] = [];
    for (const span of [...this.#spans, ...others.#spans].toSorted((one, other) => (one.first < other.first ? -1 : 1))) {
      const before = joined.at(-1);
      if (before && span.first <= before.last + 1n)
        joined[joined.length - 1] = { first: before.first, last: larger(before.last, span.last) };
      else joined.push(span);
    }
    return new Addresses(this.#family, joined);
  }

  without(others: Addresses): Addresses {
    const left = others.#spans.reduce((spans, taken) => spans.flatMap((span) => leftOf(span, taken)), this.#spans);
    return new Addresses(this.#family, left);
  }

  get isEmpty(): boolean {
    return this.#spans.length === 0;
  }

  /** Whether they are half of the internet, or more. All of it but one address is everyone, too. */
  get areEveryone(): boolean {
    const [world] = Addresses.in(this.#family, [internet[this.#family]]).#spans;
    if (!world) return false;
    const size = this.#spans.reduce((sum, span) => sum + sizeOf(shared(span, world)), 0n);
    return size * 2n >= sizeOf(world);
  }

  /** The fewest ranges that hold them all. */
  get ranges(): readonly string[] {
    return this.#spans.flatMap((span) => rangesIn(this.#family, span));
  }
}

function leftOf(span: Span, taken: Span): Span[] {
  if (sizeOf(shared(span, taken)) === 0n) return [span];
  const parts = [
    { first: span.first, last: taken.first - 1n },
    { first: taken.last + 1n, last: span.last },
  ];
  return parts.filter((part) => sizeOf(part) > 0n);
}

function shared(one: Span, other: Span): Span {
  return { first: larger(one.first, other.first), last: smaller(one.last, other.last) };
}

function sizeOf({ first, last }: Span): bigint {
  return last < first ? 0n : last - first + 1n;
}

function rangesIn(family: Family, { first, last }: Span): string[] {
  const found: string[] = [];
  for (let next = first; next <= last;) {
    let free = 0;
    // The largest part that begins here: as many of the last bits as are zero, and as there are addresses for.
    while (free < bits[family] && next % (1n << BigInt(free + 1)) === 0n && next + (1n << BigInt(free + 1)) - 1n <= last) free++;
    found.push(`${addressAt(everything[family], next)}/${bits[family] - free}`);
    next += 1n << BigInt(free);
  }
  return found;
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "fc00::/7", "fe80::/10"].flatMap(
  (range) => parseCidr(range) ?? [],
);

/** Whether a range or an address is private, so that it cannot be reached from the internet. */
export function isPrivate(text: string): boolean {
  const range = rangeOf(text);
  return range !== undefined && privateRanges.some((outer) => contains(outer, range));
}

export function isWider(text: string, { ipv4, ipv6 }: { readonly ipv4: number; readonly ipv6: number }): boolean {
  const range = rangeOf(text);
  return range !== undefined && range.prefix < (range.family === 4 ? ipv4 : ipv6);
}

export function isOneAddress(text: string): boolean {
  const range = rangeOf(text);
  return range?.first === range?.last;
}

export function isWithin(inner: string, outer: string): boolean {
  const [within, around] = [rangeOf(inner), rangeOf(outer)];
  return within !== undefined && around !== undefined && contains(around, within);
}

export function prefixOf(text: string): number | undefined {
  return rangeOf(text)?.prefix;
}
