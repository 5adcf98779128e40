import { spawn, spawnSync } from "node:child_process";
import { constants } from "node:os";

/** @typedef {NodeJS.ProcessEnv} Environment */
/** @typedef {{ code: number, output: string }} Outcome */

/**
 * Runs a program without showing its output. Returns its exit code and its output. A program that cannot be started has code 127.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Environment, shell?: boolean, minutes?: number }} [options] `minutes`: the program is ended after this time
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
  const apart = graceful && process.platform !== "win32" && !process.stdin.isTTY && !process.stdout.isTTY;
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
 * Kills all processes that have a text in their environment, of which no more may be started by then.
 * @param {string} text
 */
export function killThoseWith(text) {
  if (process.platform === "win32") return;
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
