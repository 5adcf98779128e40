import "./node-version.js";
import { delimiter } from "node:path";
import { command, SetUpError } from "./command.js";
import { engineOnPath, hosted, hostFolder } from "./engine.js";
import { newNodeFolder, setUp } from "./setup.js";

// `npm run engine`: prints the folders of the Node and the engine that the project's commands use, for the PATH of a shell; with `yaml`,
// `python` or `go` also that of Pulumi's host for programs in that language.
await command(async () => {
  const [given, ...others] = process.argv.slice(2);
  const language = hosted.find((one) => one === given);
  if (given !== language || others.length > 0) throw new SetUpError("npm run engine takes one language, yaml, python or go, or nothing");
  const env = await setUp();
  const folders = [newNodeFolder(), engineOnPath(env), language && (await hostFolder(env, language))];
  console.log([...new Set(folders)].filter(Boolean).join(delimiter));
  return 0;
});
