import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { root } from "../support/compiler.ts";
import { boundOf, type Figure, median, rangeOf, verdictOf } from "./figure.ts";

const page = join(root, "docs", "contributing", "performance.md");

/** Writes what was measured of a group into `docs/contributing/performance.md`, with the machine and the date. What stands around it stays. */
export async function writeSection(group: string, figures: readonly Figure[]): Promise<void> {
  const text = withSection(readFileSync(page, "utf8"), group, sectionOf(machine(), figures));
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}

/** A page with another text in the place of a group. */
export function withSection(text: string, group: string, section: string): string {
  const [begin, end] = [`<!-- ${group}: begin -->`, `<!-- ${group}: end -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no ${begin} and ${end}`);
  return [before + begin, section, end + after].join("\n\n");
}

/** What was measured as a table, and below it why goals are missed. */
export function sectionOf(where: string, figures: readonly Figure[]): string {
  const missed = figures.filter((figure) => verdictOf(figure) === "FAIL").map((figure) => figure.missed);
  const reasons = [...new Set(missed)].filter((reason) => reason !== undefined);
  const rows = figures.map((figure) => {
    const cells = [figure.name, boundOf(figure), median(figure.measured).toFixed(2), rangeOf(figure), remarkOn(figure, reasons)];
    return `| ${cells.join(" | ")} |`;
  });
  const table = ["| Figure | Goal | Median | From … to | |", "| - | - | -: | -: | - |", ...rows].join("\n");
  const listed = reasons.map((reason, index) => `${index + 1}. ${reason}`).join("\n");
  return [where, table, ...(listed === "" ? [] : [listed])].join("\n\n");
}

function remarkOn(figure: Figure, reasons: readonly string[]): string {
  if (verdictOf(figure) !== "FAIL") return "";
  return figure.missed === undefined ? "missed" : `missed (${reasons.indexOf(figure.missed) + 1})`;
}

function machine(): string {
  const [processor] = cpus();
  const model = processor?.model.trim() ?? "";
  const memory = Math.round(totalmem() / 2 ** 30);
  const engine = execFileSync("pulumi", ["version"], { encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const processors = `${cpus().length} processors${model === "" || model === "unknown" ? "" : ` (${model})`}`;
  return `Measured on ${date}: ${processors}, ${memory} GB of memory, Linux, Node ${process.versions.node}, Pulumi ${engine}.`;
}
