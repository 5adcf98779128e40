import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { progress, SetUpError } from "./command.js";

/** A number that no process has. */
const noProcess = 2 ** 30;

/**
 * Does work while no other process of this machine does work with the same lock file. So two commands that are started in one clone at
 * the same time do not overwrite each other's installation.
 * @param {string} file the lock file, which contains the process that has it and its machine
 * @param {() => Promise<void>} work
 * @param {AbortSignal} [signal] ends the waiting
 */
export async function inTurn(file, work, signal) {
  for (let announced = false; !take(file); await pause(200, undefined, { signal })) {
    const owner = ownerOf(file);
    if (owner && !isAlive(owner)) putAside(file);
    else if (owner && !announced) {
      progress(`waiting for another set-up (process ${owner}; if it is none, remove ${file})`);
      announced = true;
    }
  }
  try {
    await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** Whether a process of this machine is still running. @param {number} pid */
export function isAlive(pid) {
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** Whether a process has ended, and only its exit code is kept: for good in a container whose first process waits for none. @param {number} pid */
function isZombie(pid) {
  const status = `/proc/${pid}/stat`;
  // The state follows the program's name, which stands in brackets.
  return existsSync(status) && /\) Z [^)]*$/.test(readFileSync(status, "utf8"));
}

/** @param {string} file */
function take(file) {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `${process.pid} ${hostname()}`, { flag: "wx" });
    return true;
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "EEXIST" && existsSync(folder) && statSync(folder).isDirectory()) return false;
    // Node also says that there is no such folder where it may not make one.
    const reason = code === "ENOENT" ? "" : ` (${message})`;
    const isOwn = basename(folder) === ".container-platform";
    const advice = isOwn ? "Make a clone where you may write" : "Allow it, or set XDG_CACHE_HOME to a folder that can be written";
    throw new SetUpError(`the folder ${folder} cannot be written${reason}. ${advice}, and run the command again.`);
  }
}

/**
 * @param {string} file
 * @returns {number | undefined} `undefined` if the lock has just been removed, or is being written
 */
function ownerOf(file) {
  try {
    const [pid, machine] = readFileSync(file, "utf8").split(" ");
    // Nothing is known about a process on another machine (with a shared home folder), so it is not waited for.
    return machine === undefined || machine === hostname() ? Number(pid) || undefined : noProcess;
  } catch {
    return undefined;
  }
}

/** Removes the lock of a process that was killed. If several processes wait, the rename succeeds for only one of them. @param {string} file */
function putAside(file) {
  try {
    renameSync(file, `${file}.${process.pid}`);
    rmSync(`${file}.${process.pid}`, { force: true });
  } catch {
    // Another process was faster.
  }
}
