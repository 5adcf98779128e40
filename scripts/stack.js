import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { progress, SetUpError } from "./command.js";
import { quietly } from "./processes.js";
import { setUp } from "./setup.js";
import { stateFolder, surroundings } from "./surroundings.js";
import { mendTornState } from "./torn-state.js";
import { isAlive } from "./turn.js";

/** @typedef {import("./processes.js").Environment} Environment */

/** Sets the machine up, and returns the environment of the engine. @returns {Promise<Environment>} */
export async function readyEngine() {
  const env = surroundings(await setUp());
  removeLeftOverLocks();
  mendTornState(stateFolder);
  return env;
}

/** @typedef {import("./program.js").Program} Program */

/** Whether this clone's stack of a program exists. @param {Environment} env @param {Program} program */
export async function stackExists(env, { folder, stack }) {
  const { code, output } = await quietly("pulumi", ["stack", "ls", "--json", "--non-interactive"], { cwd: folder, env });
  if (code !== 0) throw new SetUpError(`the stacks of this folder cannot be listed:\n${output.trim()}`);
  /** @type {{ name: string }[]} */
  const stacks = JSON.parse(output);
  return stacks.some(({ name }) => name === stack || name.endsWith(`/${stack}`));
}

/** Creates this clone's stack of a program if it is missing. @param {Environment} env @param {Program} program */
export async function ensureStack(env, program) {
  // Looking for a file is faster than asking the engine. Creating a stack that exists already does no harm.
  if (existsSync(stateFile(program))) return;
  const args = ["stack", "select", program.stack, "--create", "--non-interactive"];
  const { code, output } = await quietly("pulumi", args, { cwd: program.folder, env });
  if (code !== 0) throw new SetUpError(`the stack "${program.stack}" cannot be made:\n${output.trim()}`);
}

/**
 * Has the engine forget the creations that killed runs have begun, of which nothing is left: it would warn of them in every later run.
 * @param {Environment} env
 * @param {Program} program
 */
export async function forgetPendingCreations(env, program) {
  const file = stateFile(program);
  if (!existsSync(file) || !JSON.parse(readFileSync(file, "utf8")).checkpoint?.latest?.pending_operations?.length) return;
  const args = ["refresh", "--clear-pending-creates", "--yes", "--skip-preview", "--non-interactive", "--stack", program.stack];
  const { code, output } = await quietly("pulumi", args, { cwd: program.folder, env });
  if (code !== 0) throw new SetUpError(`the creations that killed runs have begun cannot be cleared from the state:\n${output.trim()}`);
}

/** Where the state of a program's stack is. @param {Program} program */
function stateFile({ project, stack }) {
  return join(stateFolder, ".pulumi", "stacks", project, `${stack}.json`);
}

/** Removes the locks of engines that were killed. They would block every later run. */
function removeLeftOverLocks() {
  for (const path of filesUnder(join(stateFolder, ".pulumi", "locks"))) {
    const owner = lockOwner(path);
    if (owner?.hostname !== hostname() || isAlive(owner.pid)) continue;
    rmSync(path, { force: true });
    progress(`the last run (process ${owner.pid}) was killed: its lock on the stack is removed`);
  }
}

/** @param {string} path @returns {{ pid: number, hostname: string } | undefined} `undefined` if the lock has just been removed */
function lockOwner(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** @param {string} folder */
function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
}
