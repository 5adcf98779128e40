import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isLong } from "../../sdk/src/long.fixture.ts";
import { Forge, pipeline, request } from "./forge.ts";
import { githubJob, gitlabJob, type Job, runJob, runStep } from "./pipeline.ts";
import { GitRepository } from "./git-repository.ts";

const program = (range: string) => `
import { Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("shop", { cidrBlock: "10.0.0.0/16" });
new Subnet("nodes", { subnetName: "nodes", vpcId: vpc.vpcId, zone: "eu-frankfurt-1", cidrBlock: "${range}" });
`;

/** The expressions of the GitHub workflow, with their values. */
function expressions(env: NodeJS.ProcessEnv, base: string): Record<string, string> {
  return {
    "secrets.PULUMI_BACKEND_URL": env["PULUMI_BACKEND_URL"] ?? "",
    "secrets.PULUMI_CONFIG_PASSPHRASE": env["PULUMI_CONFIG_PASSPHRASE"] ?? "",
    "secrets.CONTAINER_PLATFORM_SECRET_ID": "",
    "secrets.CONTAINER_PLATFORM_SECRET_KEY": "",
    "github.token": "pass",
    "github.server_url": "https://forge.example",
    "github.repository": "acme/shop",
    "github.run_id": "42",
    "github.event.pull_request.base.sha": base,
    "github.event.before": base,
    "github.event.pull_request.number": String(request),
    "matrix.stack": "dev",
  };
}

test("a change is previewed, reviewed in one comment, held until it is approved, and applied exactly as reviewed", async () => {
  await using forge = await Forge.open();
  using repository = new GitRepository(program("10.0.0.0/20"), "rules: { CP-NET-023: { parameters: { prefix: 22 } } }\n");
  repository.deploy();
  const base = repository.git("rev-parse", "HEAD");
  const told = expressions(repository.env, base);
  const github = { GITHUB_API_URL: forge.url, GITHUB_REPOSITORY: "acme/shop", FORGE_LOGIN: pipeline };
  const gitlab = { CI_API_V4_URL: forge.url, CI_PROJECT_ID: "1", GITLAB_TOKEN: "pass", GITLAB_CI: "true", STACK: "dev" };
  const settings = { ...repository.env, ...github };

  // The change weakens the policy, too. The policy before the change decides.
  repository.git("checkout", "--quiet", "-b", "smaller");
  repository.write("index.ts", program("10.0.16.0/24"));
  repository.write("container-platform.policy.yaml", "rules: { CP-NET-023: off }\n");
  repository.commit("A smaller subnet");
  for (let index = 0; index < 120; index++) forge.wrote("somebody", `comment ${index}`);
  forge.wrote("mallory", "<!-- container-platform-review: preview shop/dev -->\nAll is well.");

  const review = githubJob("review", told);
  const reviewed = await runJob(review, repository.folder, settings);
  expect(reviewed).toMatchObject({ step: "Gate", code: 3 });
  const [comment, ...more] = forge.comments.filter(({ author }) => author === pipeline);
  expect(more).toEqual([]);
  expect(comment?.body).toContain("`Subnet nodes`");
  expect(comment?.body).toContain("CP-NET-023");
  const [, label = "none"] = /`(approved:[0-9a-f]+)`/.exec(comment?.body ?? "") ?? [];
  expect(reviewed.output).toContain(`Needs approval: the label ${label}.`);

  // The comment is updated, and the label opens the gate.
  forge.labels.push(label);
  for (const step of ["Comment", "Gate"]) {
    const { run = "" } = review.steps.find(({ name }) => name === step) ?? {};
    expect(await runStep(run, repository.folder, { ...settings, ...review.env })).toMatchObject({ code: 0 });
  }
  expect(forge.comments.filter(({ author }) => author === pipeline)).toHaveLength(1);

  if (isLong) {
    const merge = { CI_MERGE_REQUEST_IID: String(request), CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_JOB_URL: "https://forge.example" };
    forge.comments.length = 0;
    expect(await runJob(gitlabJob("review"), repository.folder, { ...repository.env, ...gitlab, ...merge })).toMatchObject({ code: 0 });
    expect(forge.comments.map(({ author }) => author)).toEqual([pipeline]);
    expect(forge.comments[0]?.body).toContain(label);
  }

  // What was merged is applied, and nothing else.
  repository.git("checkout", "--quiet", "main");
  repository.git("merge", "--quiet", "--no-ff", "--no-edit", "smaller");
  forge.merged = repository.git("rev-parse", "HEAD");
  const apply = githubJob("apply", told);
  const onMain = { ...settings, GITHUB_SHA: forge.merged };
  expect(await runJob(apply, repository.folder, onMain)).toMatchObject({ step: "Apply just that", code: 0 });
  expect(await repository.subnets()).toEqual(["10.0.16.0/24"]);

  forge.labels.length = 0;
  const { run: check = "" } = apply.steps.find(({ name }) => name === "Only what was reviewed") ?? {};
  expect(await runStep(check, repository.folder, { ...onMain, ...apply.env })).toMatchObject({ code: 3 });
  forge.comments.length = 0;
  expect(await runStep(check, repository.folder, { ...onMain, ...apply.env })).toMatchObject({ code: 1 });

  // Somebody changes the platform by hand, and corrects it the day after.
  await repository.renameSubnet("renamed by hand");
  expect(await runJob(githubJob("drift", told), repository.folder, settings)).toMatchObject({ step: "Issue", code: 3 });
  expect(forge.issues.map(({ title, open }) => [title, open])).toEqual([["dev was changed outside of the program", true]]);
  expect(forge.issues[0]?.body).toContain("renamed by hand");
  if (!isLong) return;
  await repository.renameSubnet("nodes");
  expect(await runJob(gitlabJob("drift"), repository.folder, { ...repository.env, ...gitlab })).toMatchObject({ code: 0 });
  expect(forge.issues.map(({ open }) => open)).toEqual([false]);
});

