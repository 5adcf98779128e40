import { expect, test } from "vitest";
import { Forge, pipeline, request } from "./forge.ts";
import { githubJob, gitlabJob, runJob, runStep } from "./pipeline.ts";
import { Repository } from "./repository.ts";

const program = (range: string) => `
import { Subnet, Vpc } from "@container-platform/pulumi";
const vpc = new Vpc("shop", { cidrBlock: "10.0.0.0/16" });
new Subnet("nodes", { vpcId: vpc.vpcId, zone: "eu-frankfurt-1", cidrBlock: "${range}" });
`;

/** What the forge tells a job of the GitHub workflow. */
function expressions(repository: Repository, base: string): Record<string, string> {
  return {
    "secrets.PULUMI_BACKEND_URL": repository.env["PULUMI_BACKEND_URL"] ?? "",
    "secrets.PULUMI_CONFIG_PASSPHRASE": repository.env["PULUMI_CONFIG_PASSPHRASE"] ?? "",
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

test("a change is previewed, told in one comment, held until it is approved, and applied just as it was reviewed", async () => {
  await using forge = await Forge.open();
  using repository = new Repository(program("10.0.0.0/20"), "rules: { CP-NET-023: { parameters: { prefix: 22 } } }\n");
  const base = repository.git("rev-parse", "HEAD");
  const told = expressions(repository, base);
  const github = { GITHUB_API_URL: forge.url, GITHUB_REPOSITORY: "acme/shop", FORGE_LOGIN: pipeline };
  const gitlab = { CI_API_V4_URL: forge.url, CI_PROJECT_ID: "1", GITLAB_TOKEN: "pass", GITLAB_CI: "true", STACK: "dev" };
  const settings = { ...repository.env, ...github };

  // The change weakens the policy, too: it is judged by the one before it.
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

  // The comment is kept up to date, and the label opens the gate.
  forge.labels.push(label);
  for (const step of ["Comment", "Gate"]) {
    const { run = "" } = review.steps.find(({ name }) => name === step) ?? {};
    expect(await runStep(run, repository.folder, { ...settings, ...review.env })).toMatchObject({ code: 0 });
  }
  expect(forge.comments.filter(({ author }) => author === pipeline)).toHaveLength(1);

  const request7 = {
    ...gitlab,
    CI_MERGE_REQUEST_IID: String(request),
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    CI_JOB_URL: "https://forge.example",
  };
  forge.comments.length = 0;
  const inGitLab = await runJob(gitlabJob("review"), repository.folder, { ...repository.env, ...request7 });
  expect(inGitLab).toMatchObject({ code: 0 });
  expect(forge.comments.map(({ author }) => author)).toEqual([pipeline]);
  expect(forge.comments[0]?.body).toContain(label);

  // Merged, it is applied; anything else is not.
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
});
