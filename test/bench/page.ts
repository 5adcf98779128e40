import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { root } from "../support/compiler.ts";
import { boundOf, type Figure, median, rangeOf, verdictOf } from "./figure.ts";

/** Writes what was measured of a group into a page of the documentation. What stands around it stays. */
export async function writeSection(group: string, section: string, page = "contributing/performance.md"): Promise<void> {
  const file = join(root, "docs", page);
  const text = withSection(readFileSync(file, "utf8"), group, section);
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

/** A page with another text in the place of a group. */
export function withSection(text: string, group: string, section: string): string {
  const [begin, end] = [`<!-- ${group}: begin -->`, `<!-- ${group}: end -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the page has no ${begin} and ${end}`);
  return [before + begin, section, end + after].join("\n\n");
}

/** What was measured as a table, and below it why goals are missed. */
export function sectionOf(where: string, figures: readonly Figure[]): string {
  const missed = figures.filter((figure) => verdictOf(figure) === "FAIL").map((figure) => figure.missed);
  const reasons = [...new Set(missed)].filter((reason) => reason !== undefined);
  const rows = figures.map((figure) => {
    const middle = median(figure.measured).toFixed(2);
    return [figure.name, boundOf(figure), middle, rangeOf(figure), remarkOn(figure, reasons)];
  });
  const table = tableOf("| Figure | Goal | Median | From … to | |", "| - | - | -: | -: | - |", rows);
  const listed = reasons.map((reason, index) => `${index + 1}. ${reason}`).join("\n");
  return [where, table, ...(listed === "" ? [] : [listed])].join("\n\n");
}

export function tableOf(head: string, rule: string, rows: readonly (readonly string[])[]): string {
  return [head, rule, ...rows.map((cells) => `| ${cells.join(" | ")} |`)].join("\n");
}

function remarkOn(figure: Figure, reasons: readonly string[]): string {
  if (verdictOf(figure) !== "FAIL") return "";
  return figure.missed === undefined ? "missed" : `missed (${reasons.indexOf(figure.missed) + 1})`;
}

/** The machine and the date of a measurement. */
export function machine(): string {
  const [processor] = cpus();
  const model = processor?.model.trim() ?? "";
  const memory = Math.round(totalmem() / 2 ** 30);
  const engine = execFileSync("pulumi", ["version"], { encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const processors = `${cpus().length} processors${model === "" || model === "unknown" ? "" : ` (${model})`}`;
  return `Measured on ${date}: ${processors}, ${memory} GB of memory, Linux, Node ${process.versions.node}, Pulumi ${engine}.`;
}
