import "./node-version.js";
import { join } from "node:path";
import { command } from "./command.js";
import { foreground } from "./processes.js";
import { programIn, readyLanguage } from "./program.js";
import { whileServed } from "./serve/platform.js";
import { takeBack } from "./serve/show.js";
import { root } from "./setup.js";
import { forgetPendingCreations, readyEngine, stackExists } from "./stack.js";

/** Arguments with which nothing is to be destroyed. */
const previews = ["--preview-only", "--help", "-h"];

// `npm run down`: destroys what `npm run up` deployed, with `--serve` what `npm run up -- --serve` did, and keeps the empty stack. Further
// arguments go to `pulumi destroy`.
await command(async () => {
  const { program, language, isServed, further } = programIn(process.argv.slice(2));
  const env = await readyLanguage(await readyEngine(), language, program);
  if (!(await stackExists(env, program))) {
    console.log(`There is nothing to destroy: the stack "${program.stack}" has not been made yet.`);
    return 0;
  }
  if (!isServed) return destroyed(program, env, further);
  return whileServed(env, async (platform) => {
    if (!further.some((argument) => previews.includes(argument))) await takeBack(platform, program);
    return destroyed(program, platform.env, further);
  });
});

/** @param {import("./program.js").Program} program @param {import("./processes.js").Environment} env @param {string[]} further */
async function destroyed(program, env, further) {
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (interrupted = true));
  const code = await foreground("pulumi", ["destroy", "--yes", "--stack", program.stack, ...further], {
    cwd: program.folder,
    env,
    graceful: true,
  });
  // After a refusal, such as of a lock or of an option, what looks like left over may be what another run is creating.
  if (code !== 0 || interrupted || further.some((argument) => previews.includes(argument))) return code;
  // The engine starts no provider for a stack without resources: what its killed runs have left is removed here.
  const importer = join(root, "provider", "bin", "container-platform-import.cjs");
  const args = [importer, "--orphans", "--delete", "--stack", program.stack];
  const removed = await foreground("node", args, { cwd: program.folder, env });
  if (removed === 0) await forgetPendingCreations(env, program);
  return removed;
}
