import { join } from "node:path";
import { expect, test } from "vitest";
import { callers, Forge, request } from "./forge.ts";
import { GitRepository } from "./git-repository.ts";
import { gitlabJob, runJob, runStep } from "./pipeline.ts";

/** A change on GitLab, from its preview to its deployment. */
export function testsOfGitLab(program: (range: string) => string, policy: string): void {
  test("a change is previewed, judged by the target branch, held until somebody else approves it, and applied", async () => {
    await using forge = await Forge.open();
    using repository = new GitRepository(program("10.0.0.0/20"), policy);
    repository.deploy();
    repository.git("remote", "add", "origin", join(repository.folder, ".git"));
    const base = repository.git("rev-parse", "main");
    const env = { ...repository.env, ...variables(forge), CI_COMMIT_BEFORE_SHA: base };
    const merge = { ...env, CI_MERGE_REQUEST_IID: String(request), CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main" };
    const gate = () => runStep(gitlabJob("gate").steps.at(-1)?.run ?? "", repository.folder, merge);

    repository.git("checkout", "--quiet", "-b", forge.pull.branch);
    repository.write("index.ts", program("10.0.16.0/24"));
    repository.write("gitops/forge.ts", "console.log('all is well');\n");
    repository.write("container-platform.policy.yaml", "rules: { CP-NET-023: off }\n");
    forge.pull.head = repository.commit("A smaller subnet");
    forge.pull.files = ["index.ts", "gitops/forge.ts", "container-platform.policy.yaml"];
    expect(await runJob(gitlabJob("preview"), repository.folder, merge)).toMatchObject({ code: 0 });
    const judged = await runJob(gitlabJob("gate"), repository.folder, merge);
    expect(judged).toMatchObject({ code: 3 });
    expect(judged.output).not.toContain("all is well");
    expect(forge.comments.map(({ author }) => author)).toEqual([callers.app]);
    expect(forge.comments[0]?.body).toContain("CP-NET-023");

    const labels = judged.output.match(/(?:approved|pipeline):[0-9a-f]+/g) ?? [];
    for (const [by, code] of [
      ["alice", 3],
      [callers.workflow, 3],
      ["carol", 3],
      ["bob", 0],
    ] as const) {
      forge.unlabel();
      for (const label of labels) forge.label(by, label);
      expect(await gate()).toMatchObject({ code });
    }

    repository.git("checkout", "--quiet", "main");
    repository.git("merge", "--quiet", "--no-ff", "--no-edit", forge.pull.branch);
    forge.pull.merged = repository.git("rev-parse", "HEAD");
    const onMain = { ...env, CI_COMMIT_SHA: forge.pull.merged };
    expect(await runJob(gitlabJob("apply dev"), repository.folder, onMain)).toMatchObject({ code: 0 });
    expect(await repository.subnets()).toEqual(["10.0.16.0/24"]);
    forge.comments.length = 0;
    const reviewed = gitlabJob("apply dev").steps.find(({ run }) => run.includes(" reviewed "))?.run ?? "";
    expect(await runStep(reviewed, repository.folder, onMain)).toMatchObject({ code: 1 });

    // The pipeline of the merge request is now that of the main branch; the night's job still finds what was changed by hand.
    repository.git("checkout", "--quiet", base, "--", "gitops");
    await repository.renameSubnet("renamed by hand");
    expect(await runJob(gitlabJob("drift"), repository.folder, env)).toMatchObject({ code: 3 });
    await repository.renameSubnet("nodes");
    expect(await runJob(gitlabJob("drift"), repository.folder, env)).toMatchObject({ code: 0 });
    expect(forge.issues.map(({ open }) => open)).toEqual([false]);
  });

  test("a fork without secrets gets a preview on an empty platform", async () => {
    using repository = new GitRepository(program("10.0.0.0/20"), "");
    const job = gitlabJob("empty");
    const env = { PULUMI_BACKEND_URL: `file://${repository.folder}/review` };
    const steps = job.steps.map((step) => ({ ...step, env: { ...step.env, ...env } }));
    const ran = await runJob({ steps }, repository.folder, repository.env);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.output).toContain("Subnet nodes");
  });
}

/** What GitLab and the project set for every job. */
export function variables(forge: Forge) {
  return {
    CI_API_V4_URL: forge.url,
    CI_PROJECT_ID: "1",
    CI_JOB_URL: "https://forge.example",
    CONTAINER_PLATFORM_REVIEW_KEY: "a key",
    GITLAB_TOKEN: "app",
    GITLAB_CI: "true",
    STACK: "dev",
  };
}
