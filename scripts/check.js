import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { command } from "./command.js";
import { needsShell, quietly } from "./processes.js";
import { root } from "./setup.js";

// `npm run check`: every `check:…` of package.json, as many at a time as there are processors. The output of each check is printed when it ends.
await command(async () => {
  /** @type {{ scripts: Record<string, string> }} */
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const waiting = Object.keys(scripts).filter((name) => name.startsWith("check:"));
  let code = 0;
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const outcome = await quietly("npm", ["run", "--silent", name], { cwd: root, shell: needsShell("npm") });
      console.log(`${outcome.code === 0 ? "passed" : "FAILED"}  ${name}\n${outcome.output}`.trimEnd());
      if (outcome.code !== 0) code = 1;
    }
  };
  await Promise.all(cpus().map(work));
  return code;
});
