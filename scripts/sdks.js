import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "./node-version.js";
import { command, SetUpError } from "./command.js";
import { generatorProgram, isReleased } from "./hosts.js";
import { quietly } from "./processes.js";
import { root, setUp } from "./setup.js";

// `npm run sdks`: generates the SDKs of the plugin from its schema, by Pulumi's own generators, into the folder `sdks`. With names of
// languages, only these. Nobody writes or checks in what is generated.

const schema = join(root, "plugin", "schema.json");
const target = join(root, "sdks");

/** What the generators built here can write; those of .NET and Java only come with Pulumi's release. */
const common = ["nodejs", "python", "go"];
const languages = [...common, "dotnet", "java"];

await command(async () => {
  const env = await setUp();
  const isWhole = isReleased(env);
  const asked = process.argv.slice(2);
  const unknown = asked.find((language) => !languages.includes(language));
  if (unknown !== undefined) throw new SetUpError(`there is no SDK for ${unknown}; there are ${languages.join(", ")}`);
  for (const language of asked.length > 0 ? asked : isWhole ? languages : common) {
    if (!isWhole && !common.includes(language))
      throw new SetUpError(
        `${language}: its generator comes with Pulumi's release only: install it (https://www.pulumi.com/docs/install/)`,
      );
    await generate(env, language, isWhole);
    console.log(join("sdks", language));
  }
  return 0;
});

/** @param {import("./processes.js").Environment} env @param {string} language @param {boolean} isWhole */
async function generate(env, language, isWhole) {
  const folder = mkdtempSync(join(tmpdir(), "container-platform-sdk-"));
  try {
    const args = ["package", "gen-sdk", schema, "--language", language, "--out", folder];
    const { code, output } = isWhole
      ? await quietly("pulumi", args, { env })
      : await quietly(await generatorProgram(env), ["sdk", schema, language, join(folder, language)], { env });
    if (code !== 0 || /warning/i.test(output)) throw new SetUpError(`the SDK for ${language} could not be generated:\n${output.trim()}`);
    rmSync(join(target, language), { recursive: true, force: true });
    cpSync(join(folder, language), join(target, language), { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
