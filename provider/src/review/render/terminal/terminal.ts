import { type Block, type Branch, type Done, type Inline, type Line, visible } from "../blocks.ts";
import { diagramText } from "../diagram.ts";
import { columnsOf, widthOf, wrapped } from "./lines.ts";
import { file, type Screen } from "./screen.ts";

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
    const [first = "", ...others] = wrapped(`${mark} ${lineOf(line)}`, roomOf(place, rails.length + 3));
    const own = [`${place.indent}${rails}${corner}${coloured(first, colour, place.screen)}`];
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
  return width === undefined ? undefined : Math.max(20, width - widthOf(indent) - taken);
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
