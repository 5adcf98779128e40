import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { SetUpError } from "./command.js";
import { cacheFolder, engineOnPath, foldersOf } from "./engine.js";
import { buildGenerators, buildHost } from "./engine/obtain.js";
import { root } from "./setup.js";
import { interruptible } from "./together.js";
import { inTurn } from "./turn.js";

// Pulumi's hosts for programs in other languages than this project's, and its generators of SDKs. Only those who ask for them need them.

/** @typedef {import("./processes.js").Environment} Environment */
/** @typedef {import("./engine/obtain.js").Language} Language */

const suffix = process.platform === "win32" ? ".exe" : "";

/** Where no host is installed, one of this version is built: what engine/language-yaml/go.mod and engine/languages/go.mod pin. */
const versions = { yaml: "1.38.0", python: "3.65.1", go: "3.65.1" };
const generator = `generate${suffix}`;

/** @param {string} text @returns {text is Language} */
export function isLanguage(text) {
  return Object.hasOwn(versions, text);
}

/**
 * The folder of the host for a language: the engine's own, or one that is built once per machine.
 * @param {Environment} env
 * @param {Language} language
 * @returns {Promise<string>}
 */
export async function hostFolder(env, language) {
  const program = hostProgram(language);
  const installed = foldersOf(env).find((folder) => existsSync(join(folder, program)));
  if (installed !== undefined) return installed;
  const version = versions[language];
  return built(env, `language-${language}-${version}`, program, (order) => buildHost({ ...order, version }, language));
}

/**
 * Whether the engine is as Pulumi releases it, with the hosts of all languages: these generate SDKs, which those built here do not.
 * @param {Environment} env
 */
export function isReleased(env) {
  const engine = engineOnPath(env);
  return engine !== undefined && existsSync(join(engine, hostProgram("go")));
}

/** The program that generates SDKs where the engine has no hosts that do. @param {Environment} env */
export async function generatorProgram(env) {
  const version = versions.yaml;
  const folder = await built(env, `generators-${version}`, generator, (order) => buildGenerators({ ...order, version }));
  return join(folder, generator);
}

/** @param {string} language */
function hostProgram(language) {
  return `pulumi-language-${language}${suffix}`;
}

/** @typedef {Omit<import("./engine/obtain.js").Order, "version">} Place */

/**
 * @param {Environment} env
 * @param {string} name
 * @param {string} program
 * @param {(place: Place) => Promise<string | undefined>} build
 */
async function built(env, name, program, build) {
  const target = join(cacheFolder(env), `${name}-${process.platform}-${process.arch}`);
  const file = join(target, "bin", program);
  /** @type {string | undefined} */
  let fault;
  const isWhole = (/** @type {string} */ folder) => existsSync(join(folder, "bin", program));
  if (!isWhole(target))
    await interruptible(({ signal }) => {
      const work = async () => {
        if (!isWhole(target)) fault = await build({ root, env, target, isWhole, signal });
      };
      return inTurn(`${target}.lock`, work, signal);
    });
  if (existsSync(file)) return dirname(file);
  throw new SetUpError(`there is no ${program} on this machine, and none could be had: ${fault}`);
}
