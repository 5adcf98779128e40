import { existsSync } from "node:fs";
import { join } from "node:path";
import "./node-version.js";
import { command, SetUpError } from "./command.js";
import { cacheFolder, foldersOf } from "./engine.js";
import { buildYamlHost } from "./engine/obtain.js";
import { root, setUp } from "./setup.js";
import { inTurn } from "./turn.js";

// Prints the folder of Pulumi's language host for YAML: the engine's own, or one that is built once per machine. Only those who want to run
// programs in YAML need it.

/** engine/language-yaml/go.mod pins the same. */
const version = "1.38.0";
const program = `pulumi-language-yaml${process.platform === "win32" ? ".exe" : ""}`;

/** @param {string} folder */
const isWhole = (folder) => existsSync(join(folder, program));

await command(async () => {
  const env = await setUp();
  console.log(foldersOf(env).find(isWhole) ?? (await built(env)));
  return 0;
});

/** @param {import("./processes.js").Environment} env */
async function built(env) {
  const target = join(cacheFolder(env), `language-yaml-${version}-${process.platform}-${process.arch}`);
  const bin = join(target, "bin");
  if (isWhole(bin)) return bin;
  /** @type {string | undefined} */
  let fault;
  await inTurn(`${target}.lock`, async () => {
    if (!isWhole(bin)) fault = await buildYamlHost({ root, env, version, target, isWhole: (folder) => isWhole(join(folder, "bin")) });
  });
  if (isWhole(bin)) return bin;
  throw new SetUpError(`there is no ${program} on this machine, and none could be had: ${fault}`);
}
