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
