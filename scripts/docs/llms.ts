import { readFileSync } from "node:fs";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8").replaceAll("\r\n", "\n");

/** The index in the form of https://llmstxt.org: the first paragraph of the README, then the sections of `docs/README.md` with their links. */
export function llmsFile(): Map<string, string> {
  const [title = "", summary = ""] = read("README.md").split("\n\n");
  const [, ...sections] = read("docs/README.md").split(/^## /m);
  const listed = sections.filter((section) => section.includes("\n- ")).map((section) => `## ${section.trim()}`);
  return new Map([["llms.txt", `${[title, `> ${summary.replaceAll("\n", " ")}`, ...listed].join("\n\n")}\n`]]);
}
