import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

export const pipelines = join(dirname(dirname(import.meta.dirname)), "examples", "gitops");

/** What the key of a preview may do. */
export const { allow } = z
  .strictObject({ allow: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(join(pipelines, "preview-permissions.json"), "utf8")));

/** Expressions whose values do not matter. */
export const anything = new Proxy<Record<string, string>>({}, { get: () => "" });

const variables = z.record(z.string(), z.string());
const concurrency = z.strictObject({
  group: z.string(),
  queue: z.literal("max").optional(),
  "cancel-in-progress": z.boolean().optional(),
});
const stepSchema = z.object({
  name: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  run: z.string().optional(),
  env: variables.optional(),
});
const workflowSchema = z.object({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: variables,
  concurrency: concurrency.optional(),
  env: variables.optional(),
  jobs: z.record(
    z.string(),
    z.object({
      if: z.string().optional(),
      permissions: variables,
      environment: z.string().optional(),
      strategy: z.looseObject({ "max-parallel": z.int().optional(), "fail-fast": z.boolean().optional() }).optional(),
      concurrency: concurrency.optional(),
      env: variables.optional(),
      steps: z.array(stepSchema),
    }),
  ),
});
export type Workflow = z.output<typeof workflowSchema>;

export function workflows(): Readonly<Record<string, Workflow>> {
  const folder = join(pipelines, "github");
  return Object.fromEntries(
    readdirSync(folder).map((file) => [file.replace(".yml", ""), workflowSchema.parse(parse(readFileSync(join(folder, file), "utf8")))]),
  );
}

const gitlabSchema = z.looseObject({ variables });
const gitlabJobSchema = z.looseObject({
  extends: z.union([z.string(), z.array(z.string())]).optional(),
  script: z.array(z.string()).optional(),
  variables: variables.optional(),
});

export interface Step {
  readonly name: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Job {
  readonly steps: readonly Step[];
}

/** A job of a GitHub workflow: its commands as they are written, and their variables with the values of their expressions. */
export function githubJob(file: string, name: string, expressions: Readonly<Record<string, string>>): Job {
  const workflow = workflows()[file];
  const job = workflow?.jobs[name];
  if (!job) throw new Error(`the workflow ${file} has no job ${name}`);
  const steps = job.steps.flatMap(({ name: called = "", run, env: own }) => {
    const told = Object.entries({ ...workflow.env, ...job.env, ...own }).map(([key, text]) => [key, resolved(text, expressions)] as const);
    return run === undefined ? [] : [{ name: called, run, env: Object.fromEntries(told) }];
  });
  return { steps };
}

/** A job of the GitLab pipeline, with what it extends. Its own variables win. */
export function gitlabJob(name: string): Job {
  const all = gitlabSchema.parse(parse(readFileSync(join(pipelines, "gitlab-ci.yml"), "utf8")));
  const job = gitlabJobSchema.parse(all[name]);
  const parents = [job.extends ?? []].flat().map((parent) => gitlabJobSchema.parse(all[parent]));
  const script = [job, ...parents].find((one) => one.script)?.script ?? [];
  const env = Object.assign({}, all.variables, ...parents.map((parent) => parent.variables), job.variables);
  return { steps: script.map((run, index) => ({ name: `${name} ${index + 1}`, run, env: variables.parse(env) })) };
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

/** Runs the steps of a job in order, up to the first that fails. Pulumi is there already. Returns the last step and its exit code. */
export async function runJob({ steps }: Job, cwd: string, surroundings: NodeJS.ProcessEnv): Promise<Ran & { readonly step: string }> {
  let last: Ran & { readonly step: string } = { step: "", code: 0, output: "" };
  for (const { name, run, env } of steps.filter((step) => !step.run.endsWith("pulumi.sh"))) {
    const { code, output } = await runStep(run, cwd, { ...surroundings, ...env });
    last = { step: name, code, output: last.output + output };
    if (code !== 0) break;
  }
  return last;
}
