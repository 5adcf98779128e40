/** The edits that turn one list into another. */
export interface Edits<Item> {
  /** Indices, in the first list, of the items to remove. */
  readonly removals: readonly number[];
  /** Items to insert after the removals, from the front to the back. `at` is the index in the second list. */
  readonly insertions: readonly { readonly at: number; readonly items: readonly Item[] }[];
}

/** The fewest removals and then insertions that turn `from` into `to`. Adjacent items are inserted together. */
export function edits<Item>(from: readonly Item[], to: readonly Item[], equal: (one: Item, other: Item) => boolean): Edits<Item> {
  const kept = common(from, to, equal);
  const removals = [...from.keys()].filter((at) => !kept.some(([left]) => left === at));
  const insertions: { at: number; items: Item[] }[] = [];
  for (const [at, item] of to.entries()) {
    if (kept.some(([, right]) => right === at)) continue;
    const last = insertions.at(-1);
    if (last && last.at + last.items.length === at) last.items.push(item);
    else insertions.push({ at, items: [item] });
  }
  return { removals, insertions };
}

/** The longest common subsequence, as pairs of indices. */
function common<Item>(from: readonly Item[], to: readonly Item[], equal: (one: Item, other: Item) => boolean): readonly [number, number][] {
  const lengths = Array.from({ length: from.length + 1 }, () => new Uint32Array(to.length + 1));
  const lengthAt = (left: number, right: number) => lengths[left]?.[right] ?? 0;
  for (const [left, one] of [...from.entries()].reverse())
    for (const [right, other] of [...to.entries()].reverse()) {
      const row = lengths[left];
      if (row)
        row[right] = equal(one, other) ? lengthAt(left + 1, right + 1) + 1 : Math.max(lengthAt(left + 1, right), lengthAt(left, right + 1));
    }
  const pairs: [number, number][] = [];
  for (let left = 0, right = 0; left < from.length && right < to.length;) {
    if (lengthAt(left, right) === lengthAt(left + 1, right)) left++;
    else if (lengthAt(left, right) === lengthAt(left, right + 1)) right++;
    else pairs.push([left++, right++]);
  }
  return pairs;
}
