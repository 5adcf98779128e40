import type { Report } from "../../report.ts";
import { type Block, type Branch, type Inline, type Line, visible } from "../blocks.ts";
import { diagramText } from "../diagram.ts";
import { documentOf } from "../document.ts";
import { everything } from "../extent.ts";
import { pictureOf } from "./picture.ts";
import { style } from "./style.ts";

/** The whole report as a page, without scripts and without anything loaded from elsewhere. */
export function htmlPage(report: Report): string {
  const blocks = documentOf(report, everything, "this page");
  const title = `Review of ${report.stack ?? "a stack"}`;
  const body = blocks.length === 0 ? "<p>Nothing changes.</p>" : blocks.map(rendered).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${text(title)}</title>
<style>
${style}
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

function rendered(block: Block): string {
  switch (block.block) {
    case "heading":
      return `<h${block.level - 1}>${lineOf(block.line)}</h${block.level - 1}>`;
    case "alert":
      return alert(block);
    case "paragraph":
      return `<p>${lineOf(block.line)}</p>`;
    case "list": {
      const tag = block.ordered ? "ol" : "ul";
      return `<${tag}>\n${block.items.map((item) => `<li>${lineOf(item)}</li>`).join("\n")}\n</${tag}>`;
    }
    case "table":
      return table(block.head, block.rows);
    case "details":
      return `<details${block.does === undefined ? "" : ` class="${block.does}"`}${block.open ? " open" : ""}><summary>${lineOf(block.summary)}</summary>\n${block.blocks.map(rendered).join("\n")}\n</details>`;
    case "diagram":
      return `${pictureOf(block.diagram, text)}\n${diagramText(block.diagram).map(rendered).join("\n")}`;
    case "tree":
      return branchesOf(block.branches);
  }
}

function branchesOf(branches: readonly Branch[]): string {
  const items = branches.map(
    ({ does, line, branches: below }) => `<li class="${does}">${lineOf(line)}${below.length > 0 ? `\n${branchesOf(below)}\n` : ""}</li>`,
  );
  return `<ul class="tree">\n${items.join("\n")}\n</ul>`;
}

/** So many reasons are read at once; what comes after them is folded, so that what changes is not far below. */
const mostReasons = 20;

function alert({ tone, lines: [first = [], ...others] }: Extract<Block, { block: "alert" }>): string {
  const list = (lines: readonly Line[]) =>
    lines.length > 0 ? `\n<ul>\n${lines.map((line) => `<li>${lineOf(line)}</li>`).join("\n")}\n</ul>` : "";
  const folded = others.slice(mostReasons);
  const more = folded.length > 0 ? `\n<details><summary>${folded.length} more</summary>${list(folded)}\n</details>` : "";
  return `<section class="verdict ${tone}">\n<p>${lineOf(first)}</p>${list(others.slice(0, mostReasons))}${more}\n</section>`;
}

/** A table. Each cell has its column's name, because on a narrow screen the rows are shown as lists. */
function table(head: readonly string[], rows: readonly (readonly Line[])[]): string {
  const cells = (row: readonly Line[]) =>
    row.map((cell, column) => `<td data-column="${text(head[column] ?? "")}">${lineOf(cell)}</td>`).join("");
  return `<table>
<thead><tr>${head.map((name) => `<th scope="col">${text(name)}</th>`).join("")}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells(row)}</tr>`).join("\n")}
</tbody>
</table>`;
}

function lineOf(line: Line): string {
  return line.map(inline).join("");
}

function inline(part: Inline): string {
  if (typeof part === "string") return text(part);
  return "strong" in part ? `<strong>${text(part.strong)}</strong>` : `<code>${text(part.code)}</code>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function text(plain: string): string {
  return visible(plain).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? "");
}
