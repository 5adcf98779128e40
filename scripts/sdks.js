import "./node-version.js";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, SetUpError } from "./command.js";
import { builtProgram, isReleased } from "./engine.js";
import { quietly } from "./processes.js";
import { root, setUp } from "./setup.js";

/** @typedef {import("./processes.js").Environment} Environment */

const schema = join(root, "plugin", "schema.json");
const target = join(root, "sdks");

/** What the generators built here can write; those of .NET and Java only come with Pulumi's release. */
const common = ["nodejs", "python", "go"];
const languages = [...common, "dotnet", "java"];

/** The languages that SDKs can be generated for on this machine. @param {Environment} env */
function generatedLanguages(env) {
  return isReleased(env) ? languages : common;
}

/**
 * Generates the SDK of the plugin for a language from its schema, by Pulumi's own generator. Nobody writes or checks in what is generated.
 * @param {Environment} env
 * @param {string} language
 * @returns {Promise<string>} its folder
 */
async function generateSdk(env, language) {
  if (!languages.includes(language)) throw new SetUpError(`there is no SDK for ${language}; there are ${languages.join(", ")}`);
  if (!generatedLanguages(env).includes(language))
    throw new SetUpError(`${language}: its generator comes with Pulumi's release only: install it (https://www.pulumi.com/docs/install/)`);
  const folder = mkdtempSync(join(tmpdir(), "container-platform-sdk-"));
  try {
    // Its warning that there is a newer Pulumi would be taken for one about the schema.
    const silent = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const { code, output } = isReleased(env)
      ? await quietly("pulumi", ["package", "gen-sdk", schema, "--language", language, "--out", folder], { env: silent })
      : await quietly(await builtProgram(env, "generate"), ["sdk", schema, language, join(folder, language)], { env });
    if (code !== 0 || /warning/i.test(output)) throw new SetUpError(`the SDK for ${language} could not be generated:\n${output.trim()}`);
    rmSync(join(target, language), { recursive: true, force: true });
    cpSync(join(folder, language), join(target, language), { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return join(target, language);
}

// `npm run sdks`: generates the SDKs of the plugin into the folder `sdks`. With names of languages, only these.
await command(async () => {
  const env = await setUp();
  const asked = process.argv.slice(2);
  for (const language of asked.length > 0 ? asked : generatedLanguages(env)) console.log(await generateSdk(env, language));
  return 0;
});
