import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineOutput } from "./engine-output.ts";
import { parseEngineOutput } from "./engine-text.ts";
import { mergeOutputs } from "./merged.ts";

/** Runs `pulumi preview`, or a refresh that writes nothing, in this folder. `args`: further options for it. */
export async function runPulumi(about: "preview" | "drift", args: readonly string[]): Promise<EngineOutput> {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-review-"));
  const log = join(folder, "events.jsonl");
  try {
    const command = about === "preview" ? ["preview", "--json", "--show-sames", "--show-replacement-steps"] : ["refresh", "--preview-only"];
    const { stdout, stderr } = await output(["--non-interactive", "--color", "never", ...command, "--event-log", log, ...args]);
    const logged = read(log);
    // An engine that refuses its arguments prints no result; but a log of which a part is missing is no log that is not there.
    const outputs = [about === "preview" ? (parsed(stdout) ?? []) : [], logged.trim() === "" ? [] : parseEngineOutput(logged)].flat();
    if (outputs.length === 0) throw new Error(`pulumi ${command[0]} printed no result:\n${stderr || stdout}${adviceOn(stderr)}`);
    return { ...mergeOutputs(outputs), isPartial: args.some((arg) => /^(?:-t|--target|--exclude)/.test(arg)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function adviceOn(said: string): string {
  return /no stack (named|selected)/.test(said)
    ? "`pulumi stack ls` lists the stacks that there are: name one of them after `-- --stack`"
    : "";
}

function parsed(text: string): EngineOutput | undefined {
  try {
    return parseEngineOutput(text);
  } catch {
    return undefined;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // An engine that refuses its arguments writes no log.
    return "";
  }
}

function output(args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    // Pulumi has the option `--event-log` only with the first variable, and rejects `--preview-only` with the second one.
    const env = { ...process.env, PULUMI_DEBUG_COMMANDS: "true", PULUMI_SKIP_CONFIRMATIONS: undefined };
    const child = spawn("pulumi", args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.once("error", (error) => reject(new Error(`pulumi could not be started: ${error.message}`)));
    child.once("close", () => resolve({ stdout, stderr }));
  });
}
