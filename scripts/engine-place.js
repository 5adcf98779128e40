import "./node-version.js";
import { command, SetUpError } from "./command.js";
import { engineOnPath } from "./engine.js";
import { setUp } from "./setup.js";

// `npm run engine`: prints the folder of the engine that the project's commands use, for the PATH of a shell.
await command(async () => {
  const folder = engineOnPath(await setUp());
  if (folder === undefined) throw new SetUpError("the engine is not on the PATH that the set-up has made");
  console.log(folder);
  return 0;
});
