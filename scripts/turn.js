import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { progress } from "./command.js";

/** A number that no process has. */
const noProcess = 2 ** 30;

/**
 * Does work while no other process of this machine does work with the same lock file. So two commands that are started in one clone at
 * the same time do not overwrite each other's installation.
 * @param {string} file the lock file, which contains the process that has it and its machine
 * @param {() => Promise<void>} work
 */
export async function inTurn(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  for (let announced = false; !take(file); await pause(200)) {
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
  try {
    writeFileSync(file, `${process.pid} ${hostname()}`, { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
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
