import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { root } from "../support/compiler.ts";

/** Rehearsals of `npm publish`, each of which builds the packages. */

const publishedSchema = z.record(z.string(), z.object({ files: z.array(z.object({ path: z.string() })) }));

const common = ["CHANGELOG.md", "LICENSE", "README.md"];
const entryPoints = ["dist/index.js", "dist/cjs/index.js"];
const program = ["pulumi-resource-container-platform", "schema.json", "dist/main.mjs", "dist/components.mjs", "dist/LICENSES.txt"];

test.each([
  ["sdk", entryPoints],
  ["provider", entryPoints],
  ["plugin", program],
])("npm publishes %s with what a reader looks for in it", (name, own) => {
  // Without an account only a rehearsal is possible, and none of the provenance, which a workflow alone can have.
  const args = ["publish", "--dry-run", "--json", "--provenance=false", "--access", "public", "--workspace", name];
  const printed = execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [published, ...others] = Object.values(publishedSchema.parse(JSON.parse(printed)));
  const paths = published?.files.map(({ path }) => path) ?? [];
  expect(others).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining([...common, ...own]));
  expect(paths.filter((path) => /\.test\.|\.fixture\.|tsbuildinfo|^src\//.test(path))).toEqual([]);
});

const step = z.object({ run: z.string().optional() });
const workflow = z.object({ jobs: z.object({ publish: z.object({ steps: z.array(step) }) }) });
const release = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");

/** Runs what the workflow publishes with as a rehearsal, without the provenance, which a workflow alone can have. */
function rehearsed(): string[] {
  const [script = "", ...others] = workflow
    .parse(parse(release))
    .jobs.publish.steps.flatMap(({ run }) => run ?? [])
    .filter((run) => run.includes("npm publish"));
  expect(others).toEqual([]);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, "sdk/package.json"), "utf8")));
  const { status, stdout } = spawnSync("bash", ["-e", "-c", `exec 2>&1\n${script.replace("--provenance", "--provenance=false")}`], {
    cwd: root,
    encoding: "utf8",
    env: {
      ...process.env,
      // No registry answers that this version is published.
      ...{ npm_config_dry_run: "true", npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0" },
      ...{ GITHUB_REF_NAME: `v${version}`, TAG: "next" },
      // `npm test --silent` hands its silence on to every npm below it.
      npm_config_loglevel: "notice",
    },
  });
  expect(status, stdout).toBe(0);
  return [...stdout.matchAll(/Publishing to \S+ with tag (\w+)|^\+ (\S+)@/gm)].map(([, tag, name]) => tag ?? name ?? "");
}

test("the workflow publishes all three packages, with a tag of their own where the version is none to give to everybody", () => {
  const names = ["sdk", "pulumi", "pulumi-plugin"].map((name) => `@container-platform/${name}`);
  expect(rehearsed()).toEqual(names.flatMap((name) => ["next", name]));
});
