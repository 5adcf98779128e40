import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { componentsPage } from "./docs/components.ts";
import { conformancePage, distributionPage, providerGuidePage } from "./docs/conformance.ts";
import { reportJsonSchema, reviewDefinitions } from "./docs/definitions.ts";
import { errorCodesPage } from "./docs/error-codes.ts";
import { functionPages } from "./docs/functions.ts";
import { operationPages } from "./docs/operations.ts";
import { pluginSchema } from "./docs/plugin-schema.ts";
import { registryFiles } from "./docs/registry.ts";
import { registryPages } from "./docs/registry-pages.ts";
import { publicApiPage } from "./docs/public-api.ts";
import { referencePage, resourcePages } from "./docs/resources.ts";

// Writes the generated pages and the reviewer's tables from the definitions, and the pages of conformance from the tests.
// `--check` writes nothing: it lists the files that are not up to date, and exits with 1 if it finds any.
const docs = fileURLToPath(new URL("../docs/", import.meta.url));
const check = process.argv.includes("--check");
// These are written first: policies read the definitions.
const sources = new Map([["../provider/src/review/plan/definitions.ts", await reviewDefinitions()]]);
if (!check) write(staleOf(sources));
const schema = await pluginSchema();
const { policiesPage } = await import("./docs/policies.ts");
const pages = new Map([
  ...sources,
  ...resourcePages(),
  ...functionPages(),
  ...operationPages(),
  ...(await registryFiles()),
  ["reference/README.md", referencePage()],
  ["reference/error-codes.md", errorCodesPage()],
  ["reference/policies.md", policiesPage()],
  ["reference/components.md", componentsPage()],
  ["contributing/conformance.md", conformancePage()],
  ["contributing/distribution.md", distributionPage()],
  ["contributing/provider-guide.md", providerGuidePage()],
  ["contributing/public-api-coverage.md", await publicApiPage()],
  ["../plugin/schema.json", schema],
  ...registryPages(schema),
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

/** The text of a file, with line feeds even if it was checked out with other line ends. */
function textOf(file: string): string | undefined {
  return existsSync(join(docs, file)) ? readFileSync(join(docs, file), "utf8").replaceAll("\r\n", "\n") : undefined;
}

/**
 * The index in the form of https://llmstxt.org: the first paragraph of the README, then the sections of `docs/README.md` with their links. Pages
 * that it does not link, such as those of each resource, are in its last section.
 */
function llmsFile(): string {
  const [title = "", summary = ""] = (textOf("../README.md") ?? "").split("\n\n");
  const [, ...sections] = (textOf("README.md") ?? "").split(/^## /m);
  const linked = sections.filter((section) => section.includes("\n- ")).map((section) => `## ${section.trim()}`);
  const all = new Set([...filesIn("."), ...pages.keys()]);
  const others = [...all].filter((file) => /^(?!README|\.).*\.md$/.test(file) && !linked.some((text) => text.includes(`](${file})`)));
  const titleOf = (file: string) => /^# (.*)$/m.exec(pages.get(file) ?? textOf(file) ?? "")?.[1] ?? file;
  const listed = others.sort().map((file) => `- [${titleOf(file)}](${file})`);
  return `${[title, `> ${summary.replaceAll("\n", " ")}`, ...linked, "## Optional", listed.join("\n")].join("\n\n")}\n`;
}
