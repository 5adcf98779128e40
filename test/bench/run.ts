import { client } from "./client.ts";
import { engine, large, thousand } from "./engine.ts";
import { costs } from "./costs.ts";
import { boundOf, type Figure, median, rangeOf, type Verdict, verdictOf } from "./figure.ts";
import { kubernetes } from "./kubernetes.ts";
import { levers } from "./levers.ts";
import { moto } from "./moto.ts";
import { native } from "./native.ts";
import { packages } from "./packages.ts";
import { machine, sectionOf, writeSection } from "./page.ts";
import { platform } from "./platform.ts";
import { review } from "./review.ts";
import { terraform } from "./terraform.ts";

// `npm run bench`: everything but `kubernetes`, which may first have to be built, `large`, and what has no goals. `npm run bench -- platform large`: only what is named so. Each writes its part of a page.

const groups = { packages, engine, thousand, native, platform, moto, client, review, kubernetes, large } as const;
const usual = ["packages", "engine", "thousand", "native", "platform", "moto", "client", "review"] as const;
/** What has no goals: a text, or none where it cannot be measured. */
const tables = { costs, levers, terraform } as const;

const selected = process.argv.slice(2);
const names = [...Object.keys(groups), ...Object.keys(tables)];
const unknown = selected.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`there is nothing to measure that is called ${unknown.join(", ")}: it is ${names.join(", ")}`);
  process.exit(2);
}

const verdicts = new Set<Verdict>();
for (const [name, measure] of Object.entries(groups)) {
  if (!(selected.length === 0 ? usual.some((one) => one === name) : selected.includes(name))) continue;
  const figures = await measure();
  // At once: what is measured after it takes long, and may fail.
  figures.forEach(tell);
  for (const figure of figures) verdicts.add(verdictOf(figure));
  await writeSection(name, sectionOf(machine(), figures));
}
for (const [name, measure] of Object.entries(tables)) {
  const table = selected.includes(name) ? await measure() : undefined;
  if (table !== undefined) await writeSection(name, table, name === "levers" ? "guides/faster-updates.md" : undefined);
}

process.exit(verdicts.has("FAIL") ? 1 : 0);

function tell(figure: Figure): void {
  const bound = boundOf(figure) && `goal: ${boundOf(figure)}; `;
  console.log(`${verdictOf(figure).padEnd(4)}  ${figure.name}: ${median(figure.measured).toFixed(2)} (${bound}${rangeOf(figure)})`);
}
