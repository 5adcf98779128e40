import type { Diagram } from "../blocks.ts";

/** Pixels. */
const row = 40;
const column = 72;
const radius = 6;
/** The most characters of a name: more have no room on a phone. */
const longest = 27;

/**
 * A diagram as a picture without scripts: the resources in a column, each after those that it depends on, and left of them an arc from
 * each to its dependencies. It is as wide as the page, and reads the same on a phone.
 *
 * @param escaped writes a text so that it can stand in HTML
 */
export function pictureOf({ boxes, arrows }: Diagram, escaped: (text: string) => string): string {
  const ordered = inOrder({ boxes, arrows });
  const at = new Map(ordered.map(({ id }, index) => [id, index * row + row / 2]));
  const arcs = arrows.map(({ from, to }) => arc(at.get(to) ?? 0, at.get(from) ?? 0, ordered.length * row));
  const nodes = ordered.map(({ id, text, does, says }) => {
    const y = at.get(id) ?? 0;
    // The end of a name tells it from others as much as its beginning.
    const short = text.length > longest ? `${text.slice(0, longest - 9)}…${text.slice(-8)}` : text;
    return `<g class="${does}"><title>${escaped(text)}: ${says}</title><circle cx="${column}" cy="${y}" r="${radius}"/><text x="${column + 14}" y="${y - 2}">${escaped(short)}</text><text class="says" x="${column + 14}" y="${y + 14}">${says}</text></g>`;
  });
  return `<svg class="graph" role="img" aria-label="Dependencies; the list below says the same" height="${ordered.length * row}">
${[...arcs, ...nodes].join("\n")}
</svg>`;
}

/** An arc on the left, the wider the farther it leads. */
function arc(upper: number, lower: number, height: number): string {
  // A curve reaches three quarters of the way to where it bends.
  const width = 12 + ((column - radius - 16) * (lower - upper)) / height;
  const bend = Math.round(column - radius - width / 0.75);
  return `<path d="M${column - radius} ${upper}C${bend} ${upper} ${bend} ${lower} ${column - radius} ${lower}"/>`;
}

/** The boxes, each after those that it depends on, and as near to them as can be. */
function inOrder({ boxes, arrows }: Diagram): Diagram["boxes"] {
  const needs = Map.groupBy(arrows, ({ from }) => from);
  const depths = new Map<string, number>();
  const depthOf = (id: string): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    depths.set(id, 0);
    const depth = Math.max(0, ...(needs.get(id) ?? []).map(({ to }) => depthOf(to) + 1));
    depths.set(id, depth);
    return depth;
  };
  return boxes.toSorted((one, other) => depthOf(one.id) - depthOf(other.id));
}
