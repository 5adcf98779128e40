import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/compiler.ts";
import { isProgram } from "./program.ts";
import { type Sample, samplesIn } from "./samples.ts";

export interface Page {
  readonly path: string;
  readonly samples: readonly Sample[];
}

const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
const paths = ["README.md", "sdk/README.md", "provider/README.md", "plugin/README.md", ...inDocs.map((path) => join("docs", path)).sort()];

export const pages: readonly Page[] = paths.flatMap((path) => {
  const samples = samplesIn(readFileSync(join(root, path), "utf8"));
  return samples.length === 0 ? [] : [{ path, samples }];
});

/** Whether a sample is carried out. */
export function isRun({ language, title, run }: Sample): boolean {
  return title !== undefined || run || isShell(language);
}

export function isShell(language: string): boolean {
  return language === "sh" || language === "shell";
}

/** The TypeScript of a page's samples that are no files, as far as they belong to the one at this index. */
export function programUpTo(samples: readonly Sample[], index: number): string {
  const texts: string[] = [];
  for (const sample of samples.slice(0, index + 1).filter(isPartOfProgram)) {
    if (sample.anew) texts.length = 0;
    texts.push(sample.before, sample.text);
  }
  return texts.join("\n");
}

/** The texts of a page that compile each by itself: its files, its signatures, and its programs up to the last sample of each. */
export function programsOf(samples: readonly Sample[]): string[] {
  const alone = samples
    .filter((sample) => sample.language === "ts" && !sample.elsewhere && !isPartOfProgram(sample))
    .map(({ text }) => text);
  const parts = samples.flatMap((sample, at) => (isPartOfProgram(sample) ? [{ at, anew: sample.anew }] : []));
  const ends = parts.filter((_, part) => parts[part + 1]?.anew ?? true);
  return [...alone, ...ends.map(({ at }) => programUpTo(samples, at))];
}

function isPartOfProgram({ language, title, text }: Sample): boolean {
  return language === "ts" && title === undefined && isProgram(text);
}
