import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const folder = join(dirname(dirname(import.meta.dirname)), "examples", "gitops");

const variables = z.record(z.string(), z.string());
const workflowSchema = z.object({
  env: variables.optional(),
  jobs: z.record(
    z.string(),
    z.object({
      env: variables.optional(),
      steps: z.array(z.object({ name: z.string().optional(), uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});
const gitlabSchema = z.looseObject({ variables });
const jobSchema = z.looseObject({ script: z.array(z.string()), variables: variables.optional() });

export interface Step {
  readonly name: string;
  readonly run: string;
}

export interface Job {
  readonly steps: readonly Step[];
  readonly env: Readonly<Record<string, string>>;
}

/** A job of the GitHub workflow: its commands as they are written, and its variables with the values of its expressions. */
export function githubJob(name: string, expressions: Readonly<Record<string, string>>): Job {
  const { env, jobs } = workflowSchema.parse(parse(readFileSync(join(folder, "github.yml"), "utf8")));
  const job = jobs[name];
  if (!job) throw new Error(`the workflow has no job ${name}`);
  const told = Object.entries({ ...env, ...job.env }).map(([key, text]) => [key, resolved(text, expressions)] as const);
  const steps = job.steps.flatMap(({ name: called = "", run }) => (run === undefined ? [] : [{ name: called, run }]));
  return { steps, env: Object.fromEntries(told) };
}

/** A job of the GitLab pipeline. */
export function gitlabJob(name: string): Job {
  const all = gitlabSchema.parse(parse(readFileSync(join(folder, "gitlab-ci.yml"), "utf8")));
  const { script, variables: own } = jobSchema.parse(all[name]);
  return { steps: script.map((run, index) => ({ name: `${name} ${index + 1}`, run })), env: { ...all.variables, ...own } };
}

function resolved(text: string, expressions: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const value = expressions[expression];
    if (value === undefined) throw new Error(`nothing says what ${expression} is`);
    return value;
  });
}

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command as the runners of a forge do. */
export function runStep(run: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}

/** Runs the steps of a job in order, up to the first that fails. Packages are installed already. Returns the last step and its exit code. */
export async function runJob({ steps, env }: Job, cwd: string, surroundings: NodeJS.ProcessEnv): Promise<Ran & { readonly step: string }> {
  let last: Ran & { readonly step: string } = { step: "", code: 0, output: "" };
  for (const { name, run } of steps.filter((step) => step.run !== "npm ci")) {
    const { code, output } = await runStep(run, cwd, { ...surroundings, ...env });
    last = { step: name, code, output: last.output + output };
    if (code !== 0) break;
  }
  return last;
}
