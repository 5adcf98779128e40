import { widthOf } from "@container-platform/sdk/cli";
import { type Block, type Branch, type Done, type Inline, type Line, visible } from "./blocks.ts";
import { diagramText } from "./diagram.ts";

/** A document for a terminal: text without control characters from the program. */
export function terminal(blocks: readonly Block[], screen: Screen = file): string {
  return blocksOf(blocks, { screen, indent: "" });
}

interface Place {
  readonly screen: Screen;
  readonly indent: string;
}

/** As Pulumi marks and colours them. */
const marks = {
  refused: ["!", 31],
  delete: ["-", 31],
  replace: ["±", 35],
  update: ["~", 33],
  create: ["+", 32],
  adopt: ["=", 36],
  detach: ["o", 90],
} as const satisfies Record<Done, readonly [string, number]>;
const tones = { blocked: 31, "needs-approval": 33, safe: 32 } as const;

function blocksOf(blocks: readonly Block[], place: Place): string {
  return blocks
    .map((block) => rendered(block, place))
    .filter((text) => text !== "")
    .join("\n\n");
}

function rendered(block: Block, place: Place): string {
  const { screen, indent } = place;
  switch (block.block) {
    case "heading":
      return bold(filled(place, "", block.level === 2 ? lineOf(block.line).toUpperCase() : `${lineOf(block.line)}:`), screen);
    case "alert":
      return block.lines
        .map((line, index) =>
          index === 0 ? coloured(filled(place, "", lineOf(line)), tones[block.tone], screen) : filled(place, "  - ", lineOf(line)),
        )
        .join("\n");
    case "paragraph":
      return filled(place, "", lineOf(block.line));
    case "list":
      return block.items.map((item, index) => filled(place, block.ordered ? `${index + 1}. ` : "- ", lineOf(item))).join("\n");
    case "table":
      return columnsOf(
        block.head,
        block.rows.map((cells) => cells.map(lineOf)),
        roomOf(place),
      )
        .map((line) => `${indent}${line}`.trimEnd())
        .join("\n");
    case "details":
      return [summaryOf(block, place), blocksOf(block.blocks, { screen, indent: `${indent}  ` }).replaceAll("\n\n", "\n")]
        .filter((text) => text.trim() !== "")
        .join("\n");
    case "tree":
      return branchesOf(block.branches, place, "").join("\n");
    case "diagram":
      return blocksOf(diagramText(block.diagram), place);
  }
}

function summaryOf({ does, summary }: Extract<Block, { block: "details" }>, place: Place): string {
  if (does === undefined) return filled(place, "", lineOf(summary));
  const [mark, colour] = marks[does];
  return coloured(filled(place, `${mark} `, lineOf(summary)), colour, place.screen);
}

/** A tree, with lines that lead from each to what is below it. */
function branchesOf(branches: readonly Branch[], place: Place, rails: string): string[] {
  return branches.flatMap(({ does, line, branches: below }, index) => {
    const isLast = index === branches.length - 1;
    const [mark, colour] = marks[does];
    const [corner, rail] = isLast ? ["└─ ", "   "] : ["├─ ", "│  "];
    const [first = "", ...others] = wrapped(lineOf(line), roomOf(place, rails.length + 5));
    const own = [`${place.indent}${rails}${corner}${coloured(`${mark} ${first}`, colour, place.screen)}`];
    const more = others.map((text) => `${place.indent}${rails}${rail}  ${coloured(text, colour, place.screen)}`);
    return [...own, ...more, ...branchesOf(below, place, `${rails}${rail}`)];
  });
}

/** A text within the width, its first line after `lead`, and the others below the first. */
function filled(place: Place, lead: string, text: string): string {
  const [first = "", ...others] = wrapped(text, roomOf(place, lead.length));
  return [`${place.indent}${lead}${first}`, ...others.map((line) => `${place.indent}${" ".repeat(lead.length)}${line}`)].join("\n");
}

/** The columns that are left of a line. */
function roomOf({ screen: { width }, indent }: Place, taken = 0): number | undefined {
  return width === undefined ? undefined : Math.max(12, width - widthOf(indent) - taken);
}

function coloured(text: string, colour: number, { colours }: Screen): string {
  return colours ? `\u001b[${colour}m${text}\u001b[39m` : text;
}

function bold(text: string, { colours }: Screen): string {
  return colours ? `\u001b[1m${text}\u001b[22m` : text;
}

function lineOf(line: Line): string {
  return line.map((part: Inline) => visible(typeof part === "string" ? part : "strong" in part ? part.strong : part.code)).join("");
}

/** A text in lines of at most a width. A word that is longer is broken. */
function wrapped(text: string, width: number | undefined): string[] {
  if (width === undefined || widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((one) => broken(one, width))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

function broken(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word];
  const parts: string[] = [];
  let part = "";
  for (const letter of word) {
    if (widthOf(part) + widthOf(letter) > width) {
      parts.push(part);
      part = "";
    }
    part += letter;
  }
  return [...parts, part];
}

/** Columns between two cells. */
const gap = 2;
/** Columns of a cell, where nothing limits the width of a line. */
const most = 60;

/** A table in lines of at most a width: its longest cells are wrapped. */
function columnsOf(head: readonly string[], rows: readonly (readonly string[])[], room: number | undefined): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => all.reduce((widest, cells) => Math.max(widest, widthOf(cells[column] ?? "")), 0));
  const total = room === undefined ? Infinity : room - gap * (head.length - 1);
  for (let over = widths.reduce((sum, one) => sum + one, 0) - total; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 8) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const limited = room === undefined ? widths.map((one) => Math.min(one, most)) : widths;
  return all.flatMap((cells) => {
    const wrappedCells = cells.map((cell, column) => (room === undefined ? [cell] : wrapped(cell, limited[column] ?? most)));
    const height = Math.max(...wrappedCells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      wrappedCells
        .map((lines, column) => padded(lines[line] ?? "", limited[column] ?? 0))
        .join(" ".repeat(gap))
        .trimEnd(),
    );
  });
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** What a text is printed to. */
export interface Screen {
  /** Columns of a line; longer ones are wrapped. `undefined`: none are, such as in a file. */
  readonly width: number | undefined;
  readonly colours: boolean;
}

const file: Screen = { width: undefined, colours: false };

/** The screen that a stream is: with a width and colours only if it is a terminal, and no colours if `NO_COLOR` is set. */
export function screenOf(stream: { readonly isTTY?: boolean; readonly columns?: number; readonly hasColors?: () => boolean }): Screen {
  if (stream.isTTY !== true) return file;
  // A terminal that tells no width is one of 80 columns.
  return { width: Math.max(40, stream.columns ?? 80), colours: stream.hasColors?.() === true };
}
