import type { Json } from "../../operation/codec.ts";
import { type Section, sectionsOf } from "./sections.ts";

/** Spaces around the content of a cell. */
const padding = 4;
/** The edges of a box. */
const border = 2;

/**
 * A value as boxes, like those of the reference client and of aws-cli (awscli/table.py).
 *
 * @param width the terminal's width. If the table is wider, sections with a single row are turned, so that their headers are a column
 */
export function table(value: Json, title: string, width: number): string {
  const sections = sectionsOf(value, title);
  const turned = widest(sections) > width ? sections.map(turn) : sections;
  const all = widest(turned);
  return ["-".repeat(all), ...turned.flatMap((section) => draw(section, all))].map((line) => `${line}\n`).join("");
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
