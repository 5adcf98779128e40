import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { isUnreachable, isUnwritable, SetUpError } from "./command.js";
import { needsShell, withPath } from "./processes.js";
import { taking } from "./steps.js";
import { endable } from "./together.js";

/** @typedef {import("./processes.js").Environment} Environment */

/** The packages need `node:sqlite` without a flag, type stripping, and undici 8. */
const oldestNode = [22, 19];

/**
 * Whether node_modules has what package-lock.json requires, according to npm's own record of the installed packages.
 * @param {string} root
 */
export function packagesAreInstalled(root) {
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

/** Installs exactly what package-lock.json says. @param {string} root @param {AbortSignal} signal */
export async function installPackages(root, signal) {
  await taking({ doing: "installing npm packages", takes: "about a minute", done: "npm packages installed" }, async () => {
    const { code, output } = await npm(root, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], signal);
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

/**
 * The folder of a Node that is new enough for the packages: npm's package `node`, or the Node that runs this; `undefined` if neither is.
 * @param {string} root
 */
export function newNodeFolder(root) {
  const folder = join(root, "node_modules", "node");
  const program = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(program) && isNewEnough(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version)) return dirname(program);
  return isNewEnough(process.versions.node) ? dirname(process.execPath) : undefined;
}

/** Installs npm's package `node` if its install script did not run. @param {string} root @param {AbortSignal} signal */
export async function installNewNode(root, signal) {
  await taking({ doing: "putting a newer Node in place", takes: "about half a minute", done: "newer Node put in place" }, async () => {
    const { output } = await npm(root, ["rebuild", "node", "--ignore-scripts=false", "--loglevel=error"], signal);
    if (newNodeFolder(root)) return;
    const wanted = oldestNode.join(".");
    throw new SetUpError(
      `Node ${wanted} or newer is needed, this is ${process.versions.node}, and npm's package "node" could not be put in place.\n` +
        `Install Node ${wanted} or newer (https://nodejs.org/en/download) and run the command again.\n${output.trim()}`,
    );
  });
}

/**
 * Runs npm with the user's own Node, because npm may be about to replace the one in node_modules.
 * @param {string} root
 * @param {string[]} args
 * @param {AbortSignal} signal
 * @param {Environment} [env]
 */
export function npm(root, args, signal, env = process.env) {
  return endable("npm", args, { cwd: root, env: withoutOwnNode(root, env), shell: needsShell("npm"), signal });
}

/**
 * An environment in which `npm` and `node` are the user's own. For scripts, npm itself adds node_modules/.bin again.
 * @param {string} root
 * @param {Environment} env
 * @returns {Environment}
 */
export function withoutOwnNode(root, env) {
  const own = join(root, "node_modules");
  const path = (env.PATH ?? "").split(delimiter).filter((folder) => !folder.startsWith(own));
  return withPath(env, path.join(delimiter));
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
}

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean }} LockedPackage
 * @param {string} file
 * @returns {Record<string, LockedPackage>}
 */
function packagesIn(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}
