import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { catalogue } from "../../sdk/src/catalogue/every-operation.ts";
import { fieldsIn } from "../../sdk/src/operation/fields.ts";
import { scratch, scratchOfFile } from "../../sdk/src/scratch.fixture.ts";
import { allow, anything, githubJob, gitlabJob, type Job, pipelines, workflows } from "./pipeline.ts";

const all = workflows();
const jobs = Object.entries(all).flatMap(([file, workflow]) => Object.entries(workflow.jobs).map(([name, job]) => ({ file, name, job })));
const steps = jobs.flatMap(({ file, name, job }) => job.steps.map((step) => ({ at: `${file} ${name}`, ...step })));
const text = (file: string) => readFileSync(join(pipelines, file), "utf8");

test("previews, gates, applies and drifts have groups of their own, and no waiting apply is cancelled", () => {
  const groups = [...Object.values(all), ...jobs.map(({ job }) => job)].flatMap(({ concurrency }) => concurrency ?? []);
  const kinds = groups.map(({ group }) => group.split("$")[0]);
  expect(kinds.toSorted()).toEqual(["infrastructure-apply", "infrastructure-drift-", "infrastructure-gate-", "infrastructure-preview-"]);
  expect(all["apply"]?.concurrency).toEqual({ group: "infrastructure-apply", queue: "max" });
  expect(groups.filter((one) => one["cancel-in-progress"]).map(({ group }) => group)).toEqual([
    "infrastructure-preview-${{ matrix.stack }}-${{ github.ref }}",
  ]);
});

test("each job has its own environment, and the permissions that it needs", () => {
  const told = jobs.map(({ file, name, job }) => [`${file} ${name}`, job.environment, job.permissions]);
  const stack = "${{ matrix.stack }}";
  expect(told).toEqual([
    ["apply apply", stack, { contents: "read", "pull-requests": "read", issues: "read", statuses: "read" }],
    ["drift drift", `${stack}-preview`, { contents: "read", issues: "write" }],
    ["gate gate", `${stack}-gate`, { contents: "read", actions: "read" }],
    ["preview preview", `${stack}-preview`, { contents: "read" }],
    ["preview empty", undefined, { contents: "read" }],
  ]);
  expect(Object.values(all).map(({ permissions }) => permissions)).toEqual([{}, {}, {}, {}]);
});

test("the main branch owns the gate: it runs on its event, checks out its commit, and installs nothing that runs a script", () => {
  const gate = all["gate"];
  expect(gate?.on).toEqual({ workflow_run: { workflows: [all["preview"]?.name], types: ["completed"] } });
  const checkouts = gate?.jobs["gate"]?.steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
  expect(checkouts?.map((step) => step.with)).toEqual([
    { ref: "${{ github.event.repository.default_branch }}", "persist-credentials": false },
  ]);
  const commands = githubNamed("gate", "gate").map(({ run }) => run);
  expect(commands[0]).toBe("npm ci --ignore-scripts");
  expect(commands.filter((run) => /\b(?:git|pulumi|npm install)\b/.test(run))).toEqual([]);
  expect(text("github/preview.yml")).not.toMatch(/GATE_|github\.token|GITHUB_TOKEN|pull_request_target/);
});

test("forks and Dependabot get the preview without secrets, and no gate", () => {
  const [preview, empty, gate] = [all["preview"]?.jobs["preview"], all["preview"]?.jobs["empty"], all["gate"]?.jobs["gate"]];
  expect(preview?.if).toBe(
    "github.event_name == 'merge_group' || (github.event.pull_request.head.repo.full_name == github.repository && github.event.pull_request.user.login != 'dependabot[bot]' && github.event.review.state != 'commented')",
  );
  expect(empty?.if).toBe(
    "github.event_name == 'pull_request' && (github.event.pull_request.head.repo.full_name != github.repository || github.event.pull_request.user.login == 'dependabot[bot]')",
  );
  expect(JSON.stringify(empty)).not.toContain("secrets.");
  expect(gate?.if).toContain("github.event.workflow_run.head_repository.full_name == github.repository");
  // All triggers belong to the main branch, but that of the preview.
  expect(Object.entries(all).map(([file, { on }]) => [file, Object.keys(on)])).toEqual([
    ["apply", ["push"]],
    ["drift", ["schedule", "workflow_dispatch"]],
    ["gate", ["workflow_run"]],
    ["preview", ["pull_request", "pull_request_review", "merge_group"]],
  ]);
});

