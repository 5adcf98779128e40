import "./node-version.js";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "./command.js";
import { root, setUpPackages } from "./setup.js";

// What npm runs in a package before it packs or publishes it: nothing is packed that is not built, or older than its sources.
await command(async () => {
  // npm hands on the options of `npm pack` as variables. Obeyed, the build would be one of a single workspace, or not be made at all.
  for (const name of Object.keys(process.env))
    if (/^npm_config_(workspaces?|include_workspace_root|local_prefix|dry_run|pack_destination|json)$/i.test(name))
      Reflect.deleteProperty(process.env, name);
  await setUpPackages();
  copyFileSync(join(root, "CHANGELOG.md"), join(process.cwd(), "CHANGELOG.md"));
  return 0;
});
