import type { Report } from "../report.ts";
import {
  type Block,
  type Branch,
  code,
  type Done,
  everything,
  type Extent,
  heading,
  type Inline,
  type Line,
  list,
  paragraph,
  strong,
  type Tone,
  visible,
} from "./blocks.ts";
import { operationWords } from "./change.ts";
import { documentOf, isEnding, summaryBlocks } from "./document.ts";
import { mermaidOf } from "./diagram.ts";

/** The longest comments, in characters (of which there are never more than UTF-16 units), with room for what a forge adds. */
export const limits = { github: 65_000, gitlab: 990_000 } as const;

/** The comment for a stack: a marker by which the next run finds it, and as much of the report as fits. */
export function comment(report: Report, limit: number, whole: string): string {
  const marker = markerOf(report);
  const body = fitted(report, limit - marker.length - 1, whole);
  return body === "" ? "" : `${marker}\n${body}\n`;
}

/** The marker. It is invisible, and contains nothing that could end the HTML comment. */
export function markerOf({ project = "", stack = "", about }: Pick<Report, "project" | "stack"> & { readonly about: string }): string {
  const name = `${about} ${project}/${stack}`.replaceAll(/[^\w./ -]|--+/g, "_");
  return `<!-- container-platform-review: ${name} -->`;
}

/** Characters that a change takes at least: a line such as "- `Vpc a` changed", and a name such as "`a`, ". */
const leastLine = 15;
/** With what it means, in a part that folds. */
const leastExplained = 70;
const leastName = 5;

/** As much of a report as fits. Deletions and replacements are always in it. */
function fitted(report: Report, limit: number, whole: string): string {
  const draft = (extent: Extent) => markdown(documentOf(report, extent, whole));
  // Each change takes a line with its name, and each deletion its name at least: of very many, nothing has to be rendered to know.
  const most = report.changes.length;
  const ends = report.changes.filter(isEnding).length;
  if (most * leastExplained <= limit) {
    const full = draft(everything);
    if (full.length <= limit) return full;
  }
  const short: Extent = { ...everything, cascades: "named", reasons: 20, appendix: false };
  const levels: (readonly [least: number, each: number, extent: (amount: number) => Extent])[] = [
    [most * leastLine, leastExplained, (detailed) => ({ ...everything, detailed, reasons: 20 })],
    [most * leastLine, leastExplained, (detailed) => ({ ...short, detailed })],
    [ends * leastLine, leastLine, (named) => ({ ...short, detailed: 0, named })],
    [ends * leastName, leastLine, (named) => ({ ...short, detailed: 0, named, endings: "named", reasons: 10 })],
  ];
  for (const [least, each, level] of levels) {
    if (least > limit) continue;
    const found = mostThatFits(Math.min(most, Math.floor(limit / each)), limit, (amount) => draft(level(amount)));
    if (found !== undefined) return found;
  }
  return tooLong(report, whole);
}

/** What of a draft may be left free: each draft is rendered anew. */
const free = 0.02;

/**
 * The longest draft that fits, or one that is hardly shorter; `undefined` if not even the one of 0 fits. With the amount, drafts grow about
 * evenly: so the next amount to try follows from the lengths of those before.
 */
function mostThatFits(most: number, limit: number, draft: (amount: number) => string): string | undefined {
  let low = { amount: 0, text: draft(0) };
  if (low.text.length > limit) return undefined;
  let high = most + 1;
  for (let [next, tries] = [Math.min(most, first), 1]; next > low.amount && next < high; tries++) {
    const text = draft(next);
    const each = Math.max(1, (text.length - low.text.length) / (next - low.amount));
    if (text.length <= limit) low = { amount: next, text };
    else high = next;
    if (limit - low.text.length < limit * free) break;
    const reached = tries > evenTries ? Math.ceil((low.amount + high) / 2) : low.amount + Math.floor((limit - low.text.length) / each);
    next = Math.min(Math.max(reached, low.amount + 1), high - 1);
  }
  return low.text;
}

/** The amount of the first draft, from which it follows how long others are. */
const first = 16;
/** After so many, drafts are taken to grow unevenly, and the middle is tried. */
const evenTries = 4;

/** The comment if not even the names of all deletions and replacements fit: how many of which kind, and the worst of them. */
function tooLong(report: Report, whole: string): string {
  const ends = report.changes.filter(isEnding);
  const worst = report.changes
    .slice(0, mostNamed)
    .map(({ called, operation }): Line => [
      code(called.length > 200 ? `${called.slice(0, 200)}…` : called),
      ` ${operationWords[operation]}`,
    ]);
  const none: Extent = { ...everything, reasons: 0, detailed: 0, named: 0, appendix: false };
  return markdown([
    ...summaryBlocks(report, none),
    heading(3, "The worst of them"),
    ...list(worst),
    paragraph(
      strong("Left out for lack of space"),
      `: ${ends.length - Math.min(ends.length, mostNamed)} more deletions and replacements are not named, and nothing is explained. The whole report: ${whole}`,
    ),
  ]);
}

