/**
 * The known names that are spelt like a given one, most similar first: at least four fifths of the letters are the same. Upper and lower
 * case count as the same.
 */
export function nearest(name: string, known: readonly string[]): string[] {
  const likenesses = known.map((other) => ({ other, likeness: likeness(name.toLowerCase(), other.toLowerCase()) }));
  return likenesses
    .filter(({ likeness }) => likeness >= 0.8)
    .toSorted((one, two) => two.likeness - one.likeness)
    .slice(0, 3)
    .map(({ other }) => other);
}

/** How similar two names are: 1 is the same, 0 is nothing in common. */
function likeness(one: string, other: string): number {
  return 1 - distance(one, other) / Math.max(one.length, other.length, 1);
}

/** How many letters have to be inserted, removed or replaced (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1];
    for (let to = 1; to <= other.length; to++) {
      const replaced = (row[to - 1] ?? 0) + (one[at] === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
