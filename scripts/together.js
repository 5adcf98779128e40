import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

/** @typedef {import("./processes.js").Environment} Environment */
/** @typedef {import("./processes.js").Outcome} Outcome */

/** So long, in milliseconds, programs may take to end by themselves. npm would take its time to remove what it has installed. */
const patience = 2000;

const windows = process.platform === "win32";

/**
 * Does work that can be interrupted: at a signal, the programs that it has started with `endable` are ended, and this process ends by the
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
 * Runs a program as `quietly` does. When it is told to end, all that it has started ends with it.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Environment, shell?: boolean, minutes?: number, signal: AbortSignal }} options
 * @returns {Promise<Outcome>}
 */
export function endable(program, args, { minutes, signal, ...options }) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(interrupted);
    let output = "";
    // A group of its own, which can be ended as a whole: the compilers of `go build`, and the scripts that npm runs.
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: !windows, windowsHide: true });
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
    /** @type {NodeJS.Timeout[]} */
    const timers = [];
    let isEnding = false;
    const end = () => {
      isEnding = true;
      sendTo(child, "SIGINT");
      timers.push(setTimeout(sendTo, patience, child, "SIGKILL"));
    };
    const expire = () => {
      output += `\nended after ${minutes} minutes`;
      end();
    };
    if (minutes !== undefined) timers.push(setTimeout(expire, minutes * 60_000));
    signal.addEventListener("abort", end, { once: true });
    /** @param {Outcome} outcome */
    const settle = (outcome) => {
      timers.forEach(clearTimeout);
      // A shell has what it starts in the background ignore SIGINT.
      if (isEnding) sendTo(child, "SIGKILL");
      signal.removeEventListener("abort", end);
      resolve(outcome);
    };
    child.once("error", (error) => settle({ code: 127, output: error.message }));
    child.once("close", (code, by) => settle({ code: code ?? 1, output: by ? `${output}\nended by ${by}` : output }));
  });
}

const interrupted = { code: 1, output: "interrupted" };

/** @param {import("node:child_process").ChildProcess} child @param {NodeJS.Signals} signal */
function sendTo(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (windows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}
