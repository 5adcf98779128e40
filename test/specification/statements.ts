import { specification } from "../../scripts/docs/specification.ts";

/** The statements and operations of the specification, read from its text. */

/** A row of a table, a numbered rule, a point of a list, or a paragraph. */
export interface Statement {
  /** Its headings, such as `Endpoints / Registry service operations (registry)`. */
  readonly section: string;
  /** Its name there: the first cells of a row, the number of a rule, the position of a point or a paragraph. */
  readonly name: string;
  readonly text: string;
}

/** The reference to a statement. No two have the same. */
export function referenceTo({ section, name }: Statement): string {
  return `${section} | ${name}`;
}

/** Everything that the specification states. A sentence that says that something is "not shown" is no statement. */
export function statements(text = specification()): Statement[] {
  return sectionsOf(text).flatMap(({ path, lines }) => [
    ...rowsIn(path, lines),
    ...rulesIn(path, lines),
    ...pointsIn(path, lines),
    ...paragraphsIn(path, lines),
  ]);
}

/** The operations that the tables of "Endpoints" list, by product. */
export function operationsListed(text = specification()): { readonly product: string; readonly action: string }[] {
  return statements(text).flatMap(({ section, name }) => {
    if (!section.startsWith("Endpoints / ") || section.endsWith("Client options and parameter passing")) return [];
    const product = /\((\w+)\)$/.exec(section)?.[1] ?? /\((\w+)\)$/.exec(name)?.[1];
    if (product === undefined || name.startsWith("rule ")) return [];
    const named = name.replaceAll(/\([^)]*\)/g, "").split(/,| \/ /);
    return named.map((action) => ({ product, action: action.trim() }));
  });
}

interface Section {
  readonly path: string;
  readonly lines: readonly string[];
}

function sectionsOf(text: string): Section[] {
  const found: { path: string; lines: string[] }[] = [];
  let chapter = "";
  for (const line of text.split(/\r?\n/)) {
    const [, marks, title] = /^(#{2,3}) (.+)$/.exec(line) ?? [];
    if (marks === undefined || title === undefined) found.at(-1)?.lines.push(line);
    else {
      if (marks === "##") chapter = plain(title);
      found.push({ path: marks === "##" ? chapter : `${chapter} / ${plain(title)}`, lines: [] });
    }
  }
  return found;
}

/** A row is named by its first cell, or by its first two where the first one does not tell the rows of the table apart. */
function rowsIn(section: string, lines: readonly string[]): Statement[] {
  const rows = lines.filter((line, index) => line.startsWith("|") && !isHead(lines, index)).map(cellsOf);
  const firsts = rows.map(([first = ""]) => first);
  const width = new Set(firsts).size === firsts.length ? 1 : 2;
  return rows.map((cells) => ({ section, name: cells.slice(0, width).join(", "), text: cells.slice(width).join(" | ") }));
}

/** Whether a line has the names of a table's columns, or is the line below. */
function isHead(lines: readonly string[], index: number): boolean {
  const isRule = (line: string | undefined) => /^\|[-|]+\|$/.test(line ?? "");
  return isRule(lines[index]) || isRule(lines[index + 1]);
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf("|"))
    .split("|")
    .map((cell) => plain(cell.trim()));
}

/** Numbered rules, and those inside of another, such as `rule 6.2`. */
function rulesIn(section: string, lines: readonly string[]): Statement[] {
  let outer = "";
  return lines.flatMap((line) => {
    const [, indent = "", number, text] = /^( *)(\d+)\. (.+)$/.exec(line) ?? [];
    if (number === undefined || text === undefined) return [];
    if (indent === "") outer = number;
    return [{ section, name: `rule ${indent === "" ? number : `${outer}.${number}`}`, text: plain(text) }];
  });
}

function pointsIn(section: string, lines: readonly string[]): Statement[] {
  const points = lines.filter((line) => line.startsWith("- "));
  return points.map((line, index) => ({ section, name: `point ${index + 1}`, text: plain(line.slice(2)) }));
}

/** Lines of prose, without those that introduce a list. */
function paragraphsIn(section: string, lines: readonly string[]): Statement[] {
  const prose = lines.filter((line) => /^[A-Z`]/.test(line) && !line.endsWith(":"));
  const stated = prose.map((line) =>
    plain(line)
      .split(/(?<=\.) /)
      .filter((sentence) => !sentence.includes("not shown")),
  );
  return stated
    .filter((sentences) => sentences.length > 0)
    .map((sentences, index) => ({ section, name: `paragraph ${index + 1}`, text: sentences.join(" ") }));
}

function plain(text: string): string {
  return text.replaceAll("`", "");
}
