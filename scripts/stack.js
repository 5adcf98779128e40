import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join, sep } from "node:path";
import { progress, SetUpError } from "./command.js";
import { quietly } from "./processes.js";
import { ownFolder, root, setUp } from "./setup.js";
import { isAlive } from "./turn.js";

/** @typedef {import("./processes.js").Environment} Environment */

/** The stacks of this clone: the one that `npm run up` deploys, and that of `npm run up -- --serve`. */
const [usual, served] = ["local", "real"];

/** Where Pulumi keeps the state of this clone's stacks: beside the local platform's world, because they belong together. */
const stateFolder = join(ownFolder, "state");

/** The user's settings that choose another platform than this clone's, or an account. */
const choosesPlatform = /^CONTAINER_PLATFORM_(ENDPOINT|REGION|PROFILE|SECRET_ID|SECRET_KEY|TOKEN)$/;

/** Pulumi's settings for debugging. The user's other settings of Pulumi belong to other projects. */
const debugSettings = /^PULUMI_DEBUG_/;

/** What the arguments of this command say: its stack, whether a platform is served for it, and the further arguments. */
export function asked() {
  const { npm_config_serve: taken, npm_lifecycle_event: name = "up" } = process.env;
  // Without `--`, npm keeps an option to itself, and says so only in a variable.
  if (taken) throw new SetUpError(`npm has taken --serve for its own option: write \`npm run ${name} -- --serve\``);
  const given = process.argv.slice(2);
  const further = given.filter((argument) => argument !== "--serve");
  const isServed = further.length < given.length;
  return { stack: isServed ? served : usual, isServed, further };
}

/** Sets the machine up, and returns the environment in which the engine works on a stack. @param {string} stack */
export async function readyEngine(stack) {
  const env = surroundings(await setUp(), stack);
  removeLeftOverLocks();
  mendTornState(stateFolder);
  return env;
}

/**
 * The environment in which the engine works on this clone's own stack, whatever the user has set for other projects.
 * @param {Environment} env
 * @param {string} stack
 * @returns {Environment}
 */
function surroundings(env, stack) {
  mkdirSync(stateFolder, { recursive: true });
  const kept = Object.entries(env).filter(
    ([name]) => debugSettings.test(name) || !(name.startsWith("PULUMI_") || choosesPlatform.test(name)),
  );
  const path = stateFolder.split(sep).join("/").replaceAll(/[%?#]/g, encodeURIComponent);
  return {
    ...Object.fromEntries(kept),
    NODE_COMPILE_CACHE: join(ownFolder, "compiled"),
    PULUMI_HOME: join(ownFolder, "pulumi"),
    PULUMI_BACKEND_URL: `file://${path.startsWith("/") ? path : `/${path}`}`,
    PULUMI_CONFIG_PASSPHRASE_FILE: passphraseFile(),
    PULUMI_STACK: stack,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
  };
}

/** The passphrase of this clone's secrets. It is created once. */
function passphraseFile() {
  const file = join(ownFolder, "passphrase");
  if (existsSync(file)) return file;
  try {
    writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600, flag: "wx" });
    forgetOldSalt();
  } catch (error) {
    // Another command, which was started at the same moment, has created it.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
  }
  return file;
}

/** Removes the salt of an old passphrase from the stacks' configuration. Otherwise Pulumi would refuse the new passphrase. */
function forgetOldSalt() {
  for (const file of [usual, served].map((name) => join(root, `Pulumi.${name}.yaml`)).filter(existsSync)) {
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, lines.filter((line) => !line.startsWith("encryptionsalt:")).join("\n"));
  }
}

/** Whether this clone's stack exists. @param {Environment} env @param {string} stack */
export async function stackExists(env, stack) {
  /** @type {{ name: string }[]} */
  const stacks = JSON.parse(
    await pulumi(env, ["stack", "ls", "--json", "--non-interactive"], "the stacks of this folder cannot be listed"),
  );
  return stacks.some(({ name }) => name === stack || name.endsWith(`/${stack}`));
}

/** Creates this clone's stack if it is missing. @param {Environment} env @param {string} stack */
export async function ensureStack(env, stack) {
  // Looking for a file is faster than asking the engine. Creating a stack that exists already does no harm.
  if (existsSync(stateFile(stack))) return;
  await pulumi(env, ["stack", "select", stack, "--create", "--non-interactive"], `the stack "${stack}" cannot be made`);
}

/**
 * Has the engine forget the creations that killed runs have begun, of which nothing is left: it would warn of them in every later run.
 * @param {Environment} env
 * @param {string} stack
 */
export async function forgetPendingCreations(env, stack) {
  const file = stateFile(stack);
  if (!existsSync(file) || !JSON.parse(readFileSync(file, "utf8")).checkpoint?.latest?.pending_operations?.length) return;
  const args = ["refresh", "--clear-pending-creates", "--yes", "--skip-preview", "--non-interactive", "--stack", stack];
  await pulumi(env, args, "the creations that killed runs have begun cannot be cleared from the state");
}

/**
 * The output of a command of Pulumi.
 * @param {Environment} env
 * @param {string[]} args
 * @param {string} problem what is said if it fails
 */
export async function pulumi(env, args, problem) {
  const { code, output } = await quietly("pulumi", args, { cwd: root, env });
  if (code !== 0) throw new SetUpError(`${problem}:\n${output.trim()}`);
  return output;
}

/** Where the state of a stack is. @param {string} stack */
function stateFile(stack) {
  return join(stateFolder, ".pulumi", "stacks", "container-platform", `${stack}.json`);
}

/** Removes the locks of engines that were killed. They would block every later run. */
function removeLeftOverLocks() {
  for (const path of filesUnder(join(stateFolder, ".pulumi", "locks"))) {
    const owner = jsonIn(path);
    if (owner?.hostname !== hostname() || isAlive(owner.pid)) continue;
    rmSync(path, { force: true });
    progress(`the last run (process ${owner.pid}) was killed: its lock on the stack is removed`);
  }
}

/**
 * Mends the files of a folder of Pulumi states that an engine was writing when it was killed. It could not be read any more otherwise:
 * every command would say `failed to load checkpoint`. A file `….attrs` only describes the file beside it, and can go. In the place of a
 * state, the engine has kept the one before as `….bak`.
 *
 * @param {string} folder
 */
export function mendTornState(folder) {
  for (const path of filesUnder(join(folder, ".pulumi", "stacks")))
    if (path.endsWith(".attrs") && !jsonIn(path)) {
      rmSync(path, { force: true });
      progress(`the last run was killed while it wrote ${basename(path)}: that is removed`);
    } else if (path.endsWith(".json") && !jsonIn(path) && jsonIn(`${path}.bak`)) {
      copyFileSync(`${path}.bak`, path);
      rmSync(`${path}.attrs`, { force: true });
      progress(`the last run was killed while it wrote ${basename(path)}: the state before the last change is put back`);
    }
}

/** @param {string} folder */
function filesUnder(folder) {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)) : [];
}

/** The object in a file; `undefined` if the file is not there, or is not JSON to its end. @param {string} path */
function jsonIn(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
