/**
 * The value of a JSON text; `undefined` if the text is not JSON. The parser's message is dropped: it quotes the text, which may be secret.
 */
export function jsonIn(content: string): unknown {
  try {
    // Some editors put a byte order mark at the beginning.
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

const types = { and: "conjunction", or: "disjunction" } as const;
type Joined = keyof typeof types;

// A cache, filled on use: to make one takes milliseconds, and most processes need none.
const formats = new Map<Joined, Intl.ListFormat>();

/** Words as a sentence lists them: `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], joined: Joined = "and"): string {
  const format = formats.get(joined) ?? new Intl.ListFormat("en-GB", { type: types[joined] });
  formats.set(joined, format);
  return format.format(words);
}

/**
 * The known names that are spelt like a given one, most similar first: at least four fifths of the letters are the same, or there is one
 * mistake only. Upper and lower case count as the same.
 */
export function nearest(name: string, known: readonly string[]): string[] {
  const likenesses = known.map((other) => {
    const mistakes = distance(name.toLowerCase(), other.toLowerCase());
    return { other, mistakes, likeness: 1 - mistakes / Math.max(name.length, other.length, 1) };
  });
  // Of two letters, one mistake would leave next to nothing.
  const most = name.length < 3 ? 0 : 1;
  return likenesses
    .filter(({ mistakes, likeness }) => mistakes <= most || likeness >= 0.8)
    .toSorted((one, two) => two.likeness - one.likeness)
    .slice(0, 3)
    .map(({ other }) => other);
}

/** How many letters have to be inserted, removed or replaced, or two neighbours exchanged (optimal string alignment). */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  const cell = (at: number, to: number) => rows[at]?.[to] ?? Infinity;
  for (let at = 1; at <= one.length; at++) {
    const row = [at];
    rows.push(row);
    for (let to = 1; to <= other.length; to++) {
      const replaced = cell(at - 1, to - 1) + (one[at - 1] === other[to - 1] ? 0 : 1);
      const isExchange = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const exchanged = isExchange ? cell(at - 2, to - 2) + 1 : Infinity;
      row.push(Math.min(replaced, exchanged, cell(at - 1, to) + 1, cell(at, to - 1) + 1));
    }
  }
  return cell(one.length, other.length);
}

/**
 * Whether a whole text is of a pattern, in which `*` stands for any characters but `/`, and `**` for any. Who writes a pattern may be somebody
 * whom nobody trusts: as a regular expression, one of many stars takes for ever.
 */
export function fitsPattern(pattern: string, text: string): boolean {
  // Whether what was read of the pattern can end there, for each place of the text.
  let ends = Array.from({ length: text.length + 1 }, (_, at) => at === 0);
  for (const part of pattern.split(/(\*+)/)) ends = part.startsWith("*") ? afterStars(part, text, ends) : afterLiteral(part, text, ends);
  return ends.at(text.length) ?? false;
}

function afterStars(stars: string, text: string, ends: readonly boolean[]): boolean[] {
  let isWithin = false;
  return ends.map((isEnd, at) => {
    const isBarrier = stars === "*" && at > 0 && text[at - 1] === "/";
    isWithin = isEnd || (isWithin && !isBarrier);
    return isWithin;
  });
}

function afterLiteral(literal: string, text: string, ends: readonly boolean[]): boolean[] {
  return ends.map((_, at) => at >= literal.length && ends[at - literal.length] === true && text.startsWith(literal, at - literal.length));
}
