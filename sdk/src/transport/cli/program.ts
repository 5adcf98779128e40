import { type ChildProcess, spawn } from "node:child_process";

export interface Surroundings {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds that it may take. */
  readonly patience: number;
  readonly signal: AbortSignal | undefined;
}

/** What became of a program. */
export type Ending =
  | { readonly how: "exited"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly how: "killed"; readonly by: string }
  /** It was ended: it took too long, or printed too much. */
  | { readonly how: "late" | "endless" }
  | { readonly how: "unstarted"; readonly error: Error };

/** Characters that a program may print. */
const most = 64 * 1024 * 1024;
/** Milliseconds from asking a program to end to making it end. */
const grace = 2000;
/** Milliseconds for the last words of a program that has ended: one that it started may still hold its outputs. */
const lastWords = 1000;

const running = new Set<ChildProcess>();
let watched = false;

/**
 * Runs a program, without a shell in between. It is ended when it takes too long, when the call is given up, and with this process.
 *
 * @throws the signal's reason, if that ended it
 */
export async function run(program: string, args: readonly string[], surroundings: Surroundings): Promise<Ending> {
  const { folder, environment, patience, signal } = surroundings;
  signal?.throwIfAborted();
  const child = spawn(program, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  look(child);
  const stop = new AbortController();
  try {
    const ending = await Promise.race([endingOf(child), after(patience, stop.signal), aborted(signal, stop.signal)]);
    signal?.throwIfAborted();
    return ending;
  } finally {
    stop.abort();
    end(child);
  }
}

function endingOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    const told = { stdout: "", stderr: "" };
    // Where there are no file descriptors left, a child has no outputs.
    for (const name of ["stdout", "stderr"] as const)
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        told[name] += text;
        if (told[name].length > most) resolve({ how: "endless" });
      });
    const ended = (code: number | null, by: string | null) => {
      resolve(code === null ? { how: "killed", by: by ?? "a signal" } : { how: "exited", code, ...told });
    };
    child.once("error", (error) => {
      resolve({ how: "unstarted", error });
    });
    child.once("exit", (code, by) => {
      const timer = setTimeout(() => {
        ended(code, by);
      }, lastWords);
      child.once("close", () => {
        clearTimeout(timer);
        ended(code, by);
      });
    });
  });
}

function after(milliseconds: number, over: AbortSignal): Promise<Ending> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve({ how: "late" });
    }, milliseconds);
    over.addEventListener("abort", () => {
      clearTimeout(timer);
    });
  });
}

function aborted(given: AbortSignal | undefined, over: AbortSignal): Promise<Ending> {
  return new Promise((resolve) => {
    given?.addEventListener("abort", () => resolve({ how: "killed", by: "whoever asked" }), { once: true, signal: over });
  });
}

/** No program outlives this process. */
function look(child: ChildProcess): void {
  if (!watched)
    process.once("exit", () => {
      for (const each of running) each.kill("SIGKILL");
    });
  watched = true;
  running.add(child);
  const forget = () => void running.delete(child);
  child.once("exit", forget).once("error", forget);
}

function end(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (!running.has(child)) return;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), grace);
  child.once("exit", () => {
    clearTimeout(timer);
  });
}