test("no step sees a secret that it does not need, and what a change installs sees none", () => {
  const secrets = ({ env = {} }: { readonly env?: Readonly<Record<string, string>> | undefined }) =>
    Object.values(env).some((value) => /secrets\.|\.token|outputs\.token/.test(value));
  expect([...Object.values(all), ...jobs.map(({ job }) => job)].filter(secrets)).toEqual([]);
  expect(steps.filter(({ run = "" }) => /npm ci|pulumi\.sh/.test(run)).filter(secrets)).toEqual([]);
});

test("actions are pinned to commits with their versions, and leave no token behind", () => {
  for (const { at, uses, with: given } of steps) {
    if (uses === undefined) continue;
    expect(`${at}: ${uses}`).toMatch(/: [\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    if (uses.startsWith("actions/checkout@")) expect(given).toHaveProperty("persist-credentials", false);
  }
  for (const file of readdirSync(join(pipelines, "github")))
    for (const [line] of text(`github/${file}`).matchAll(/^.*\buses:.*$/gm)) expect(line).toMatch(/ # v\d+\.\d+\.\d+$/);
});

test("Pulumi is installed by its checksum, and nothing is piped into a shell", () => {
  for (const file of [...Object.keys(all).map((name) => `github/${name}.yml`), "gitlab-ci.yml", "pulumi.sh"])
    expect(text(file)).not.toMatch(/\|\s*(?:ba)?sh\b/);
  const folder = scratch();
  // An archive that somebody has put in the place of Pulumi's.
  writeFileSync(join(folder, "curl"), '#!/bin/sh\nwhile [ "$1" != --output ]; do shift; done\necho forged > "$2"\n', { mode: 0o755 });
  writeFileSync(join(folder, "tar"), `#!/bin/sh\ntouch ${folder}/unpacked\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}`, GITHUB_PATH: join(folder, "path"), TMPDIR: folder };
  const { status, stderr, stdout } = spawnSync("sh", [join(pipelines, "pulumi.sh")], { env, encoding: "utf8" });
  expect([status, `${stdout}${stderr}`]).toEqual([1, expect.stringContaining("did NOT match")]);
  expect(readdirSync(folder)).not.toContain("unpacked");
});

test("the key of a preview may only read, hands out no kubeconfig, and has the network's one permission", () => {
  const reading = catalogue.filter(({ effect, output }) => effect === "read" && !fieldsIn(output).some(({ sensitive }) => sensitive));
  const known = reading.map(({ product, action }) => `${product === "registry" ? "reg" : product}:${action}`);
  expect(allow.filter((permission) => permission !== "vpc:*" && !known.includes(permission))).toEqual([]);
  expect(allow).toContain("vpc:*");
});

test("on GitLab the target branch judges, and dev comes before production", () => {
  const [fetch, checkout, install] = gitlabJob("gate").steps.map(({ run }) => run);
  expect(fetch).toBe('git fetch --quiet --depth 1 origin "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"');
  expect([checkout, install]).toEqual(["git checkout --quiet --force --detach FETCH_HEAD", "npm ci --ignore-scripts"]);
  const production = z.object({ needs: z.array(z.string()) });
  expect(production.parse(z.looseObject({}).parse(parse(text("gitlab-ci.yml")))["apply production"]).needs).toEqual(["apply dev"]);
});

test("both forges preview, judge, apply and look for drift with the same commands", () => {
  const same: readonly (readonly [file: string, job: string, onGitLab: string])[] = [
    ["preview", "preview", "preview"],
    ["gate", "gate", "gate"],
    ["apply", "apply", "apply dev"],
    ["drift", "drift", "drift"],
    ["preview", "empty", "empty"],
  ];
  for (const [file, job, onGitLab] of same) expect(linesOf({ steps: githubNamed(file, job) })).toEqual(linesOf(gitlabJob(onGitLab)));
});

/** The commands without how each forge hands files from one job to the next. */
function linesOf(job: Job): string[] {
  const names: Readonly<Record<string, string>> = {
    $CI_COMMIT_BEFORE_SHA: "$BASE",
    "$CI_JOB_URL/artifacts/browse": "$RUN",
    '--format github --exit-zero -- --stack empty >> "$GITHUB_STEP_SUMMARY"': "--exit-zero -- --stack empty",
    "--format gitlab": "--format github",
    "data/$STACK/": "data/",
    '-out "data/$part.sealed"': '-out "review/$part.sealed"',
  };
  return job.steps
    .flatMap(({ run }) => run.replaceAll("\\\n", " ").trim().split("\n"))
    .map((line) =>
      Object.entries(names)
        .reduce((told, [name, plain]) => told.replaceAll(name, plain), line)
        .replaceAll(/ +/g, " ")
        .trim(),
    )
    .filter((line) => !/^(?:git (?:fetch|checkout)|gh run download|mkdir)|--format annotations/.test(line));
}

function githubNamed(file: string, job: string) {
  return githubJob(file, job, anything).steps;
}

const linted = scratchOfFile();

// These programs are no packages of this repository: whoever has them checks with them.
if (has("actionlint"))
  test("actionlint finds nothing but the key that it does not know yet", () => {
    const files = readdirSync(join(pipelines, "github")).map((file) => join(pipelines, "github", file));
    const { stdout } = spawnSync("actionlint", ["-oneline", "-no-color", ...files], { encoding: "utf8" });
    const found = stdout.trim().split("\n");
    expect(found).toEqual([expect.stringContaining('unexpected key "queue"')]);
    expect(text("github/apply.yml")).toMatch(/queue: max # actionlint \S+ does not know this key/);
  });

if (has("zizmor"))
  test("zizmor finds nothing but what is recorded at its line", () => {
    const files = Object.keys(all).map((name) => join(pipelines, "github", `${name}.yml`));
    const { status, stdout } = spawnSync("zizmor", ["--offline", "--quiet", "--no-config", ...files], { encoding: "utf8" });
    expect([status, stdout]).toEqual([0, expect.stringContaining("No findings to report")]);
    const recorded = Object.keys(all).flatMap((name) => text(`github/${name}.yml`).match(/# zizmor: ignore\[[\w-]+\] .+/g) ?? []);
    expect(recorded).toEqual([expect.stringMatching(/^# zizmor: ignore\[dangerous-triggers\] this has to run as the main branch has it/)]);
  });

if (has("gitlab-ci-local"))
  test("GitLab runs these jobs for each event", () => {
    mkdirSync(join(linted, "project"));
    const folder = join(linted, "project");
    copyFileSync(join(pipelines, "gitlab-ci.yml"), join(folder, ".gitlab-ci.yml"));
    for (const args of [
      ["init", "--quiet"],
      ["remote", "add", "origin", "https://forge.example/acme/shop.git"],
    ])
      execFileSync("git", args, { cwd: folder });
    const names = ["CI_PIPELINE_SOURCE", "CI_PROJECT_ID", "CI_COMMIT_BRANCH", "CI_DEFAULT_BRANCH"];
    const listed = (given: Readonly<Record<string, string>>) => {
      const values = Object.entries({ CI_PROJECT_ID: "1", CI_DEFAULT_BRANCH: "main", ...given }).flatMap((pair) => [
        "--variable",
        pair.join("="),
      ]);
      const args = ["--list-csv", "--ignore-predefined-vars", names.join(","), ...values];
      const { stdout } = spawnSync("gitlab-ci-local", args, { cwd: folder, encoding: "utf8" });
      return stdout
        .split("\n")
        .flatMap((line) => /^"?([a-z][a-z ]*)(?:: \[(\w+)\])?"?;/.exec(line)?.slice(1).filter(Boolean).join(" ") ?? [])
        .filter((name) => name !== "name");
    };
    const request = { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main" };
    expect(listed({ ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "1" })).toEqual([
      "preview dev",
      "preview production",
      "gate dev",
      "gate production",
    ]);
    expect(listed({ ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "2" })).toEqual(["empty"]);
    expect(listed({ ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "1", CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "mine" })).toEqual([]);
    expect(listed({ CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BRANCH: "main" })).toEqual(["drift dev", "drift production"]);
    expect(listed({ CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main" })).toEqual(["apply dev", "apply production"]);
    expect(listed({ CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "mine" })).toEqual([]);
  });

function has(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}
