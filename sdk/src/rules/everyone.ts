import { addressAt, bits, type Cidr, type Family, parseCidr } from "../formats/addresses.ts";
import { ruleRange } from "./network.ts";

type Span = Pick<Cidr, "first" | "last">;

const everything: Readonly<Record<Family, string>> = { 4: "0.0.0.0/0", 6: "::/0" };
/** The range from which hosts on the internet have their addresses. */
const internet: Readonly<Record<Family, string>> = { 4: "0.0.0.0/0", 6: "2000::/3" };

/** Whether the addresses of ranges and single addresses, as rules and lists name them, are everyone: one alone, or several together. */
export function areEveryone(texts: readonly string[]): boolean {
  return ([4, 6] as const).some((family) => Addresses.in(family, texts).areEveryone);
}

/** A set of addresses of one family. */
export class Addresses {
  readonly family: Family;
  /** In order, and apart from each other. */
  readonly #spans: readonly Span[];

  private constructor(family: Family, spans: readonly Span[]) {
    this.family = family;
    this.#spans = spans;
  }

  /** Those of one family in ranges and single addresses. A text that is neither has none. `read`: the range that the platform reads in a text. */
  static in(family: Family, texts: readonly string[], read: (text: string) => string | undefined = ruleRange): Addresses {
    return texts.reduce(
      (sum, text) => {
        const range = parseCidr(read(text) ?? "");
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
    return new Addresses(this.family, joined);
  }

  without(others: Addresses): Addresses {
    const left = others.#spans.reduce((spans, taken) => spans.flatMap((span) => leftOf(span, taken)), this.#spans);
    return new Addresses(this.family, left);
  }

  within(others: Addresses): Addresses {
    return this.without(this.without(others));
  }

  get isEmpty(): boolean {
    return this.#spans.length === 0;
  }

  /** Whether they are half of the internet, or more. All of it but one address is everyone, too. */
  get areEveryone(): boolean {
    const [world] = Addresses.in(this.family, [internet[this.family]]).#spans;
    if (!world) return false;
    const size = this.#spans.reduce((sum, span) => sum + sizeOf(shared(span, world)), 0n);
    return size * 2n >= sizeOf(world);
  }

  /** The fewest ranges that hold them all. */
  get ranges(): readonly string[] {
    return this.#spans.flatMap((span) => rangesIn(this.family, span));
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
