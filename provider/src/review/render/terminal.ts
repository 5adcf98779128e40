import { type Block, type Inline, type Line, visible } from "./blocks.ts";
import { diagramText } from "./diagram.ts";

/** A document for a terminal: plain text, without control characters from the program. */
export function terminal(blocks: readonly Block[], indent = ""): string {
  return blocks
    .map((block) => rendered(block, indent))
    .filter((text) => text !== "")
    .join("\n\n");
}

function rendered(block: Block, indent: string): string {
  switch (block.block) {
    case "heading":
      return `${indent}${block.level === 2 ? lineOf(block.line).toUpperCase() : `${lineOf(block.line)}:`}`;
    case "alert":
      return block.lines.map((line, index) => `${indent}${index === 0 ? "" : "  - "}${lineOf(line)}`).join("\n");
    case "paragraph":
      return `${indent}${lineOf(block.line)}`;
    case "list":
      return block.items.map((item, index) => `${indent}${block.ordered ? `${index + 1}.` : "-"} ${lineOf(item)}`).join("\n");
    case "table":
      return table(block.head, block.rows)
        .map((line) => `${indent}${line}`.trimEnd())
        .join("\n");
    case "details":
      return [`${indent}${lineOf(block.summary)}`, terminal(block.blocks, `${indent}  `).replaceAll("\n\n", "\n")]
        .filter((text) => text.trim() !== "")
        .join("\n");
    case "diagram":
      return terminal(diagramText(block.diagram), indent);
  }
}

function table(head: readonly string[], rows: readonly (readonly Line[])[]): string[] {
  const all = [head, ...rows.map((cells) => cells.map(lineOf))];
  const widths = head.map((_, column) => Math.min(44, Math.max(...all.map((cells) => (cells[column] ?? "").length))));
  return all.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
}

function lineOf(line: Line): string {
  return line.map((part: Inline) => visible(typeof part === "string" ? part : "strong" in part ? part.strong : part.code)).join("");
}
