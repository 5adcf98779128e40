import { type ChildProcess, spawn } from "node:child_process";

export interface Surroundings {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds that it may take. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** How a program ended. */
export type Ending =
  | { readonly how: "exited"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly how: "killed"; readonly by: string }
  /** It was ended because it took too long, or printed too much. */
  | { readonly how: "late" | "endless" }
  | { readonly how: "unstarted"; readonly error: Error };

/** Characters that a program may print. */
const most = 64 * 1024 * 1024;
/** Milliseconds between SIGTERM and SIGKILL. */
const grace = 2000;
/** Milliseconds that are left for output after a program has ended: a program that it started may keep the pipes open. */
const lastWords = 1000;

const running = new Set<ChildProcess>();
let watched = false;

/**
 * Runs a program, without a shell in between. The program is ended when it takes too long, when the signal aborts, and when this
 * process ends.
 *
 * @throws the signal's reason, if that ended the program
 */
export async function run(program: string, args: readonly string[], surroundings: Surroundings): Promise<Ending> {
  const { folder, environment, timeout, signal } = surroundings;
  signal?.throwIfAborted();
  const child = spawn(program, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  look(child);
  const stop = new AbortController();
  try {
    const ending = await Promise.race([endingOf(child), after(timeout, stop.signal), aborted(signal, stop.signal)]);
    signal?.throwIfAborted();
    return ending;
  } finally {
    stop.abort();
    end(child);
  }
}

function endingOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    const printed = { stdout: "", stderr: "" };
    // If there are no file descriptors left, the child has no outputs.
    for (const name of ["stdout", "stderr"] as const)
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        printed[name] += text;
        if (printed[name].length > most) resolve({ how: "endless" });
      });
    const ended = (code: number | null, by: string | null) => {
      resolve(code === null ? { how: "killed", by: by ?? "a signal" } : { how: "exited", code, ...printed });
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
