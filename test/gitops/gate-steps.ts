import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callers, type Forge, request } from "./forge.ts";
import { variables } from "./on-gitlab.ts";
import { githubJob, gitlabJob, pipelines, type Ran, runStep } from "./pipeline.ts";

/** The report that the gate's steps read. */
export const report = { about: "preview", project: "shop", stack: "dev", verdict: "needs-approval", fingerprint: "0123456789abcdef" };

const steps = { comment: ["Comment on lines", " lines "], gate: ["Gate", " gate "] } as const;

/** Single steps of the gate, as they are written, on a report and on comments that a test makes up. */
export class GateSteps implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "container-platform-gate-"));
  readonly #forge: Forge;
  readonly on: "GitHub" | "GitLab";

  constructor(forge: Forge, on: "GitHub" | "GitLab") {
    this.#forge = forge;
    this.on = on;
    symlinkSync(pipelines, join(this.#folder, "gitops"));
    mkdirSync(join(this.#folder, "review"));
    this.write("report.json", report);
  }

  write(file: string, content: unknown): void {
    writeFileSync(join(this.#folder, "review", file), JSON.stringify(content));
  }

  run(name: keyof typeof steps, more: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const [onGitHub, command] = steps[name];
    const plain = { PATH: process.env["PATH"], ...more };
    if (this.on === "GitLab") {
      const { run = "" } = gitlabJob("gate").steps.find((step) => step.run.includes(command)) ?? {};
      return runStep(run, this.#folder, { ...plain, ...variables(this.#forge), CI_MERGE_REQUEST_IID: String(request) });
    }
    const { run = "", env } = githubJob("gate", "gate", this.#expressions).steps.find((step) => step.name === onGitHub) ?? {};
    return runStep(run, this.#folder, { ...env, GITHUB_API_URL: this.#forge.url, GITHUB_REPOSITORY: "acme/shop", ...plain });
  }

  get #expressions() {
    return {
      "github.event.workflow_run.event": "pull_request",
      "github.event.workflow_run.head_branch": this.#forge.pull.branch,
      "github.event.workflow_run.head_sha": this.#forge.pull.head,
      "github.event.workflow_run.id": "41",
      "github.event.repository.default_branch": "main",
      "github.server_url": "https://forge.example",
      "github.repository": "acme/shop",
      "github.run_id": "42",
      "matrix.stack": report.stack,
      "vars.GATE_APP": callers.app.replace("[bot]", ""),
      "steps.app.outputs.token": "app",
      "github.token": "workflow",
      "secrets.CONTAINER_PLATFORM_REVIEW_KEY": "a key",
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}
