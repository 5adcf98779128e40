import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { componentParts } from "./docs/components.ts";
import { conformanceParts, distributionParts, providerGuideParts } from "./docs/conformance.ts";
import { reportJsonSchema, reviewDefinitions } from "./docs/definitions.ts";
import { errorCodeParts } from "./docs/error-codes.ts";
import { functionPages } from "./docs/functions.ts";
import { textOf as read, withParts } from "./docs/markdown.ts";
import { operationPages, operationParts } from "./docs/operations.ts";
import { pluginSchema } from "./docs/plugin-schema.ts";
import { registryFiles } from "./docs/registry.ts";
import { configurationParts, overviewParts } from "./docs/registry-pages.ts";
import { publicApiParts } from "./docs/public-api.ts";
import { referenceParts, resourcePages } from "./docs/resources.ts";

// Writes the generated pages, and the generated parts of others: what is between `<!-- name -->` and `<!-- end -->`. They and the reviewer's
// tables are made from the definitions, and the lists of conformance from the tests.
// `--check` writes nothing: it lists the files that are not up to date, and exits with 1 if it finds any.
const docs = fileURLToPath(new URL("../docs/", import.meta.url));
const check = process.argv.includes("--check");
// These are written first: policies read the definitions.
const sources = new Map([["../provider/src/review/plan/definitions.ts", await reviewDefinitions()]]);
if (!check) write(staleOf(sources));
const schema = await pluginSchema();
const { policyParts } = await import("./docs/policies.ts");
/** The pages of which only parts are generated. */
const parted: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "_index.md": overviewParts(),
  "installation-configuration.md": configurationParts(schema),
  "reference/README.md": referenceParts(),
  "reference/api/README.md": operationParts(),
  "reference/error-codes.md": errorCodeParts(),
  "reference/policies.md": policyParts(),
  "reference/components.md": componentParts(),
  "contributing/conformance.md": conformanceParts(),
  "contributing/distribution.md": distributionParts(),
  "contributing/provider-guide.md": providerGuideParts(),
  "contributing/public-api-coverage.md": await publicApiParts(),
};
const pages = new Map([
  ...sources,
  ...resourcePages(),
  ...functionPages(),
  ...operationPages(),
  ...(await registryFiles()),
  ...Object.entries(parted).map(([file, parts]) => [file, withParts(textOf(file), parts)] as const),
  ["../plugin/schema.json", schema],
  ["../provider/review.schema.json", await reportJsonSchema()],
]);
pages.set("llms.txt", llmsFile());

const surplus = ["resources", "functions", "api"].flatMap((folder) => filesIn(`reference/${folder}`)).filter((file) => !pages.has(file));
const stale = staleOf(pages);

if (check) {
  for (const file of [...stale.map(([name]) => name), ...surplus]) console.error(`docs/${file} is not up to date with the definitions`);
  if (stale.length + surplus.length > 0) {
    console.error("`npm run fix` writes these files.");
    process.exitCode = 1;
  }
} else {
  for (const file of surplus) rmSync(join(docs, file));
  write(stale);
}

function staleOf(files: ReadonlyMap<string, string>): [file: string, text: string][] {
  return [...files].filter(([file, text]) => textOf(file) !== text);
}

function write(files: readonly (readonly [file: string, text: string])[]): void {
  for (const [file, text] of files) {
    mkdirSync(dirname(join(docs, file)), { recursive: true });
    writeFileSync(join(docs, file), text);
  }
}

function filesIn(folder: string): string[] {
  if (!existsSync(join(docs, folder))) return [];
  const entries = readdirSync(join(docs, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => relative(docs, join(parentPath, name)).replaceAll("\\", "/"));
}

function textOf(file: string): string {
  return read(`docs/${file}`);
}

/**
 * The index in the form of https://llmstxt.org: the first paragraph of the README, then the sections of `docs/README.md` with their links. Pages
 * that it does not link, such as those of each resource, are in its last section.
 */
function llmsFile(): string {
  const [title = "", summary = ""] = textOf("../README.md").split("\n\n");
  const [, ...sections] = textOf("README.md").split(/^## /m);
  const linked = sections.filter((section) => section.includes("\n- ")).map((section) => `## ${section.trim()}`);
  const all = new Set([...filesIn("."), ...pages.keys()]);
  const others = [...all].filter((file) => /^(?!README|\.).*\.md$/.test(file) && !linked.some((text) => text.includes(`](${file})`)));
  const titleOf = (file: string) => /^# (.*)$/m.exec(pages.get(file) ?? textOf(file))?.[1] ?? file;
  const listed = others.sort().map((file) => `- [${titleOf(file)}](${file})`);
  return `${[title, `> ${summary.replaceAll("\n", " ")}`, ...linked, "## Optional", listed.join("\n")].join("\n\n")}\n`;
}
