import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPackages, packagesAreBuilt } from "./build.js";
import { engineFolder } from "./engine.js";
import { installNewNode, installPackages, newNodeFolder, packagesAreInstalled } from "./packages.js";
import { withPath } from "./processes.js";
import { interruptible, together } from "./together.js";
import { inTurn } from "./turn.js";

/** @typedef {import("./processes.js").Environment} Environment */

/** The folder of this clone. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folder of all files that this project writes while it runs: the local platform's world, and Pulumi's state. */
export const ownFolder = join(root, ".container-platform");

/** The environment variable by which a command that another one has started knows that the set-up is done. */
const doneVariable = "CONTAINER_PLATFORM_SET_UP";

/**
 * Installs whatever the project's commands need and is missing: npm packages, a new enough Node, the built packages and Pulumi's engine.
 * Nothing waits for what it does not need. It asks no questions, and prints nothing if nothing is missing.
 * @returns {Promise<Environment>} the environment for the programs that a command starts
 */
export async function setUp() {
  if (process.env[doneVariable] === root) return process.env;
  return interruptible(async (stop) => {
    const installed = install(stop.signal);
    const [env, folder] = await together(stop, [
      installed.then((env) => build(env, stop.signal)),
      engineFolder({ root, env: ownEnvironment(), installed, signal: stop.signal }),
    ]);
    return withPath({ ...env, [doneVariable]: root }, path([...ownPrograms(), folder]));
  });
}

/**
 * The same without the engine: npm packages, a new enough Node, and the built packages.
 * @returns {Promise<Environment>}
 */
export async function setUpPackages() {
  if (process.env[doneVariable] === root) return process.env;
  return interruptible(async ({ signal }) => build(await install(signal), signal));
}

/** Installs the npm packages and a new enough Node. @param {AbortSignal} signal */
async function install(signal) {
  await once(
    signal,
    () => packagesAreInstalled(root),
    () => installPackages(root, signal),
  );
  await once(
    signal,
    () => newNodeFolder(root) !== undefined,
    () => installNewNode(root, signal),
  );
  return ownEnvironment();
}

/** Builds the packages. @param {Environment} env @param {AbortSignal} signal */
async function build(env, signal) {
  await once(
    signal,
    () => packagesAreBuilt(root),
    () => buildPackages(root, env, signal),
  );
  return env;
}

/** The environment in which the programs of `ownPrograms` come first. */
function ownEnvironment() {
  return withPath(process.env, path(ownPrograms()));
}

/** The folders of the programs that npm installs for this project. */
function ownPrograms() {
  return [newNodeFolder(root) ?? "", join(root, "node_modules", ".bin")];
}

/**
 * Takes a step, unless it is done. If two commands run at the same time, only one of them takes it.
 * @param {AbortSignal} signal
 * @param {() => boolean} done
 * @param {() => Promise<void>} step
 */
async function once(signal, done, step) {
  if (done()) return;
  const work = async () => {
    if (!done()) await step();
  };
  await inTurn(join(ownFolder, "set-up.lock"), work, signal);
}

/** @param {string[]} first folders that are searched before all others */
function path(first) {
  const others = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "" && !first.includes(folder));
  return [...first, ...others].join(delimiter);
}
