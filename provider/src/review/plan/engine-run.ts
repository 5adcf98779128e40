import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EngineOutput, parseEngineOutput, type RawStep, stackIn, typeOf } from "./engine-output.ts";
import { displayNameOfUrn } from "./names.ts";

/** Runs `pulumi preview`, or a refresh that writes nothing, in this folder. `args`: further options for it. */
export async function runPulumi(about: "preview" | "drift", args: readonly string[]): Promise<EngineOutput> {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-review-"));
  const log = join(folder, "events.jsonl");
  try {
    const command = about === "preview" ? ["preview", "--json", "--show-sames", "--show-replacement-steps"] : ["refresh", "--preview-only"];
    const { stdout, stderr } = await output(["--non-interactive", "--color", "never", ...command, "--event-log", log, ...args]);
    const logged = existsSync(log) ? readFileSync(log, "utf8") : "";
    // An engine that refuses its arguments prints no result and writes no log; but a log of which a part is missing is no log that is not there.
    const outputs = [about === "preview" ? (parsed(stdout) ?? []) : [], logged.trim() === "" ? [] : parseEngineOutput(logged)].flat();
    const advice = /no stack (named|selected)/.test(stderr)
      ? "`pulumi stack ls` lists the stacks that there are: name one of them after `-- --stack`"
      : "";
    if (outputs.length === 0) throw new Error(`pulumi ${command[0]} printed no result:\n${stderr || stdout}${advice}`);
    return { ...mergeOutputs(outputs), isPartial: args.some((arg) => /^(?:-t|--target|--exclude)/.test(arg)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function parsed(text: string): EngineOutput | undefined {
  try {
    return parseEngineOutput(text);
  } catch {
    return undefined;
  }
}

function output(args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    // Pulumi has the option `--event-log` only with the first variable, and rejects `--preview-only` with the second one.
    const env = { ...process.env, PULUMI_DEBUG_COMMANDS: "true", PULUMI_SKIP_CONFIRMATIONS: undefined };
    const child = execFile("pulumi", args, { env, maxBuffer: Infinity }, (error, stdout, stderr) => {
      // A number is the exit code of a preview that failed.
      if (typeof error?.code === "string") reject(new Error(`pulumi could not be started: ${error.message}`));
      else resolve({ stdout, stderr });
    });
    child.stdin?.end();
  });
}

const replacementSteps = new Set(["create-replacement", "delete-replaced", "import-replacement"]);

/**
 * Merges the output of a preview with its event log.
 * @throws Error if they are not of the same run
 */
export function mergeOutputs(all: readonly EngineOutput[]): EngineOutput {
  const [first, second, ...others] = all.toSorted((one, other) => Number(one.hasEventLog) - Number(other.hasEventLog));
  if (!first) throw new Error("there is nothing to review");
  if (!second) return first;
  if (others.length > 0 || first.hasEventLog || !second.hasEventLog)
    throw new Error(`${all.length} files were given: give one preview and its event log, or one of them`);
  expectSameRun(first, second);
  return {
    config: { ...second.config, ...first.config },
    steps: withLoggedSteps(first.steps, second.steps),
    refreshed: second.refreshed,
    diagnostics: first.diagnostics.length > 0 ? first.diagnostics : second.diagnostics,
    violations: second.violations,
    outputs: second.outputs,
    finished: first.finished ?? second.finished,
    lacksSames: first.lacksSames,
    hasDependencies: first.steps.length > 0,
    hasEventLog: true,
  };
}

/** What a preview and a log of two runs say together is true of neither. */
function expectSameRun(preview: EngineOutput, log: EngineOutput): void {
  const [one, other] = [stackIn(preview), stackIn(log)];
  const isSameStack = one.stack === other.stack && one.project === other.project;
  const called = ({ stack, project }: typeof one) => `stack ${stack ?? "?"} of project ${project ?? "?"}`;
  if (preview.steps.length > 0 && log.steps.length > 0 && !isSameStack)
    throw new Error(`the preview is of ${called(one)}, and the event log of ${called(other)}: give those of one run`);
  // Of a run that did not end, nothing passes.
  if (preview.finished === false || log.finished === false) return;
  const hasReplacementSteps = preview.steps.some(({ op }) => replacementSteps.has(op));
  const [previewed, logged] = [doneIn(preview, hasReplacementSteps), doneIn(log, hasReplacementSteps)];
  const only = (own: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>, where: string): string[] => {
    const found = [...own].flatMap(([step, said]) => (others.has(step) ? [] : [said]));
    const more = found.length > 3 ? ` and ${found.length - 3} more` : "";
    return found.length === 0 ? [] : [`only ${where} says ${found.slice(0, 3).join(", ")}${more}`];
  };
  const differences = [...only(previewed, logged, "the preview"), ...only(logged, previewed, "the event log")];
  if (differences.length > 0)
    throw new Error(`the preview and the event log are of different runs: ${differences.join("; ")}. Give those of one run`);
}

/** What changes nothing, or is in a preview only with further options. */
const unchanging = new Set([
  ...["same", "refresh", "diff", "read", "read-replacement", "read-discard"],
  ...["discard", "discard-replaced", "remove-pending-replace"],
]);

/** What a run does, in words, by step. */
function doneIn({ steps }: EngineOutput, hasReplacementSteps: boolean): ReadonlyMap<string, string> {
  const doing = steps.filter(
    ({ op, urn }) => !unchanging.has(op) && !isDefaultProvider(urn) && (hasReplacementSteps || !replacementSteps.has(op)),
  );
  return new Map(doing.map(({ op, urn }) => [`${op} ${urn}`, `${op} ${displayNameOfUrn(urn)}`]));
}

/** Whether it is a provider that the engine has made by itself. A preview leaves it out. */
function isDefaultProvider(urn: string): boolean {
  return typeOf(urn).startsWith("pulumi:providers:") && /::default(?:_|$)/.test(urn);
}

/** Adds what a preview leaves out: the two steps of each replacement without `--show-replacement-steps`, and those of default providers. */
function withLoggedSteps(previewed: readonly RawStep[], logged: readonly RawStep[]): readonly RawStep[] {
  if (previewed.length === 0) return logged;
  const isComplete = previewed.some(({ op }) => replacementSteps.has(op));
  const remaining = new Map(previewed.map((step) => [`${step.op} ${step.urn}`, step]));
  const ordered = logged.flatMap((step) => {
    const same = remaining.get(`${step.op} ${step.urn}`);
    remaining.delete(`${step.op} ${step.urn}`);
    // The preview's states are more complete than those of the log.
    if (same) return same;
    if (isDefaultProvider(step.urn)) return step;
    return !isComplete && replacementSteps.has(step.op) ? [{ ...step, oldState: undefined, newState: undefined }] : [];
  });
  return [...ordered, ...remaining.values()];
}
