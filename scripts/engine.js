import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { isUnreachable, isUnwritable, SetUpError } from "./command.js";
import { buildEngine, buildProgram, downloadEngine, isWhole, noGo, versionOf } from "./engine/obtain.js";
import { interruptible, quietly } from "./processes.js";
import { inTurn } from "./turn.js";

/** @typedef {import("./processes.js").Environment} Environment */

/** The oldest engine that this project is known to work with. */
const oldestVersion = "3.229.0";

/** The languages of programs whose hosts can be built where none is installed. */
export const hosted = /** @type {const} */ (["yaml", "python", "go"]);

const windows = process.platform === "win32";
const suffix = windows ? ".exe" : "";
const engineProgram = `pulumi${suffix}`;
const companions = [`pulumi-language-nodejs${suffix}`, `pulumi-resource-pulumi-nodejs${windows ? ".cmd" : ""}`];

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
  const order = { env, target: cached(env, `engine-${versionOf("pulumi")}`), programs: [engineProgram, ...companions], signal };
  if (isWhole(order)) return join(order.target, "bin");
  tried.push(`${order.target}: there is none`);
  const obtainAny = async () => {
    for (const obtain of [downloadEngine, buildEngine]) {
      signal.throwIfAborted();
      if (!isWhole(order)) tried.push((await obtain(order, { root, installed })) ?? "");
    }
  };
  await inTurn(`${order.target}.lock`, obtainAny, signal);
  if (isWhole(order)) return join(order.target, "bin");
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
  const folders = [...homes.map((home) => join(home, "bin")), join(homedir(), ".pulumi", "versions", versionOf("pulumi"), "bin")];
  return [
    { place: "pulumi on PATH", folder: engineOnPath(env) },
    ...folders.map((folder) => ({ place: folder, folder: existsSync(join(folder, engineProgram)) ? folder : undefined })),
  ];
}

/** The folder where the engine on the PATH is. @param {Environment} env */
export function engineOnPath(env) {
  return folderWith(env, engineProgram);
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
  const { code, output } = await quietly(engine, ["version"], asked);
  const version = /^v?(\d+\.\d+\.\d+)/m.exec(output)?.[1];
  if (code !== 0 || version === undefined) return `"${engine} version" ended with code ${code}: ${output.trim()}`;
  return isOlder(version, oldestVersion) ? `${engine} is version ${version}, which is too old` : undefined;
}

/** @param {string} version @param {string} other */
function isOlder(version, other) {
  return version.localeCompare(other, undefined, { numeric: true }) < 0;
}

/** @param {Environment} env */
function foldersOf(env) {
  return (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
}

/** @param {Environment} env @param {string} program */
function folderWith(env, program) {
  return foldersOf(env).find((folder) => existsSync(join(folder, program)));
}

/** A folder outside the clone, so that a second clone is ready at once. @param {Environment} env @param {string} name */
function cached(env, name) {
  const ofSystem = { darwin: join(homedir(), "Library", "Caches"), win32: env.LOCALAPPDATA || join(homedir(), "AppData", "Local") };
  const caches = env.XDG_CACHE_HOME || (ofSystem[/** @type {"darwin"} */ (process.platform)] ?? join(homedir(), ".cache"));
  return join(caches, "container-platform-pulumi", `${name}-${process.platform}-${process.arch}`);
}

/**
 * The folder of the host for a language: the engine's own, or one that is built once per machine.
 * @param {Environment} env
 * @param {typeof hosted[number]} language
 */
export async function hostFolder(env, language) {
  const program = /** @type {const} */ (`pulumi-language-${language}`);
  return folderWith(env, program + suffix) ?? dirname(await builtProgram(env, program));
}

/**
 * Whether the engine is as Pulumi releases it, with the hosts of all languages: these generate SDKs, which those built here do not.
 * @param {Environment} env
 */
export function isReleased(env) {
  const engine = engineOnPath(env);
  return engine !== undefined && existsSync(join(engine, `pulumi-language-go${suffix}`));
}

/**
 * A program that only who asks for it needs: it is built once per machine.
 * @param {Environment} env
 * @param {import("./engine/obtain.js").Program} name
 * @returns {Promise<string>} its path
 */
export async function builtProgram(env, name) {
  const program = name + suffix;
  const place = { env, target: cached(env, `${name.replace(/^pulumi-/, "")}-${versionOf(name)}`), programs: [program] };
  /** @type {string | undefined} */
  let fault;
  if (!isWhole(place))
    await interruptible(({ signal }) => {
      const work = async () => {
        if (!isWhole(place)) fault = await buildProgram({ ...place, signal }, name);
      };
      return inTurn(`${place.target}.lock`, work, signal);
    });
  if (isWhole(place)) return join(place.target, "bin", program);
  throw new SetUpError(`there is no ${program} on this machine, and none could be had: ${fault}`);
}
