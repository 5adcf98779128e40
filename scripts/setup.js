import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPackages, packagesAreBuilt } from "./build.js";
import { engineFolder } from "./engine.js";
import { installNewNode, installPackages, newNodeFolder, packagesAreInstalled } from "./packages.js";
import { withPath } from "./processes.js";
import { inTurn } from "./turn.js";

/** @typedef {import("./processes.js").Environment} Environment */

/** The folder of this clone. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folder of everything this project makes while it runs: the local platform's world and Pulumi's state beside it. */
export const ownFolder = join(root, ".container-platform");

/** Tells a command that was started by another one that its set-up is done. */
const doneMark = "CONTAINER_PLATFORM_SET_UP";

/**
 * Puts in place what the project's commands need, as far as it is missing: npm packages, a new enough Node, the built packages
 * and Pulumi's engine. Asks nothing, and is silent when nothing is missing.
 * @returns {Promise<Environment>} the environment for the programs that a command starts
 */
export async function setUp() {
  if (process.env[doneMark] === root) return process.env;
  await once(
    () => packagesAreInstalled(root),
    () => installPackages(root),
  );
  await once(
    () => newNodeFolder(root) !== undefined,
    () => installNewNode(root),
  );
  const programs = [newNodeFolder(root) ?? "", join(root, "node_modules", ".bin")];
  const env = withPath({ ...process.env, [doneMark]: root }, path(programs));
  await once(
    () => packagesAreBuilt(root),
    () => buildPackages(root, env),
  );
  return withPath(env, path([...programs, await engineFolder(root, env)]));
}

/**
 * Does a step that is not done, and does it once when two commands run at the same time.
 * @param {() => boolean} done
 * @param {() => Promise<void>} step
 */
async function once(done, step) {
  if (done()) return;
  await inTurn(join(ownFolder, "set-up.lock"), async () => {
    if (!done()) await step();
  });
}

/** @param {string[]} first folders to look into before all others */
function path(first) {
  const others = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "" && !first.includes(folder));
  return [...first, ...others].join(delimiter);
}
