import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { root } from "../support/compiler.ts";

const publishedSchema = z.record(z.string(), z.object({ files: z.array(z.object({ path: z.string() })) }));

const common = ["CHANGELOG.md", "LICENSE", "README.md"];
const doors = ["dist/index.js", "dist/cjs/index.js"];
const program = ["pulumi-resource-container-platform", "schema.json", "dist/main.mjs", "dist/components.mjs", "dist/LICENSES.txt"];

test.each([
  ["sdk", doors],
  ["provider", doors],
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

/** What `npm run release:check` complains of. */
function missing(tag: string): string[] {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/release.js"), tag], { encoding: "utf8" });
  const lines = stderr.split("\n").filter((line) => line !== "");
  expect(status).toBe(lines.length === 0 ? 0 : 1);
  return lines;
}

test("a release needs everything to have its version", () => {
  const manifest = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, "sdk/package.json"), "utf8")));
  // What is unreleased is all that this version lacks.
  expect(missing(`v${manifest.version}`)).toEqual([`CHANGELOG.md has no section "## [${manifest.version}] - <date>"`]);
  expect(missing("v99.0.0")).toHaveLength(7);
  expect(missing("latest")).toEqual(['"latest" is no tag of a version, such as v1.2.3']);
});

const step = z.object({ uses: z.string().optional(), run: z.string().optional() });
const job = z.object({ needs: z.string().optional(), permissions: z.record(z.string(), z.string()), steps: z.array(step) });
const workflow = z.object({ permissions: z.object({}).strict(), jobs: z.object({ test: job, publish: job, executables: job, sdks: job }) });
const release = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
const { permissions, jobs } = workflow.parse(parse(release));
const runs = ({ steps }: z.output<typeof job>): string[] => steps.flatMap(({ run }) => run ?? []);

test("the workflow tests before it publishes, with pinned actions and without a secret", () => {
  const { test: tests, publish, executables, sdks } = jobs;
  expect(permissions).toEqual({});
  expect(tests.permissions).toEqual({ contents: "read" });
  expect(runs(tests)).toContain("npm test");
  expect(publish).toMatchObject({ needs: "test", permissions: { contents: "read", "id-token": "write" } });
  expect(executables).toMatchObject({ needs: "test", permissions: { contents: "write" } });
  const used = [...release.matchAll(/uses: (.*)/g)].map(([, action]) => action);
  expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? ""))).toEqual([]);
  expect(release).not.toContain("secrets.");
  // What is built and what is generated says where Pulumi finds the executables.
  const address = 'node scripts/plugin-address.js "$GITHUB_REPOSITORY" plugin/schema.json';
  for (const each of [publish, executables, sdks]) {
    const made = runs(each).findIndex((run) => /npm publish|executable\.js|npm run sdks/.test(run));
    expect(runs(each).slice(0, made)).toContain(address);
  }
});

/** Runs what the workflow publishes with as a rehearsal, without the provenance, which a workflow alone can have. */
function rehearsed(): string[] {
  const [script = "", ...others] = runs(jobs.publish).filter((run) => run.includes("npm publish"));
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

test("the schema of a release says where Pulumi finds the plugin, and a repository that is none is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-address-"));
  const file = join(folder, "schema.json");
  copyFileSync(join(root, "plugin/schema.json"), file);
  const write = (repository: string) => spawnSync(process.execPath, [join(root, "scripts/plugin-address.js"), repository, file]).status;
  const before: unknown = JSON.parse(readFileSync(file, "utf8"));
  expect(write("somewhere")).toBe(2);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(before);
  expect(write("owner/name")).toBe(0);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ...Object(before), pluginDownloadURL: "github://api.github.com/owner/name" });
  rmSync(folder, { recursive: true });
});

test("SDKs are generated by a release of Pulumi that is not the newest, too: it is not asked to warn of that", () => {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-release-"));
  try {
    // What a release has, as far as it is looked for. This one only says how it was started: nothing is generated.
    const said = 'echo "started with ${PULUMI_SKIP_UPDATE_CHECK:-its look for a newer version}"; exit 3';
    for (const program of ["pulumi", "pulumi-language-go"]) writeFileSync(join(folder, program), `#!/bin/sh\n${said}\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: [folder, process.env["PATH"]].join(delimiter), CONTAINER_PLATFORM_SET_UP: root };
    Reflect.deleteProperty(env, "PULUMI_SKIP_UPDATE_CHECK");
    const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/sdks.js"), "java"], { env, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, "set-up failed: the SDK for java could not be generated:\nstarted with true\n"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
