import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type Forge, gateExpressions, request } from "./forge.ts";
import { githubJob, gitlabJob, pipelines, type Ran, runStep } from "./pipeline.ts";

/** The report that the gate's steps read. */
export const report = { about: "preview", project: "shop", stack: "dev", verdict: "needs-approval", fingerprint: "0123456789abcdef" };

/** The steps that can be run alone, by their command: the jobs of the forges that have them. */
const jobs = {
  comment: ["gate", "gate"],
  lines: ["gate", "gate"],
  gate: ["gate", "gate"],
  reviewed: ["apply", "apply dev"],
  drift: ["drift", "drift"],
} as const;

/** Single steps of the pipelines, as they are written, on a report and on comments that a test makes up. */
export class GateSteps implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "container-platform-gate-"));
  readonly #forge: Forge;
  readonly on: "GitHub" | "GitLab";

  constructor(forge: Forge, on: "GitHub" | "GitLab") {
    this.#forge = forge;
    this.on = on;
    mkdirSync(join(this.#folder, "review", "trusted"), { recursive: true });
    for (const place of [".", "review/trusted"]) symlinkSync(pipelines, join(this.#folder, place, "gitops"));
    this.write("report.json", report);
  }

  write(file: string, content: unknown): void {
    writeFileSync(join(this.#folder, "review", file), typeof content === "string" ? content : JSON.stringify(content));
  }

  run(command: keyof typeof jobs, more: NodeJS.ProcessEnv = {}): Promise<Ran> {
    const [onGitHub, onGitLab] = jobs[command];
    const { steps } =
      this.on === "GitLab"
        ? gitlabJob(onGitLab)
        : githubJob(onGitHub, onGitHub, { ...gateExpressions(this.#forge), "secrets.CONTAINER_PLATFORM_REVIEW_KEY": "a key" });
    const { run, env } = steps.find((step) => step.run.includes(` ${command} `)) ?? expect.unreachable(`no step has ${command}`);
    const plain = { PATH: process.env["PATH"], ...(this.on === "GitHub" ? this.#onGitHub(env) : this.#onGitLab) };
    return runStep(run, this.#folder, { ...plain, ...more });
  }

  #onGitHub(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return { ...env, GITHUB_API_URL: this.#forge.url, GITHUB_REPOSITORY: "acme/shop" };
  }

  /** What GitLab and the project set for every job of a merge request. */
  get #onGitLab(): NodeJS.ProcessEnv {
    return {
      CI_API_V4_URL: this.#forge.url,
      CI_PROJECT_ID: "1",
      CI_JOB_URL: "https://forge.example",
      CI_MERGE_REQUEST_IID: String(request),
      CONTAINER_PLATFORM_REVIEW_KEY: "a key",
      GITLAB_TOKEN: "app",
      GITLAB_CI: "true",
      STACK: "dev",
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}
