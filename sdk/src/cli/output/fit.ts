import type { Section } from "./sections.ts";

/** What drawing a table knows of its sections. */
interface Measures {
  /** Columns of the terminal that a section with so many columns needs besides the content of its cells. */
  readonly edges: (section: Section, columns: number) => number;
  readonly widthOfText: (text: string) => number;
}

/** A cell of a list that is longer is cut, so that others have room. */
const longest = 36;

/** Sections that are no wider than the terminal, and what of them is left out. */
export function fitted(sections: readonly Section[], width: number, measures: Measures): { fitting: Section[]; left: string[] } {
  const left: string[] = [];
  const fitting = sections.map((section) => {
    const chosen = section.listed === true ? chosenColumns(section, width, measures) : section;
    const count = section.headers.length - chosen.headers.length;
    if (section.listed === true && count > 0) left.push(`${count} columns of ${section.title}`);
    return cut(chosen, width, measures);
  });
  return { fitting, left };
}

/** A list with the columns that tell most, as many as have room. There is always one. */
function chosenColumns(section: Section, width: number, { edges, widthOfText }: Measures): Section {
  const widthOfColumn = (at: number) =>
    Math.min(longest, Math.max(...[section.headers, ...section.rows].map((line) => widthOfText(line[at] ?? ""))));
  const chosen: number[] = [];
  let content = 0;
  for (const at of byWorth(section)) {
    const wanted = content + widthOfColumn(at);
    if (chosen.length > 0 && wanted + edges(section, chosen.length + 1) > width) continue;
    chosen.push(at);
    content = wanted;
  }
  const pick = (line: readonly string[]) => chosen.map((at) => line[at] ?? "");
  return { ...section, headers: pick(section.headers), rows: section.rows.map(pick) };
}

/** The columns of a list that say anything, first those by which a resource is known. One that repeats another is not among them. */
function byWorth({ title, headers, rows }: Section): number[] {
  const one = title
    .replace(/(Set|List)$/, "")
    .replace(/ies$/, "y")
    .replace(/s$/, "");
  const worth = (header: string) => {
    const own = header.startsWith(one) ? header.slice(one.length) : header;
    return ["Id", "Name", "State", "Status", "LifeState", "Version", "ClusterVersion", "Type"].indexOf(own);
  };
  const columns = headers.map((header, at) => {
    const values = rows.map((row) => row[at] ?? "");
    const rank = worth(header);
    return { at, values, rank: rank >= 0 ? rank : new Set(values).size > 1 ? 100 : 200 };
  });
  const telling = columns.filter(({ values }) => values.some((value) => value !== "" && value !== "None"));
  const repeats = ({ rank, values }: (typeof columns)[number], before: typeof columns) =>
    rank > 1 && before.some((other) => other.rank < 100 && other.values.every((value, row) => value === values[row]));
  const sorted = telling.toSorted((first, second) => first.rank - second.rank);
  const kept = sorted.filter((column, at) => !repeats(column, sorted.slice(0, at)));
  return kept.length === 0 ? headers.map((_, at) => at) : kept.map(({ at }) => at);
}

/** A section whose cells are cut, the longest first, until it has room. */
function cut(section: Section, width: number, { edges, widthOfText }: Measures): Section {
  const { title, depth, headers, rows } = section;
  const lines = [headers, ...rows];
  const count = Math.max(...lines.map((line) => line.length));
  const columns = Array.from({ length: count }, (_, at) => Math.max(...lines.map((line) => widthOfText(line[at] ?? ""))));
  const room = Math.max(width - edges(section, count), count);
  for (let over = columns.reduce((sum, column) => sum + column, 0) - room; over > 0; over--) {
    const widest = columns.indexOf(Math.max(...columns));
    columns[widest] = (columns[widest] ?? 1) - 1;
  }
  const fit = (line: readonly string[]) => line.map((text, at) => shortened(text, columns[at] ?? 0, widthOfText));
  return {
    ...section,
    title: shortened(title, Math.max(width - 2 - 2 * depth, 1), widthOfText),
    headers: fit(headers),
    rows: rows.map(fit),
  };
}

function shortened(text: string, width: number, widthOfText: Measures["widthOfText"]): string {
  if (widthOfText(text) <= width) return text;
  let kept = "";
  for (const letter of text) {
    if (widthOfText(kept + letter) > width - 1) break;
    kept += letter;
  }
  return width < 1 ? "" : `${kept}…`;
}
