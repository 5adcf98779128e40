import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

/** @typedef {NodeJS.ProcessEnv} Environment */
/** @typedef {{ code: number, output: string }} Outcome */

/** So long, in milliseconds, programs may take to end by themselves. npm would take its time to remove what it has installed. */
const patience = 2000;

const windows = process.platform === "win32";

/**
 * Runs a program without showing its output. A program that cannot be started has the exit code 127.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Environment, shell?: boolean, minutes?: number, signal?: AbortSignal }} [options] after `minutes`, or at
 *   the signal, the program and all that it has started are ended
 * @returns {Promise<Outcome>}
 */
export function quietly(program, args, { minutes, signal, ...options } = {}) {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve({ code: 1, output: "interrupted" });
    let output = "";
    // What can be ended has its own group, which is ended as a whole: the compilers of `go build`, and the scripts that npm runs.
    const detached = signal !== undefined && !windows;
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"], detached, windowsHide: true });
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
    /** @param {NodeJS.Signals} how */
    const send = (how) => {
      try {
        if (detached && child.pid !== undefined) process.kill(-child.pid, how);
        else child.kill(how);
      } catch {
        // It has ended.
      }
    };
    /** @type {NodeJS.Timeout[]} */
    const timers = [];
    let isEnding = false;
    const end = () => {
      isEnding = true;
      send("SIGINT");
      timers.push(setTimeout(send, patience, "SIGKILL"));
    };
    const expire = () => {
      output += `\nended after ${minutes} minutes`;
      end();
    };
    if (minutes !== undefined) timers.push(setTimeout(expire, minutes * 60_000));
    signal?.addEventListener("abort", end, { once: true });
    /** @param {Outcome} outcome */
    const settle = (outcome) => {
      timers.forEach(clearTimeout);
      // A shell has what it starts in the background ignore SIGINT.
      if (isEnding) send("SIGKILL");
      signal?.removeEventListener("abort", end);
      resolve(outcome);
    };
    child.once("error", (error) => settle({ code: 127, output: error.message }));
    child.once("close", (code, by) => settle({ code: code ?? 1, output: by ? `${output}\nended by ${by}` : output }));
  });
}

/**
 * Runs a program in the foreground, with this terminal, and returns its exit code. This process ends after the program, whatever signal
 * comes.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env: Environment, graceful?: boolean, withParent?: boolean }} options `graceful`: the program ends gently at a first
 *   signal and at once at a second, so it must get each exactly once. `withParent`: it ends when the parent of this process has ended, as the
 *   shell does that npm has started this process with, which hands no signal on
 * @returns {Promise<number>}
 */
export function foreground(program, args, { graceful = false, withParent = false, ...options }) {
  // A terminal sends Control-C to every process of its group, to this one and to the program. Without a terminal, a signal may be sent
  // to the group or only to this process. So the program gets its own group, and only this process passes signals to it.
  const apart = graceful && !windows && !process.stdin.isTTY && !process.stdout.isTTY;
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: "inherit", detached: apart, shell: needsShell(program) });
    let last = 0;
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => {
      if (signal === "SIGINT" && !apart) return;
      // npm repeats a signal that it receives: two within a second count as one.
      if (Date.now() - last > 1000) child.kill(signal);
      last = Date.now();
    };
    process.on("SIGINT", pass);
    process.on("SIGTERM", pass);
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (withParent && process.ppid !== parent) pass("SIGTERM");
    }, 1000);
    /** @param {number} code */
    const end = (code) => {
      clearInterval(watch);
      process.off("SIGINT", pass);
      process.off("SIGTERM", pass);
      resolve(code);
    };
    child.once("error", (error) => {
      console.error(`${program} could not be started: ${error.message}`);
      end(127);
    });
    child.once("close", (code, signal) => end(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Does work that can be interrupted: at a signal, the programs that it has started with `quietly` and its signal are ended, and this process ends by the
 * same signal once the work has cleaned up.
 * @template T
 * @param {(stop: AbortController) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function interruptible(work) {
  const stop = new AbortController();
  /** @type {NodeJS.Signals | undefined} */
  let received;
  /** @param {NodeJS.Signals} signal */
  const interrupt = (signal) => {
    received ??= signal;
    stop.abort();
  };
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  for (const signal of signals) process.on(signal, interrupt);
  try {
    return await work(stop);
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
    if (received !== undefined) {
      process.kill(process.pid, received);
      // Nothing more is done or said, until the signal has come.
      await pause(patience);
    }
  }
}

/**
 * The results of works that go on at the same time. If one fails, the others are told to end, and have ended when this fails.
 * @template {unknown[]} T
 * @param {AbortController} stop
 * @param {{ [K in keyof T]: Promise<T[K]> }} works
 * @returns {Promise<T>}
 */
export async function together(stop, works) {
  try {
    return await Promise.all(works);
  } catch (error) {
    stop.abort();
    await Promise.allSettled(works);
    throw error;
  }
}

/**
 * Processor time of all programs that this one has started and that have ended, and of those that they have started, in seconds. Linux alone
 * tells it: in hundredths, in /proc/self/stat (proc_pid_stat(5): `cutime` and `cstime`).
 * @returns {number | undefined}
 */
export function workOfChildren() {
  if (process.platform !== "linux") return undefined;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // A program's name may hold anything but a `)`.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/**
 * Kills all processes that have a text in their environment, of which no more may be started by then.
 * @param {string} text
 */
export function killThoseWith(text) {
  if (windows) return;
  const shown = process.platform === "darwin" ? "-axEww" : "axeww";
  const { stdout } = spawnSync("ps", [shown, "-o", "pid=,command="], { encoding: "utf8", maxBuffer: 2 ** 28 });
  for (const line of stdout.split("\n").filter((one) => one.includes(text)))
    try {
      process.kill(Number.parseInt(line), "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
}

/**
 * Whether a program is a script that Windows can start only through its shell. npm and all programs in node_modules/.bin are.
 * @param {string} program
 */
export function needsShell(program) {
  return windows && !/[\\/]|\.exe$|^(node|pulumi|go)$/.test(program);
}

/**
 * The environment with another PATH. On Windows the variable may be spelt in any way, and must be there once.
 * @param {Environment} env
 * @param {string} path
 * @returns {Environment}
 */
export function withPath(env, path) {
  const others = Object.entries(env).filter(([name]) => name.toUpperCase() !== "PATH");
  return { ...Object.fromEntries(others), PATH: path };
}
