import type { Report } from "../report.ts";
import { chainsBy } from "../plan/graph.ts";
import { type Block, type Branch, type Diagram, everything, type Inline, type Line, visible } from "./blocks.ts";
import { diagramText } from "./diagram.ts";
import { documentOf } from "./document.ts";

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
function pictureOf({ boxes, arrows }: Diagram, escaped: (text: string) => string): string {
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
  const needed = (id: string) => (needs.get(id) ?? []).map(({ to }) => to);
  const depthOf = chainsBy(needed, () => 1);
  return boxes.toSorted((one, other) => depthOf(one.id) - depthOf(other.id));
}

/** The page's style: one column, light or dark as the reader's system is. */
const style = `:root {
  --back: #ffffff; --text: #1f2328; --soft: #59636e; --line: #d1d9e0; --panel: #f6f8fa;
  --blocked: #b31d28; --needs-approval: #9a6700; --safe: #1a7f37;
  --refused: #57606a; --delete: #b31d28; --replace: #bc4c00; --update: #9a6700; --create: #1a7f37; --adopt: #0969da; --detach: #57606a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0d1117; --text: #e6edf3; --soft: #9198a1; --line: #3d444d; --panel: #151b23;
    --blocked: #ff7b72; --needs-approval: #d29922; --safe: #3fb950;
    --refused: #9198a1; --delete: #ff7b72; --replace: #ffa657; --update: #d29922; --create: #3fb950; --adopt: #79c0ff; --detach: #9198a1;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin-top: 2rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
code { font: .875em ui-monospace, monospace; background: var(--panel); padding: .1em .3em; border-radius: .25rem; }
.verdict { border-left: .3rem solid; padding: .1rem 1rem; background: var(--panel); }
.verdict.blocked { border-color: var(--blocked); }
.verdict.blocked > p > strong { color: var(--blocked); }
.verdict.needs-approval { border-color: var(--needs-approval); }
.verdict.needs-approval > p > strong { color: var(--needs-approval); }
.verdict.safe { border-color: var(--safe); }
.verdict.safe > p > strong { color: var(--safe); }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .6rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; }
.refused { --does: var(--refused); } .delete { --does: var(--delete); } .replace { --does: var(--replace); }
.update { --does: var(--update); } .create { --does: var(--create); } .adopt { --does: var(--adopt); }
.detach { --does: var(--detach); }
details[class] { border-left: .25rem solid var(--does); }
.tree { list-style: none; padding-left: 0; margin: .4rem 0; }
.tree .tree { margin: 0 0 0 .35rem; padding-left: .9rem; border-left: 1px solid var(--line); }
.tree li { padding: .1rem 0; }
.tree li::before { content: ""; display: inline-block; width: .7rem; height: .7rem; margin-right: .45rem; border-radius: 50%; background: var(--does); }
.graph { display: block; width: 100%; margin: .6rem 0; }
.graph text { font: 14px system-ui, sans-serif; fill: var(--text); }
.graph .says { fill: var(--does); }
.graph circle { fill: var(--does); }
.graph path { fill: none; stroke: var(--soft); stroke-opacity: .7; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
ul, ol { padding-left: 1.3rem; }
@media (max-width: 40rem) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { border: 1px solid var(--line); margin-bottom: .5rem; }
  td { border: 0; padding: .2rem .6rem; }
  td::before { content: attr(data-column) ": "; color: var(--soft); }
}`;
