/** What makes one list of another. */
export interface Edits<Item> {
  /** Places in the first list, from 0, of the items to take out. */
  readonly removals: readonly number[];
  /** Items to put in once the others are out, from the front to the back: each at its place in the second list. */
  readonly insertions: readonly { readonly at: number; readonly items: readonly Item[] }[];
}

/** The fewest removals from `from`, then insertions, that make `to` of it. Items next to each other are put in together. */
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

/** The longest common subsequence, as pairs of places. */
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
