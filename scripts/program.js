import { delimiter, join } from "node:path";
import { SetUpError } from "./command.js";
import { generateSdk, pythonEnvironment } from "./generated.js";
import { hostFolder, isLanguage } from "./hosts.js";
import { withPath } from "./processes.js";
import { root } from "./setup.js";
import { servedStack, stack } from "./surroundings.js";

/** @typedef {import("./processes.js").Environment} Environment */

/**
 * A program that the project's commands deploy.
 * @typedef {object} Program
 * @property {string} folder where its Pulumi.yaml is
 * @property {string} project its name
 * @property {string} stack that of this clone
 */

/**
 * The program that the arguments of a command name, and its further arguments: `--language yaml` names the platform in that language, and
 * `--serve` has it deployed to a platform that is served, as a stack of its own.
 * @param {readonly string[]} all
 */
export function programIn(all) {
  refuseOptionsOfNpm();
  const given = all.filter((argument) => argument !== "--serve");
  const isServed = given.length < all.length;
  const at = given.findIndex((argument) => /^--language(=|$)/.test(argument));
  if (at < 0) {
    const program = { folder: root, project: "container-platform", stack: isServed ? servedStack : stack };
    return { program, language: undefined, isServed, further: given };
  }
  if (isServed) throw new SetUpError("--serve is for the platform in TypeScript: it takes no --language");
  const isJoined = given[at].includes("=");
  const language = (isJoined ? given[at].split("=")[1] : given[at + 1]) ?? "";
  if (!isLanguage(language)) throw new SetUpError(`--language ${language}: there are yaml, python and go; without it, it is TypeScript`);
  const further = [...given.slice(0, at), ...given.slice(at + (isJoined ? 1 : 2))];
  return { program: { folder: join(root, "examples", language), project: `platform-${language}`, stack }, language, isServed, further };
}

/** Without `--`, npm keeps an option to itself, and says so only in a variable. */
function refuseOptionsOfNpm() {
  const { npm_config_serve: serve, npm_config_language: language, npm_lifecycle_event: name = "up" } = process.env;
  if (!serve && !language) return;
  const [option, right] = serve ? ["--serve", "--serve"] : ["--language", "--language <language>"];
  throw new SetUpError(`npm has taken ${option} for its own option: write \`npm run ${name} -- ${right}\``);
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