if (isLong)
  test("a fork without secrets gets a preview on an empty platform", async () => {
    using repository = new GitRepository(program("10.0.0.0/20"), "");
    const none = Object.keys(expressions({}, "")).filter((name) => name.startsWith("secrets."));
    const job = githubJob("fork", {
      "github.workspace": repository.folder,
      ...expressions({}, ""),
      ...Object.fromEntries(none.map((name) => [name, ""])),
    });
    const summary = join(repository.folder, "summary.md");
    const ran = await runJob(job, repository.folder, { ...repository.env, GITHUB_STEP_SUMMARY: summary });
    expect(ran).toMatchObject({ code: 0 });
    expect(readFileSync(summary, "utf8")).toContain("<code>Subnet nodes</code>");
  });

test("both forges apply and preview with the same commands", () => {
  const variables: Readonly<Record<string, string>> = {
    $CI_MERGE_REQUEST_DIFF_BASE_SHA: "$BASE",
    $CI_COMMIT_BEFORE_SHA: "$BASE",
    "$CI_JOB_URL/artifacts/browse": "$RUN",
  };
  const linesOf = ({ steps }: Job): string[] =>
    steps
      .filter(({ run }) => run !== "npm ci" && !run.includes("--format annotations"))
      .flatMap(({ run }) => run.replaceAll("\\\n", " ").trim().split("\n"))
      .map((line) => Object.entries(variables).reduce((text, [name, plain]) => text.replaceAll(name, plain), line))
      .map((line) => line.replaceAll(/ +/g, " ").replace("--format github", "--format gitlab"));
  for (const job of ["review", "apply", "drift"]) expect(linesOf(githubJob(job, expressions({}, "HEAD")))).toEqual(linesOf(gitlabJob(job)));
});
