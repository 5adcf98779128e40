import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";
import { distinct, isScalar, parted, printed } from "./text.ts";
import { widthOf } from "./width.ts";

/** A part of a table: for one object, or for a list of objects that have only scalars. */
interface Section {
  /** Empty if it continues the section before. */
  readonly title: string;
  /** The depth of its object in the value. */
  readonly depth: number;
  readonly headers: readonly string[];
  /** Rows may be shorter than others: missing cells are empty. */
  readonly rows: readonly (readonly string[])[];
  /** Whether it is a list of objects, a row for each. */
  readonly listed?: boolean;
}

/**
 * The sections of a value of any shape, from the outside in.
 *
 * @param nested whether objects in a list have sections of their own for what is in them; otherwise they are rows of scalars alone
 */
function sectionsOf(value: Json, title: string, nested = true, depth = 0): Section[] {
  const head = { title: shown(title), depth };
  if (isObject(value)) return [sectionOfObject(value, head), ...sectionsInside(value, nested, depth)];
  if (!isList(value)) return [{ ...head, headers: [], rows: [[cell(value)]] }];
  if (value.length > 0 && value.every(isObject)) return sectionsOfObjects(value, nested, head);
  return sectionsOfList(value, nested, head);
}

type Head = Pick<Section, "title" | "depth">;

function sectionOfObject(object: JsonObject, head: Head): Section {
  const { scalars } = parted(object);
  const headers = scalars.map(([name]) => shown(name));
  const cells = scalars.map(([, value]) => cell(value));
  // A single field needs no header of its own.
  if (scalars.length === 1) return { ...head, headers: [], rows: [[...headers, ...cells]] };
  return { ...head, headers, rows: [cells] };
}

function sectionsInside(object: JsonObject, nested: boolean, depth: number): Section[] {
  return parted(object).others.flatMap(([name, value]) => sectionsOf(value, name, nested, depth + 1));
}

/** One section for all objects if they have only scalars; else a section for each, followed by those of its other fields. */
function sectionsOfObjects(list: readonly JsonObject[], nested: boolean, head: Head): Section[] {
  const columns = distinct(list.flatMap((object) => parted(object).scalars.map(([name]) => name)));
  const headers = columns.map(shown);
  const rowOf = (object: JsonObject): string[] =>
    columns.map((column) => (Object.hasOwn(object, column) ? cell(object[column] ?? null) : ""));
  const flat = list.every((object) => parted(object).others.length === 0);
  if (flat || !nested) return [{ ...head, headers, rows: list.map(rowOf), listed: true }];
  return list.flatMap((object) => [{ ...head, headers, rows: [rowOf(object)] }, ...sectionsInside(object, nested, head.depth)]);
}

/** Scalars and lists of scalars are rows. Other items have sections of their own. */
function sectionsOfList(list: readonly Json[], nested: boolean, head: Head): Section[] {
  let rows: string[][] | undefined = [];
  const sections: Section[] = [{ ...head, headers: [], rows }];
  for (const item of list) {
    const cells: readonly Json[] = isList(item) ? item : [item];
    if (!cells.every(isScalar)) {
      for (const section of sectionsOf(item, "", nested, head.depth)) sections.push(section);
      rows = undefined;
      continue;
    }
    if (!rows) sections.push({ ...head, title: "", headers: [], rows: (rows = []) });
    rows.push(cells.map(cell));
  }
  return sections;
}

/** A cell. It is empty for an object or a list, which has a section of its own. */
function cell(value: Json): string {
  return isScalar(value) ? shown(printed(value)) : "";
}

