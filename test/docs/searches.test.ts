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

test.each([
  ["getting started", "docs/get-started/quickstart.md"],
  ["install", "docs/get-started/quickstart.md"],
  ["prerequisites", "docs/get-started/quickstart.md"],
  ["requirements", "docs/reference/compatibility.md"],
  ["emulator", "docs/concepts/emulator.md"],
  ["mock", "docs/concepts/emulator.md"],
  ["localstack alternative", "docs/concepts/emulator.md"],
  ["troubleshooting", "docs/troubleshooting/README.md"],
  ["interrupted while creating", "docs/troubleshooting/interrupted-updates.md"],
  ["failed to load checkpoint", "docs/troubleshooting/corrupted-state.md"],
  ["already exists", "docs/troubleshooting/conflicts.md"],
  ["LimitExceeded", "docs/troubleshooting/README.md"],
  ["dual stack kubernetes pulumi", "docs/concepts/dual-stack.md"],
  ["IPv6 subnet", "docs/concepts/dual-stack.md"],
  ["upgrade kubernetes version", "docs/guides/upgrade-kubernetes.md"],
  ["limitations", "docs/reference/compatibility.md"],
  ["not supported", "docs/reference/compatibility.md"],
  ["roadmap", "docs/reference/compatibility.md"],
  ["production ready", "docs/reference/compatibility.md"],
  ["required permissions", "docs/get-started/connect-to-the-cloud.md"],
  ["IAM policy", "docs/get-started/connect-to-the-cloud.md"],
  ["least privilege", "docs/get-started/connect-to-the-cloud.md"],
  ["environment variables", "docs/reference/configuration.md"],
  ["error codes", "docs/reference/error-codes.md"],
  ["state lock", "docs/troubleshooting/locked-stacks.md"],
  ["pulumi cancel", "docs/troubleshooting/locked-stacks.md"],
  ["rename resource", "docs/guides/rename-and-move.md"],
  ["move resource to another stack", "docs/guides/rename-and-move.md"],
  ["migrate from Terraform", "docs/guides/move-from-terraform.md"],
  ["compare with", "docs/concepts/overview.md"],
  ["windows", "docs/reference/compatibility.md"],
  ["arm64", "docs/reference/compatibility.md"],
  ["docker", "docs/reference/compatibility.md"],
  ["docker push", "docs/guides/emulator-registries.md"],
  ["kubectl", "docs/guides/emulator-clusters.md"],
])("a search for %j finds %s", (search, page) => {
  expect(found(search)).toContain(page);
});

test.each(["Tencent Cloud", "TKE", "TCR"])("the first lines of the README name %s", (name) => {
  expect(read("README.md").split("\n").slice(0, 12).join("\n")).toContain(name);
});
