import { delimiter, join } from "node:path";
import { SetUpError } from "./command.js";
import { generateSdk, pythonEnvironment } from "./generated.js";
import { hostFolder, isLanguage } from "./hosts.js";
import { withPath } from "./processes.js";
import { root } from "./setup.js";

/** @typedef {import("./processes.js").Environment} Environment */

/**
 * A program that the project's commands deploy.
 * @typedef {object} Program
 * @property {string} folder where its Pulumi.yaml is
 * @property {string} project its name
 */

/**
 * The program that the arguments of a command name, and its further arguments: `--language yaml` names the platform in that language.
 * @param {readonly string[]} given
 */
export function programIn(given) {
  const at = given.findIndex((argument) => /^--language(=|$)/.test(argument));
  if (at < 0) return { program: { folder: root, project: "container-platform" }, language: undefined, further: [...given] };
  const isJoined = given[at].includes("=");
  const language = (isJoined ? given[at].split("=")[1] : given[at + 1]) ?? "";
  if (!isLanguage(language)) throw new SetUpError(`--language ${language}: there are yaml, python and go; without it, it is TypeScript`);
  const further = [...given.slice(0, at), ...given.slice(at + (isJoined ? 1 : 2))];
  return { program: { folder: join(root, "examples", language), project: `platform-${language}` }, language, further };
}

/**
 * The environment in which the engine runs programs in a language. What is missing for it is built, once per machine.
 * @param {Environment} env
 * @param {import("./hosts.js").Language | undefined} language
 * @param {Program} program
 * @returns {Promise<Environment>}
 */
export async function readyLanguage(env, language, { folder }) {
  if (language === undefined) return env;
  const folders = [await hostFolder(env, language)];
  if (language === "python") folders.unshift(await pythonEnvironment(env, folder));
  if (language === "go") await generateSdk(env, "go");
  return withPath(env, [...folders, env.PATH].join(delimiter));
}