/** The text of a cell. Characters that would move the cursor, or change the direction of writing, are escaped. */
function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (letter) => {
    const escaped = JSON.stringify(letter).slice(1, -1);
    return escaped === letter ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}` : escaped;
  });
}

/** Spaces around the content of a cell. */
const padding = 4;
/** The edges of a box. */
const border = 2;

export interface Terminal {
  /** How many columns it has. */
  readonly width: number;
  /** Whether the table may leave out columns and parts of cells. It must not where a file or a program reads it. */
  readonly partly: boolean;
}

/**
 * A value as boxes, like those of the reference client and of aws-cli (awscli/table.py). If they are wider than the terminal, sections with
 * a single row are turned, so that their headers are a column. If the table may leave something out, lists are rows of the columns
 * that tell most, cells are cut, and a last line says what is missing.
 */
export function table(value: Json, title: string, { width, partly }: Terminal): string {
  const whole = sectionsOf(value, title);
  if (widest(whole) <= width) return drawn(whole);
  if (!partly) return drawn(whole.map(turn));
  const sections = sectionsOf(value, title, false).map((section) => (section.listed === true ? section : turn(section)));
  const { fitting, left } = fitted(sections, width);
  return `${drawn(fitting)}${left.length === 0 ? "" : `Not shown: ${left.join(", ")}. All is in --output json; --filter chooses.\n`}`;
}

function drawn(sections: readonly Section[]): string {
  const all = widest(sections);
  return ["-".repeat(all), ...sections.flatMap((section) => draw(section, all))].map((line) => `${line}\n`).join("");
}

/** The width that a section with a number of columns needs besides the content of its cells. */
function edgesOf({ depth }: Section, columns: number): number {
  return border + 2 * depth + columns * padding + Math.max(columns - 1, 0);
}

function widest(sections: readonly Section[]): number {
  return greatest(sections.map(widthOfSection));
}

function widthOfSection(section: Section): number {
  const columns = contents(section).map((content) => content + padding);
  return Math.max(sum(columns) + columns.length - 1, widthOf(section.title)) + border + 2 * section.depth;
}

/** The widest content of each column. */
function contents({ headers, rows }: Section): number[] {
  const lines = [headers, ...rows];
  const columns = greatest(lines.map((line) => line.length));
  return Array.from({ length: columns }, (_, column) => greatest(lines.map((line) => widthOf(line[column] ?? ""))));
}

function turn(section: Section): Section {
  const [row = [], ...more] = section.rows;
  if (section.headers.length === 0 || more.length > 0) return section;
  return { ...section, headers: [], rows: section.headers.map((header, column) => [header, row[column] ?? ""]) };
}

function draw(section: Section, outside: number): string[] {
  const { title, depth, headers, rows } = section;
  const inside = outside - 2 * depth - border;
  const columns = spread(contents(section), inside);
  const rule = `+${columns.map((column) => "-".repeat(column)).join("+")}+`;
  const line = (cells: readonly string[], place: typeof centred): string =>
    `|${columns.map((column, at) => place(cells[at] ?? "", column)).join("|")}|`;
  const lines = title === "" ? [] : [`|${centred(title, inside)}|`];
  if (headers.length > 0) lines.push(rule, line(headers, centred));
  lines.push(rule);
  if (rows.some((row) => row.length > 0)) lines.push(...rows.map((row) => line(row, atLeft)), rule);
  return lines.map((drawn) => "|".repeat(depth) + drawn + "|".repeat(depth));
}

/** The widths of columns, without edges, that fill a line. One column if there is no content. */
function spread(wanted: readonly number[], inside: number): number[] {
  if (wanted.length === 0) return [inside];
  const room = inside - (wanted.length - 1);
  const least = wanted.map((content) => content + padding);
  const columns = least.map((column) => Math.floor((column * room) / sum(least)));
  const left = room - sum(columns);
  return columns.map((column, at) => (at < columns.length - left ? column : column + 1));
}

function centred(text: string, width: number): string {
  const space = width - widthOf(text);
  return " ".repeat(Math.floor(space / 2)) + text + " ".repeat(Math.ceil(space / 2));
}

function atLeft(text: string, width: number): string {
  return `  ${text}${" ".repeat(width - widthOf(text) - 2)}`;
}

function greatest(numbers: readonly number[]): number {
  return numbers.reduce((greatest, number) => Math.max(greatest, number), 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** A cell of a list that is longer is cut, so that others have room. */
const longest = 36;

/** Sections that are no wider than the terminal, and the columns that are left out. */
function fitted(sections: readonly Section[], width: number): { fitting: Section[]; left: string[] } {
  const left: string[] = [];
  const fitting = sections.map((section) => {
    const chosen = section.listed === true ? chosenColumns(section, width) : section;
    const count = section.headers.length - chosen.headers.length;
    if (section.listed === true && count > 0) left.push(`${count} columns of ${section.title}`);
    return cut(chosen, width);
  });
  return { fitting, left };
}

/** A list with the columns that tell most, as many as have room. There is always one. */
function chosenColumns(section: Section, width: number): Section {
  const widths = contents(section);
  const chosen: number[] = [];
  let content = 0;
  for (const at of byWorth(section)) {
    const wanted = content + Math.min(longest, widths[at] ?? 0);
    if (chosen.length > 0 && wanted + edgesOf(section, chosen.length + 1) > width) continue;
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
function cut(section: Section, width: number): Section {
  const { title, depth, headers, rows } = section;
  const columns = contents(section);
  const room = Math.max(width - edgesOf(section, columns.length), columns.length);
  for (let over = sum(columns) - room; over > 0; over--) {
    const widest = columns.indexOf(Math.max(...columns));
    columns[widest] = (columns[widest] ?? 1) - 1;
  }
  const fit = (line: readonly string[]) => line.map((text, at) => shortened(text, columns[at] ?? 0));
  return {
    ...section,
    title: shortened(title, Math.max(width - 2 - 2 * depth, 1)),
    headers: fit(headers),
    rows: rows.map(fit),
  };
}

function shortened(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  for (const letter of text) {
    if (widthOf(kept + letter) > width - 1) break;
    kept += letter;
  }
  return width < 1 ? "" : `${kept}…`;
}
