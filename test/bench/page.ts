import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { root } from "../support/compiler.ts";
import { boundOf, type Figure, median, rangeOf, verdictOf } from "./figure.ts";

const page = join(root, "docs", "performance.md");

const titles: Readonly<Record<string, string>> = {
  packages: "What is installed and loaded",
  engine: "With Pulumi's engine",
  native: "The native plugin",
  platform: "The local platform",
  moto: "The local platform beside moto",
  client: "cpcli",
  review: "The reviewer",
};

/** What stands between these lines is written by `npm run bench`; what is around it, such as the reasons of goals that are missed, by hand. */
const [begin, end] = ["<!-- figures: begin -->", "<!-- figures: end -->"] as const;

/** Writes the figures into `docs/performance.md`, with the machine that they were measured on. */
export async function writePage(sections: readonly (readonly [string, readonly Figure[]])[]): Promise<void> {
  const text = readFileSync(page, "utf8");
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no ${begin} and ${end}`);
  const tables = sections.map(([name, figures]) => `## ${titles[name] ?? name}\n\n${tableOf(figures)}`);
  const written = [before + begin, machine(), ...tables, end + after].join("\n\n");
  writeFileSync(page, await format(written, { ...(await resolveConfig(page)), filepath: page }));
}

function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const verdict = { pass: "", FAIL: "missed", "": "" }[verdictOf(figure)];
    return `| ${figure.name} | ${boundOf(figure)} | ${median(figure.measured).toFixed(2)} | ${rangeOf(figure)} | ${verdict} |`;
  });
  return ["| Figure | Goal | Median | From … to | |", "| - | - | -: | -: | - |", ...rows].join("\n");
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
