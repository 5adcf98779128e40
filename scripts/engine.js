import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { isUnreachable, isUnwritable, SetUpError } from "./command.js";
import { buildEngine, downloadEngine, noGo } from "./engine/obtain.js";
import { endable } from "./together.js";
import { inTurn } from "./turn.js";

/** @typedef {import("./processes.js").Environment} Environment */

/** The oldest engine that this project is known to work with. */
const oldestVersion = "3.229.0";

/** The engine that is downloaded or built where none is installed. engine/pulumi/go.mod pins the same. */
const pinnedVersion = "3.259.0";

const windows = process.platform === "win32";
const engineProgram = windows ? "pulumi.exe" : "pulumi";
const companions = windows
  ? ["pulumi-language-nodejs.exe", "pulumi-resource-pulumi-nodejs.cmd"]
  : ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/**
 * The folder of a working engine: an installed one, else the one that this project has obtained before, else a new one.
 * @param {object} needed
 * @param {string} needed.root
 * @param {Environment} needed.env
 * @param {Promise<Environment>} needed.installed the environment once the npm packages and the new Node are there
 * @param {AbortSignal} needed.signal
 * @returns {Promise<string>}
 */
export async function engineFolder({ root, env, installed, signal }) {
  /** @type {string[]} */
  const tried = [];
  for (const { place, folder } of installedPlaces(env)) {
    const fault = folder === undefined ? "there is none" : await faultOf(folder, env, signal);
    if (folder !== undefined && fault === undefined) return folder;
    tried.push(`${place}: ${fault}`);
  }
  const cached = join(cacheFolder(env), `engine-${pinnedVersion}-${process.platform}-${process.arch}`);
  if (isWhole(join(cached, "bin"))) return join(cached, "bin");
  tried.push(`${cached}: there is none`);
  const holdsEngine = (/** @type {string} */ folder) => isWhole(join(folder, "bin"));
  const order = { root, env, installed, version: pinnedVersion, target: cached, isWhole: holdsEngine, signal };
  const obtainAny = async () => {
    for (const obtain of [downloadEngine, buildEngine]) {
      signal.throwIfAborted();
      if (!holdsEngine(cached)) tried.push((await obtain(order)) ?? "");
    }
  };
  await inTurn(`${cached}.lock`, obtainAny, signal);
  if (holdsEngine(cached)) return join(cached, "bin");
  throw new SetUpError(
    `there is no Pulumi engine ${oldestVersion} or newer on this machine, and none could be had. Tried, in this order:\n` +
      tried.map((line) => `  - ${line.replaceAll("\n", "\n    ")}\n`).join("") +
      `${adviceFor(tried.at(-1) ?? "")}, or install Pulumi by hand (https://www.pulumi.com/docs/install/), and run the command again.`,
  );
}

/** What the user can do if no engine could be built. @param {string} fault */
function adviceFor(fault) {
  if (fault.includes(noGo)) return "Install Go (https://go.dev/doc/install) to have it built";
  if (isUnreachable(fault)) return "Connect this machine to the network, or set HTTPS_PROXY or GOPROXY to what it can reach";
  if (isUnwritable(fault)) return "Set GOPATH and GOCACHE to folders that Go can write";
  return "Mend what Go says";
}

/** The folders where Pulumi may be installed, the user's choice first. @param {Environment} env */
function installedPlaces(env) {
  const homes = [...new Set([env.PULUMI_HOME || undefined, join(homedir(), ".pulumi")])].filter((home) => home !== undefined);
  const folders = [...homes.map((home) => join(home, "bin")), join(homedir(), ".pulumi", "versions", pinnedVersion, "bin")];
  return [
    { place: "pulumi on PATH", folder: engineOnPath(env) },
    ...folders.map((folder) => ({ place: folder, folder: existsSync(join(folder, engineProgram)) ? folder : undefined })),
  ];
}

/** The folder where the engine on the PATH is. @param {Environment} env */
export function engineOnPath(env) {
  return foldersOf(env).find((folder) => existsSync(join(folder, engineProgram)));
}

/**
 * Why the engine in a folder cannot be used; `undefined` if it can.
 * @param {string} folder
 * @param {Environment} env
 * @param {AbortSignal} signal
 * @returns {Promise<string | undefined>}
 */
async function faultOf(folder, env, signal) {
  const engine = join(folder, engineProgram);
  const besides = [folder, dirname(realpathSync(engine)), ...foldersOf(env)];
  const missing = companions.find((name) => !besides.some((place) => existsSync(join(place, name))));
  if (missing !== undefined) return `${engine} has no ${missing} beside it`;
  const asked = { env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" }, minutes: 0.5, signal };
  const { code, output } = await endable(engine, ["version"], asked);
  const version = /^v?(\d+\.\d+\.\d+)/m.exec(output)?.[1];
  if (code !== 0 || version === undefined) return `"${engine} version" ended with code ${code}: ${output.trim()}`;
  return isOlder(version, oldestVersion) ? `${engine} is version ${version}, which is too old` : undefined;
}

/** @param {string} folder */
function isWhole(folder) {
  return [engineProgram, ...companions].every((name) => existsSync(join(folder, name)));
}

/** @param {Environment} env */
export function foldersOf(env) {
  return (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
}

/** Outside the clone, so that a second clone is ready at once. @param {Environment} env */
export function cacheFolder(env) {
  const ofSystem = { darwin: join(homedir(), "Library", "Caches"), win32: env.LOCALAPPDATA || join(homedir(), "AppData", "Local") };
  const caches = env.XDG_CACHE_HOME || (ofSystem[/** @type {"darwin"} */ (process.platform)] ?? join(homedir(), ".cache"));
  return join(caches, "container-platform-pulumi");
}

/** @param {string} version @param {string} other */
function isOlder(version, other) {
  const [one, two] = [version, other].map((text) => text.split(".").map(Number));
  const differing = one.findIndex((part, at) => part !== two[at]);
  return differing >= 0 && one[differing] < two[differing];
}
