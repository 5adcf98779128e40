import { spawn } from "node:child_process";
import { constants } from "node:os";

/** @typedef {NodeJS.ProcessEnv} Environment */
/** @typedef {{ code: number, output: string }} Outcome */

/**
 * Runs a program unseen and gives its exit code and all it printed. A program that cannot be started has code 127.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Environment, shell?: boolean, minutes?: number }} [options] `minutes`: it is ended after so long
 * @returns {Promise<Outcome>}
 */
export function quietly(program, args, { minutes, ...options } = {}) {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"], timeout: (minutes ?? 0) * 60_000 });
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
    child.once("error", (error) => resolve({ code: 127, output: error.message }));
    child.once("close", (code, signal) => resolve({ code: code ?? 1, output: signal ? `${output}\nended by ${signal}` : output }));
  });
}

/**
 * Runs a program in the foreground, with this terminal, and gives its exit code. This process outlives it, whatever the signal.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env: Environment, graceful?: boolean }} options `graceful`: the program ends gently at a first signal
 *   and at once at a second, so it must get each exactly once
 * @returns {Promise<number>}
 */
export function foreground(program, args, { graceful = false, ...options }) {
  // A terminal sends Control-C to every process of its group, this one and the program alike. Without a terminal nobody knows
  // whether the sender meant the group or us, so the program gets a group of its own and hears of it from us alone.
  const apart = graceful && process.platform !== "win32" && !process.stdin.isTTY && !process.stdout.isTTY;
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: "inherit", detached: apart, shell: needsShell(program) });
    let last = 0;
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => {
      if (signal === "SIGINT" && !apart) return;
      // npm repeats a signal that it gets itself: two within a second are one.
      if (Date.now() - last > 1000) child.kill(signal);
      last = Date.now();
    };
    process.on("SIGINT", pass);
    process.on("SIGTERM", pass);
    /** @param {number} code */
    const end = (code) => {
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
 * Whether a program is a script that Windows only starts through its shell, as npm and what npm puts into node_modules/.bin are.
 * @param {string} program
 */
export function needsShell(program) {
  return process.platform === "win32" && !/[\\/]|\.exe$|^(node|pulumi|go)$/.test(program);
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
