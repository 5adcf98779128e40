import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isUnreachable, isUnwritable, SetUpError, taking } from "./command.js";
import { engineFolder } from "./engine.js";
import { interruptible, needsShell, quietly, together, withPath } from "./processes.js";
import { inTurn } from "./turn.js";

/** @typedef {import("./processes.js").Environment} Environment */

/** The folder of this clone. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folder of all files that this project writes while it runs: the local platform's world, and Pulumi's state. */
export const ownFolder = join(root, ".container-platform");

/** The environment variable by which a command that another one has started knows that the set-up is done. */
const doneVariable = "CONTAINER_PLATFORM_SET_UP";

/** The packages need `node:sqlite` without a flag, type stripping, and undici 8. */
const oldestNode = [22, 19];

/** In node_modules, so that it is removed together with the packages. */
const buildStamp = join(root, "node_modules", ".built-packages");

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
  await once(signal, packagesAreInstalled, () => installPackages(root, signal));
  await once(
    signal,
    () => newNodeFolder() !== undefined,
    () => installNewNode(signal),
  );
  return ownEnvironment();
}

/** Builds the packages, if their sources have changed. @param {Environment} env @param {AbortSignal} signal */
async function build(env, signal) {
  await once(signal, packagesAreBuilt, () => buildPackages(env, signal));
  return env;
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

/** The environment in which the programs of `ownPrograms` come first. */
function ownEnvironment() {
  return withPath(process.env, path(ownPrograms()));
}

/** The folders of the programs that npm installs for this project. */
function ownPrograms() {
  return [newNodeFolder() ?? "", join(root, "node_modules", ".bin")];
}

/** @param {string[]} first folders that are searched before all others */
function path(first) {
  const others = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "" && !first.includes(folder));
  return [...first, ...others].join(delimiter);
}

/** Whether node_modules has what package-lock.json requires, according to npm's own record of the installed packages. */
function packagesAreInstalled() {
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const installed = packagesIn(record);
  return Object.entries(packagesIn(join(root, "package-lock.json"))).every(([place, wanted]) => {
    if (place === "") return true;
    const found = installed[place];
    // Packages for other systems are in the lock file, but not installed.
    if (!found) return wanted.optional === true || wanted.devOptional === true || wanted.peer === true;
    return found.version === wanted.version && found.integrity === wanted.integrity && found.link === wanted.link;
  });
}

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean }} LockedPackage
 * @param {string} file
 * @returns {Record<string, LockedPackage>}
 */
function packagesIn(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

/** Installs exactly what package-lock.json says. @param {string} folder @param {AbortSignal} signal */
export async function installPackages(folder, signal) {
  await taking("installing npm packages", "about a minute", async () => {
    const { code, output } = await npm(folder, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], signal);
    if (code !== 0) throw new SetUpError(`${adviceFor(output)}"npm ci" ended with code ${code}:\n${output.trim()}`);
  });
}

/** What the user can do if npm has failed, as a sentence. @param {string} output npm's */
function adviceFor(output) {
  if (isUnreachable(output))
    return "npm's registry cannot be reached. Connect this machine to the network, or set npm's `registry` or `proxy` to what it can reach, and run the command again.\n";
  if (isUnwritable(output))
    return "npm cannot write a folder that it needs. Allow it, or set npm_config_cache to a folder that can be written, and run the command again.\n";
  return "";
}

/** The folder of a Node that is new enough for the packages: npm's package `node`, or the Node that runs this; `undefined` if neither is. */
export function newNodeFolder() {
  const folder = join(root, "node_modules", "node");
  const program = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(program) && isNewEnough(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version)) return dirname(program);
  return isNewEnough(process.versions.node) ? dirname(process.execPath) : undefined;
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
}

/** Installs npm's package `node` if its install script did not run. @param {AbortSignal} signal */
async function installNewNode(signal) {
  await taking("putting a newer Node in place", "about half a minute", async () => {
    const { output } = await npm(root, ["rebuild", "node", "--ignore-scripts=false", "--loglevel=error"], signal);
    if (newNodeFolder()) return;
    const wanted = oldestNode.join(".");
    throw new SetUpError(
      `Node ${wanted} or newer is needed, this is ${process.versions.node}, and npm's package "node" could not be put in place.\n` +
        `Install Node ${wanted} or newer (https://nodejs.org/en/download) and run the command again.\n${output.trim()}`,
    );
  });
}

/**
 * Runs npm with the user's own Node, because npm may be about to replace the one in node_modules.
 * @param {string} folder
 * @param {string[]} args
 * @param {AbortSignal} signal
 * @param {Environment} [env]
 */
function npm(folder, args, signal, env = process.env) {
  return quietly("npm", args, { cwd: folder, env: withoutOwnNode(env), shell: needsShell("npm"), signal });
}

/**
 * An environment in which `npm` and `node` are the user's own. For scripts, npm itself adds node_modules/.bin again.
 * @param {Environment} env
 * @returns {Environment}
 */
export function withoutOwnNode(env) {
  const own = join(root, "node_modules");
  const others = (env.PATH ?? "").split(delimiter).filter((folder) => !folder.startsWith(own));
  return withPath(env, others.join(delimiter));
}

/** Whether the built packages are up to date with the sources. */
function packagesAreBuilt() {
  const isThere = ["sdk", "provider", "plugin"].every((name) => existsSync(join(root, name, "dist"))) && existsSync(buildStamp);
  return isThere && readFileSync(buildStamp, "utf8") === hashOfSources();
}

/** @param {Environment} env @param {AbortSignal} signal */
async function buildPackages(env, signal) {
  await taking("building the packages", "about half a minute the first time", async () => {
    const sources = hashOfSources();
    const { code, output } = await npm(root, ["run", "build", "--loglevel=error"], signal, env);
    if (code !== 0) throw new SetUpError(`"npm run build" ended with code ${code}:\n${output.trim()}`);
    writeFileSync(buildStamp, sources);
  });
}

/** A hash of the names and contents of all that a build reads. It is the same in a copy of the clone. */
function hashOfSources() {
  const hash = createHash("sha256");
  const manifests = [".", "plugin", "sdk", "provider"].flatMap((folder) => filesIn(folder, /^(tsconfig.*|package)\.json$/));
  const builders = filesIn("scripts", /^(bundle|declarations|docs\/(results|schema-types)|entry-points|plugin)\b/, true);
  const sources = ["sdk/src", "provider/src"].flatMap((folder) => filesIn(folder, /(?<!\.(test|fixture|cases)\.ts)$/, true));
  for (const file of [...builders, ...manifests, ...sources]) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} folder @param {RegExp} names @param {boolean} recursive */
function filesIn(folder, names, recursive = false) {
  const entries = readdirSync(join(root, folder), { recursive, encoding: "utf8" }).filter((name) => names.test(name));
  return entries
    .sort()
    .map((name) => join(folder, name))
    .filter((file) => statSync(join(root, file)).isFile());
}
