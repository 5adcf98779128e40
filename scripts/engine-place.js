import "./node-version.js";
import { delimiter } from "node:path";
import { command, SetUpError } from "./command.js";
import { engineOnPath } from "./engine.js";
import { hostFolder } from "./hosts.js";
import { newNodeFolder } from "./packages.js";
import { programIn } from "./program.js";
import { root, setUp } from "./setup.js";

// `npm run engine`: prints the folders of the Node and the engine that the project's commands use, for the PATH of a shell; with
// `--language yaml`, `python` or `go` also that of Pulumi's host for programs in that language.
await command(async () => {
  const { language, isServed, further } = programIn(process.argv.slice(2));
  if (isServed || further.length > 0) throw new SetUpError("npm run engine takes --language, and nothing else");
  const env = await setUp();
  const folders = [newNodeFolder(root), engineOnPath(env), language && (await hostFolder(env, language))];
  console.log([...new Set(folders.filter((folder) => folder !== undefined))].join(delimiter));
  return 0;
});