const mostNamed = 20;

const tones: Readonly<Record<Tone, string>> = { blocked: "CAUTION", "needs-approval": "WARNING", safe: "TIP" };

/** Forges show no colours in Markdown, but those of emoji. The words beside them say the same. */
const marks: Readonly<Record<Done, string>> = {
  refused: "⛔",
  delete: "🔴",
  replace: "🟠",
  update: "🟡",
  create: "🟢",
  adopt: "🔵",
  detach: "⚪",
};

/** A document as Markdown for comments of GitHub and GitLab. Texts of a program are escaped, so that they are shown as text. */
export function markdown(blocks: readonly Block[]): string {
  return blocks.map(rendered).join("\n\n");
}

function rendered(block: Block): string {
  switch (block.block) {
    case "heading":
      return `${"#".repeat(block.level)} ${lineOf(block.line)}`;
    case "alert":
      return [`> [!${tones[block.tone]}]`, ...alertLines(block.lines)].join("\n");
    case "paragraph":
      return lineOf(block.line);
    case "list":
      return block.items.map((item, index) => `${block.ordered ? `${index + 1}.` : "-"} ${lineOf(item)}`).join("\n");
    case "table":
      return [row(block.head.map((cell) => [cell])), `| ${block.head.map(() => "---").join(" | ")} |`, ...block.rows.map(row)].join("\n");
    case "details":
      return `<details${block.open ? " open" : ""}><summary>${block.does === undefined ? "" : `${marks[block.does]} `}${block.summary.map(htmlInline).join("")}</summary>\n\n${markdown(block.blocks)}\n\n</details>`;
    case "tree":
      return branchesOf(block.branches, "").join("\n");
    case "diagram":
      return `\`\`\`mermaid\n${mermaidOf(block.diagram)}\n\`\`\``;
  }
}

function branchesOf(branches: readonly Branch[], indent: string): string[] {
  return branches.flatMap(({ does, line, branches: below }) => [
    `${indent}- ${marks[does]} ${lineOf(line)}`,
    ...branchesOf(below, `${indent}  `),
  ]);
}

function alertLines([first = [], ...others]: readonly Line[]): string[] {
  return [`> ${lineOf(first)}`, ...(others.length > 0 ? [">"] : []), ...others.map((line) => `> - ${lineOf(line)}`)];
}

function row(cells: readonly Line[]): string {
  return `| ${cells.map((cell) => lineOf(cell, true)).join(" | ")} |`;
}

function lineOf(line: Line, inTable = false): string {
  return line.map((part, index) => inline(part, inTable, index === 0)).join("");
}

function inline(part: Inline, inTable: boolean, starts: boolean): string {
  if (typeof part === "string") return starts ? escapedStart(escaped(part)) : escaped(part);
  if ("strong" in part) return `**${escaped(part.strong)}**`;
  const code = fenced(part.code);
  return inTable ? code.replaceAll("|", "\\|") : code;
}

/** A text without any Markdown, mentions or links. */
const escaped = remembered((text: string): string =>
  visible(text)
    .replaceAll(/[\\`*_{}[\]()#+!|<>~$&^=]/g, "\\$&")
    .replaceAll(/\\&/g, "&amp;")
    .replaceAll(/\\</g, "&lt;")
    .replaceAll(/@(?=\w)/g, "@<!-- -->")
    .replaceAll(/\b(https?|ftp)(?=:\/\/)|\bwww(?=\.)/gi, "$&<!-- -->"),
);

/** A cache: a comment is rendered several times until it fits, with the same texts. */
function remembered(render: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text) ?? render(text);
    known.set(text, found);
    return found;
  };
}

/** A text at the beginning of a line, which must not begin a list. */
function escapedStart(text: string): string {
  return text
    .trimStart()
    .replace(/^-/, "\\-")
    .replace(/^(\d+)([.)])/, "$1\\$2");
}

/** Code between more backticks than the text has in a row. */
const fenced = remembered((text: string): string => {
  const shown = visible(text);
  if (shown.trim() === "") return shown === "" ? "*empty*" : "*spaces*";
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const pad = shown.startsWith("`") || shown.endsWith("`") || (shown.startsWith(" ") && shown.endsWith(" ")) ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
});

/** A part of a summary, which is HTML: forges do not read Markdown there. */
function htmlInline(part: Inline): string {
  if (typeof part === "string") return html(part);
  return "strong" in part ? `<strong>${html(part.strong)}</strong>` : `<code>${html(part.code)}</code>`;
}

const html = remembered((text: string): string =>
  visible(text).replaceAll(/[&<>"'@#`*_~[\]()|\\:!]/g, (sign) => `&#${sign.charCodeAt(0)};${sign === "@" ? "<!-- -->" : ""}`),
);
