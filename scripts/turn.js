import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { progress } from "./command.js";

/** A number that no process has. */
const noProcess = 2 ** 30;

/**
 * Does some work while no other process of this machine does work under the same file, so that two commands started at once
 * in one clone do not install over each other.
 * @param {string} file names the process whose turn it is, and its machine
 * @param {() => Promise<void>} work
 */
export async function inTurn(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  for (let told = false; !take(file); await pause(200)) {
    const owner = ownerOf(file);
    if (owner && !isAlive(owner)) putAside(file);
    else if (owner && !told) {
      progress(`waiting for another set-up (process ${owner}; if it is none, remove ${file})`);
      told = true;
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
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
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
 * @returns {number | undefined} nothing when the mark has just gone or is just being written
 */
function ownerOf(file) {
  try {
    const [pid, machine] = readFileSync(file, "utf8").split(" ");
    // Of a process on another machine (a shared home folder) nothing is known: it is not waited for.
    return machine === undefined || machine === hostname() ? Number(pid) || undefined : noProcess;
  } catch {
    return undefined;
  }
}

/** Removes the mark of a process that was killed. Renaming it succeeds for one of several that wait. @param {string} file */
function putAside(file) {
  try {
    renameSync(file, `${file}.${process.pid}`);
    rmSync(`${file}.${process.pid}`, { force: true });
  } catch {
    // Another one was quicker.
  }
}
