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
