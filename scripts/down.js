import "./node-version.js";
import { join } from "node:path";
import { command } from "./command.js";
import { foreground } from "./processes.js";
import { programIn, readyLanguage } from "./program.js";
import { root } from "./setup.js";
import { forgetPendingCreations, readyEngine, stackExists } from "./stack.js";
import { stack } from "./surroundings.js";

/** Arguments with which nothing is to be destroyed. */
const previews = ["--preview-only", "--help", "-h"];

// `npm run down`: destroys what `npm run up` deployed, and keeps the empty stack. Further arguments go to `pulumi destroy`.
await command(async () => {
  const { program, language, further } = programIn(process.argv.slice(2));
  const env = await readyLanguage(await readyEngine(), language, program);
  if (!(await stackExists(env, program))) {
    console.log(`There is nothing to destroy: the stack "${stack}" has not been made yet.`);
    return 0;
  }
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (interrupted = true));
  const destroyed = await foreground("pulumi", ["destroy", "--yes", "--stack", stack, ...further], {
    cwd: program.folder,
    env,
    graceful: true,
  });
  if (interrupted || further.some((argument) => previews.includes(argument))) return destroyed;
  // The engine starts no provider for a stack without resources: what its killed runs have left is removed here, whatever it found.
  const importer = join(root, "provider", "bin", "container-platform-import.cjs");
  const removed = await foreground("node", [importer, "--leftovers", "--delete", "--stack", stack], { cwd: program.folder, env });
  if (destroyed === 0 && removed === 0) await forgetPendingCreations(env, program);
  return destroyed || removed;
});
