import { existsSync, readFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";

/** A table; columns that are empty in every row are left out. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = heads.map((_, column) => rows.some((row) => (row[column] ?? "") !== ""));
  const line = (cells: readonly string[]): string => `| ${cells.filter((_, column) => used[column]).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map((row) => line(row.map(cell)))].join("\n");
}

/** A text for a cell: in one line, with bars escaped. */
function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}

/** The text of a file of this project, with line feeds even if it was checked out with other line ends; empty if there is no such file. */
export function textOf(path: string): string {
  const file = new URL(`../../${path}`, import.meta.url);
  return existsSync(file) ? readFileSync(file, "utf8").replaceAll("\r\n", "\n") : "";
}

/** A part of a page: what stands between `<!-- name -->` and `<!-- end -->`. */
const partOf = (name: string) => new RegExp(`(?<=<!-- ${name} -->\\n)[^]*?(?=<!-- end -->)`);

/** A page with new texts for its parts. */
export function withParts(page: string, parts: Readonly<Record<string, string>>): string {
  const stale = [...page.matchAll(/^<!-- ([\w-]+) -->$/gm)].find(([, name = ""]) => name !== "end" && !Object.hasOwn(parts, name));
  if (stale) throw new Error(`nothing writes the part ${stale[0]} of the page: remove it: ${page.slice(0, 60)} …`);
  return Object.entries(parts).reduce((text, [name, part]) => {
    if (!partOf(name).test(text)) throw new Error(`the page needs the part <!-- ${name} --> that is to be written: ${text.slice(0, 60)} …`);
    return text.replace(partOf(name), () => `\n${part.trim()}\n\n`);
  }, page);
}

/** The rows of the table in a part of a page. */
export function rowsIn(page: string, name: string): string[][] {
  const lines = (partOf(name).exec(page)?.[0] ?? "").split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) =>
    line
      .slice(2, -2)
      .split(" | ")
      .map((text) => text.replaceAll("\\|", "|")),
  );
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function codes(texts: readonly string[]): string {
  return texts.map(code).join(", ");
}

/** A page of paragraphs. Missing ones are left out. */
export function page(...paragraphs: readonly (string | undefined)[]): string {
  return `${paragraphs.filter((paragraph) => paragraph !== undefined && paragraph !== "").join("\n\n")}\n`;
}

/** The name of a class, a function or an operation as the name of a file: `NodePool` is in `node-pool`. */
export function fileNameOf(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `-${letter}`).toLowerCase();
}

/** The first sentence of a text, without its full stop. */
export function firstSentence(text: string): string {
  return /^(.+?)\.(?=\s|$)/s.exec(text)?.[1] ?? text;
}

/** A generated text in the project's format. */
export async function formatted(text: string, parser: "json" | "typescript"): Promise<string> {
  return format(text, { ...(await resolveConfig(new URL(import.meta.url))), parser });
}
