type Joined = "and" | "or";

const lists = { and: new Intl.ListFormat("en-GB", { type: "conjunction" }), or: new Intl.ListFormat("en-GB", { type: "disjunction" }) };

/** Words as a sentence lists them: `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], joined: Joined = "and"): string {
  return lists[joined].format(words);
}
