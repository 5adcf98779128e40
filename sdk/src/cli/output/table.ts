import type { Json } from "../../operation/codec.ts";
import { fitted } from "./fit.ts";
import { type Section, sectionsOf } from "./sections.ts";

/** Spaces around the content of a cell. */
const padding = 4;
/** The edges of a box. */
const border = 2;

/** The terminal that a table is for. */
export interface Terminal {
  /** How many columns it has. */
  readonly width: number;
  /** Whether the table may leave out what does not fit. It must not where a file or a program reads it. */
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
  const { fitting, left } = fitted(sections, width, { edges: edgesOf, widthOfText });
  return `${drawn(fitting)}${left.length === 0 ? "" : `Not shown: ${left.join(", ")}. All is in --output json; --filter chooses.\n`}`;
}

function drawn(sections: readonly Section[]): string {
  const all = widest(sections);
  return ["-".repeat(all), ...sections.flatMap((section) => draw(section, all))].map((line) => `${line}\n`).join("");
}

/** What a section with so many columns needs besides the content of its cells. */
function edgesOf({ depth }: Section, columns: number): number {
  return border + 2 * depth + columns * padding + Math.max(columns - 1, 0);
}

function widest(sections: readonly Section[]): number {
  return greatest(sections.map(widthOf));
}

function widthOf(section: Section): number {
  const columns = contents(section).map((content) => content + padding);
  return Math.max(sum(columns) + columns.length - 1, widthOfText(section.title)) + border + 2 * section.depth;
}

/** The widest content of each column. */
function contents({ headers, rows }: Section): number[] {
  const lines = [headers, ...rows];
  const columns = greatest(lines.map((line) => line.length));
  return Array.from({ length: columns }, (_, column) => greatest(lines.map((line) => widthOfText(line[column] ?? ""))));
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
  const space = width - widthOfText(text);
  return " ".repeat(Math.floor(space / 2)) + text + " ".repeat(Math.ceil(space / 2));
}

function atLeft(text: string, width: number): string {
  return `  ${text}${" ".repeat(width - widthOfText(text) - 2)}`;
}

const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3001-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const withoutWidth = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** How many columns of a terminal a text takes. */
function widthOfText(text: string): number {
  return sum(Array.from(text, (letter) => (withoutWidth.test(letter) ? 0 : wide.test(letter) ? 2 : 1)));
}

function greatest(numbers: readonly number[]): number {
  return numbers.reduce((greatest, number) => Math.max(greatest, number), 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
