import "./node-version.js";
import { command, SetUpError } from "./command.js";
import { hostFolder, isLanguage } from "./hosts.js";
import { setUp } from "./setup.js";

// `npm run host -- yaml`: prints the folder of Pulumi's host for programs in a language, for the PATH of a shell.
await command(async () => {
  const [language = ""] = process.argv.slice(2);
  if (!isLanguage(language)) throw new SetUpError("name the language of the host: yaml, python or go");
  console.log(await hostFolder(await setUp(), language));
  return 0;
});
