import "./node-version.js";
import { command } from "./command.js";
import { generatedLanguages, generateSdk } from "./generated.js";
import { setUp } from "./setup.js";

// `npm run sdks`: generates the SDKs of the plugin into the folder `sdks`. With names of languages, only these.
await command(async () => {
  const env = await setUp();
  const asked = process.argv.slice(2);
  for (const language of asked.length > 0 ? asked : generatedLanguages(env)) console.log(await generateSdk(env, language));
  return 0;
});
