import { type Block, type Branch, type Done, type Inline, type Line, type Tone, visible } from "../blocks.ts";
import { mermaidOf } from "../diagram.ts";

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
      return [
        row(block.head.map((cell) => [cell])),
        row(
          block.head.map(() => ["---"]),
          true,
        ),
        ...block.rows.map((cells) => row(cells)),
      ].join("\n");
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

function row(cells: readonly Line[], plain = false): string {
  return `| ${cells.map((cell) => (plain ? cell.map(String).join("") : lineOf(cell, true))).join(" | ")} |`;
}

function lineOf(line: Line, inTable = false): string {
  return line.map((part, index) => inline(part, inTable, index === 0)).join("");
}

function inline(part: Inline, inTable: boolean, starts: boolean): string {
  if (typeof part === "string") return starts ? escapedStart(escaped(part)) : escaped(part);
  if ("strong" in part) return `**${escaped(part.strong)}**`;
  return codeOf(part.code, inTable);
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

function codeOf(text: string, inTable: boolean): string {
  const code = fenced(text);
  return inTable ? code.replaceAll("|", "\\|") : code;
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
