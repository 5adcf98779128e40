import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { SetUpError } from "./command.js";
import { buildEngine, downloadEngine } from "./engine/obtain.js";
import { quietly } from "./processes.js";
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
 * @param {string} root
 * @param {Environment} env with the new Node on PATH
 * @returns {Promise<string>}
 */
export async function engineFolder(root, env) {
  /** @type {string[]} */
  const tried = [];
  for (const { place, folder } of installedPlaces(env)) {
    const fault = folder === undefined ? "there is none" : await faultOf(folder, env);
    if (folder !== undefined && fault === undefined) return folder;
    tried.push(`${place}: ${fault}`);
  }
  const cached = join(cacheFolder(env), `engine-${pinnedVersion}-${process.platform}-${process.arch}`);
  if (isWhole(join(cached, "bin"))) return join(cached, "bin");
  tried.push(`${cached}: there is none`);
  await inTurn(`${cached}.lock`, async () => {
    for (const obtain of [downloadEngine, buildEngine]) {
      if (isWhole(join(cached, "bin"))) return;
      tried.push(
        (await obtain({ root, env, version: pinnedVersion, target: cached, isWhole: (folder) => isWhole(join(folder, "bin")) })) ?? "",
      );
    }
  });
  if (isWhole(join(cached, "bin"))) return join(cached, "bin");
  throw new SetUpError(
    `there is no Pulumi engine ${oldestVersion} or newer on this machine, and none could be had. Tried, in this order:\n` +
      tried.map((line) => `  - ${line.replaceAll("\n", "\n    ")}\n`).join("") +
      "Install Pulumi by hand (https://www.pulumi.com/docs/install/), or Go (https://go.dev/doc/install) to have it built, and run the command again.",
  );
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
 * @returns {Promise<string | undefined>}
 */
async function faultOf(folder, env) {
  const engine = join(folder, engineProgram);
  const besides = [folder, dirname(realpathSync(engine)), ...foldersOf(env)];
  const missing = companions.find((name) => !besides.some((place) => existsSync(join(place, name))));
  if (missing !== undefined) return `${engine} has no ${missing} beside it`;
  const { code, output } = await quietly(engine, ["version"], { env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" }, minutes: 0.5 });
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
