import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { StateService, testedBackend } from "../support/state-service.ts";
import { Forge, gateExpressions, request } from "./forge.ts";
import { GitRepository } from "./git-repository.ts";
import { githubJob, runJob, runStep } from "./pipeline.ts";

/** A forge, and a repository with a deployed program, for the tests of a file. `prepare`: what else is committed before. */
export async function deployedRepository(program: string, policy = "", prepare?: (repository: GitRepository) => void) {
  const forge = await Forge.open();
  const repository = new GitRepository(program, policy);
  const service = testedBackend === "files" ? undefined : await StateService.start(join(repository.folder, "state"), testedBackend);
  Object.assign(repository.env, service?.env);
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    repository[Symbol.dispose]();
    await forge[Symbol.asyncDispose]();
  });
  prepare?.(repository);
  repository.deploy();
  return { forge, repository, actions: new Actions(repository, forge) };
}

/** What belongs to a pipeline's environments, and to no step that does not ask for it. */
const secret =
  /^(?:PULUMI_(?:ACCESS_TOKEN|BACKEND_URL|CONFIG_PASSPHRASE|DEBUG_COMMANDS|EXPERIMENTAL)|CONTAINER_PLATFORM_|AWS_|GITHUB_|GITLAB_|CI_|FORGE_)/;

/** Runs the jobs of the GitHub workflows for the stack dev: each checks out what GitHub would, in the repository's folder. */
export class Actions {
  readonly #repository: GitRepository;
  readonly #forge: Forge;
  /** The main branch before the last merge. */
  #before: string;
  /** The key of the hashes that replace secrets. */
  readonly key: string;

  constructor(repository: GitRepository, forge: Forge, key = "a key") {
    this.#repository = repository;
    this.#forge = forge;
    this.#before = repository.git("rev-parse", "main");
    this.key = key;
    mkdirSync(join(repository.folder, "artifacts"), { recursive: true });
  }

  /** The next pull request, from a new branch. */
  open(branch: string): void {
    this.#forge.unlabel();
    this.#forge.pull.merged = "";
    this.#forge.pull.branch = branch;
  }

  /** The branch of the pull request, with what somebody commits there; the commit is its newest one. */
  change(message: string, write: () => void): void {
    const { pull } = this.#forge;
    const has = this.#repository.git("branch", "--list", pull.branch) !== "";
    this.#repository.git("checkout", "--quiet", ...(has ? [] : ["-b"]), pull.branch, ...(has ? [] : ["main"]));
    write();
    pull.head = this.#repository.commit(message);
    pull.files = this.#repository.git("diff", "--name-only", `main...${pull.branch}`).split("\n");
    const patchOf = (file: string) =>
      this.#repository
        .git("diff", `main...${pull.branch}`, "--", file)
        .split(/^(?=@@)/m)
        .slice(1)
        .join("");
    pull.patches = Object.fromEntries(pull.files.map((file) => [file, patchOf(file)]));
  }

  preview(branch = this.#forge.pull.branch) {
    return this.#job("preview", "preview", branch, {}, () => {
      const [from, to] = [join(this.#repository.folder, "review"), join(this.#repository.folder, "artifacts", "preview-dev")];
      mkdirSync(to, { recursive: true });
      for (const file of readdirSync(from)) if (file.endsWith(".sealed")) cpSync(join(from, file), join(to, file));
    });
  }

  /** Judges the artifact of the last preview. `sha`: the commit of the preview, if it is not the pull request's. */
  gate(event: "pull_request" | "merge_group" = "pull_request", sha = this.#forge.pull.head) {
    const branch = event === "merge_group" ? `gh-readonly-queue/main/pr-${request}-${sha}` : this.#forge.pull.branch;
    return this.#job("gate", "gate", "main", {
      "github.event.workflow_run.event": event,
      "github.event.workflow_run.head_branch": branch,
      "github.event.workflow_run.head_sha": sha,
    });
  }

  /** The last step of the gate alone: labels have changed, and nothing else. */
  async decide() {
    const { code, output } = await this.#step("gate", "gate", "Gate");
    return { code, output };
  }

  async comment() {
    const { code, output } = await this.#step("gate", "gate", "Comment on lines");
    return { code, output };
  }

  /** Merges the pull request, as GitHub does it. */
  merge(): void {
    const { pull } = this.#forge;
    this.#repository.git("checkout", "--quiet", "main");
    this.#before = this.#repository.git("rev-parse", "HEAD");
    this.#repository.git("merge", "--quiet", "--no-ff", "--no-edit", pull.branch);
    pull.merged = this.#repository.git("rev-parse", "HEAD");
  }

  apply() {
    return this.#job("apply", "apply", "main", {});
  }

  /** Whether what the last `apply` has previewed may still be applied. */
  reviewed() {
    return this.#step("apply", "apply", "Only what was reviewed");
  }

  /** What the pull request of a fork gets. */
  empty() {
    return this.#job("preview", "empty", this.#forge.pull.branch, {});
  }

  drift() {
    return this.#job("drift", "drift", "main", {});
  }

  async #job(file: string, job: string, branch: string, more: Readonly<Record<string, string>>, after?: () => void) {
    const { folder } = this.#repository;
    this.#repository.git("checkout", "--quiet", branch);
    for (const left of ["review", "data", "home"]) rmSync(join(folder, left), { recursive: true, force: true });
    const ran = await runJob(githubJob(file, job, this.#expressions(more)), folder, this.#surroundings);
    if (ran.code === 0) after?.();
    return ran;
  }

  async #step(file: string, job: string, name: string) {
    const { run = "", env } = githubJob(file, job, this.#expressions()).steps.find((step) => step.name === name) ?? {};
    return runStep(run, this.#repository.folder, { ...this.#surroundings, ...env });
  }

  get #surroundings(): NodeJS.ProcessEnv {
    const kept = Object.entries(this.#repository.env).filter(([name]) => !secret.test(name));
    const github = { GITHUB_API_URL: this.#forge.url, GITHUB_REPOSITORY: "acme/shop", GITHUB_SHA: this.#forge.pull.merged };
    return { ...Object.fromEntries(kept), ...github, GITHUB_STEP_SUMMARY: join(this.#repository.folder, "artifacts", "summary.md") };
  }

  #expressions(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
    return {
      "secrets.PULUMI_ACCESS_TOKEN": this.#repository.env["PULUMI_ACCESS_TOKEN"] ?? "",
      "secrets.PULUMI_BACKEND_URL": this.#repository.env["PULUMI_BACKEND_URL"] ?? "",
      "secrets.PULUMI_CONFIG_PASSPHRASE": this.#repository.env["PULUMI_CONFIG_PASSPHRASE"] ?? "",
      "secrets.AWS_ACCESS_KEY_ID": "",
      "secrets.AWS_SECRET_ACCESS_KEY": "",
      "secrets.CONTAINER_PLATFORM_SECRET_ID": "",
      "secrets.CONTAINER_PLATFORM_SECRET_KEY": "",
      "secrets.CONTAINER_PLATFORM_REVIEW_KEY": this.key,
      "github.event.before": this.#before,
      "github.workspace": this.#repository.folder,
      ...gateExpressions(this.#forge),
      ...more,
    };
  }
}
