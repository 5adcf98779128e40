import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/compiler.ts";

/** The searches of a newcomer, each with the page that has to be found by its headings or by a line of the index. */

const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".md"))
  .map((path) => join("docs", path).replaceAll("\\", "/"));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface Line {
  readonly text: string;
  readonly pages: readonly string[];
}

const headings = pages.flatMap((path): Line[] => [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) => ({ text, pages: [path] })));
/** The lines of the index, and of the index of troubleshooting by printed message, each with its page and the pages that it links to. */
const entries = ["docs/README.md", "docs/troubleshooting/README.md"].flatMap((path): Line[] =>
  read(path)
    .replaceAll(/\n {2}(?=\S)/g, " ")
    .split("\n")
    .filter((text) => /^- |^\| `/.test(text))
    .map((text) => ({
      text,
      pages: [path, ...[...text.matchAll(/\]\(([^)#]+)/g)].map(([, link = ""]) => normalize(join(dirname(path), link)))],
    })),
);

/** Words in one form: lower case, without the ending of a plural. */
const wordsOf = (text: string): string[] => (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => word.replace(/s$/, ""));

function found(search: string): string[] {
  const asked = wordsOf(search);
  const matching = [...headings, ...entries].filter(({ text }) => {
    const words = new Set(wordsOf(text));
    return asked.every((word) => words.has(word));
  });
  return matching.flatMap(({ pages }) => pages);
}

const searches: Readonly<Record<string, readonly string[]>> = {
  "docs/get-started/quickstart.md": ["getting started", "install", "prerequisites"],
  "docs/reference/compatibility.md": [
    "requirements",
    "limitations",
    "not supported",
    "roadmap",
    "production ready",
    "windows",
    "arm64",
    "docker",
  ],
  "docs/concepts/emulator.md": ["emulator", "mock", "localstack alternative"],
  "docs/troubleshooting/README.md": ["troubleshooting", "LimitExceeded"],
  "docs/troubleshooting/interrupted-updates.md": ["interrupted while creating"],
  "docs/troubleshooting/corrupted-state.md": ["failed to load checkpoint"],
  "docs/troubleshooting/conflicts.md": ["already exists"],
  "docs/concepts/dual-stack.md": ["dual stack kubernetes pulumi", "IPv6 subnet"],
  "docs/guides/upgrade-kubernetes.md": ["upgrade kubernetes version"],
  "docs/get-started/connect-to-the-cloud.md": ["required permissions", "IAM policy", "least privilege"],
  "docs/reference/configuration.md": ["environment variables"],
  "docs/reference/error-codes.md": ["error codes"],
  "docs/troubleshooting/locked-stacks.md": ["state lock", "pulumi cancel"],
  "docs/guides/rename-and-move.md": ["rename resource", "move resource to another stack"],
  "docs/guides/move-from-terraform.md": ["migrate from Terraform"],
  "docs/concepts/overview.md": ["compare with"],
  "docs/guides/emulator-registries.md": ["docker push"],
  "docs/guides/emulator-clusters.md": ["kubectl"],
};

const cases = Object.entries(searches).flatMap(([page, all]) => all.map((search) => [search, page] as const));
test.each(cases)("a search for %j finds %s", (search, page) => {
  expect(found(search)).toContain(page);
});

test.each(["Tencent Cloud", "TKE", "TCR"])("the first lines of the README name %s", (name) => {
  expect(read("README.md").split("\n").slice(0, 12).join("\n")).toContain(name);
});

test("llms.txt lists every page", () => {
  const listed = read("docs/llms.txt");
  expect(pages.filter((path) => path !== "docs/README.md" && !listed.includes(`](${path.slice("docs/".length)})`))).toEqual([]);
});
