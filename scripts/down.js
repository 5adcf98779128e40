import "./node-version.js";
import { join } from "node:path";
import { command } from "./command.js";
import { foreground, quietly } from "./processes.js";
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
  const isPreview = further.some((argument) => previews.includes(argument));
  // `destroy` fails while orphans exist.
  if (!isPreview) await deleteOrphans(program, env, further);
  const code = await foreground("pulumi", ["destroy", "--yes", "--stack", program.stack, ...further], {
    cwd: program.folder,
    env,
    graceful: true,
  });
  if (code !== 0 || interrupted || isPreview) return code;
  const deleted = await deleteOrphans(program, env);
  if (deleted === 0) await forgetPendingCreations(env, program);
  return deleted;
}

/**
 * Deletes the orphans of the local stack, also those without a pending create.
 * @param {import("./program.js").Program} program
 * @param {import("./processes.js").Environment} env
 * @param {string[]} [destroying] arguments of a `pulumi destroy` that follows. If its preview fails, nothing is deleted: it will say why
 */
async function deleteOrphans(program, env, destroying) {
  const importer = join(root, "provider", "bin", "container-platform-import.cjs");
  const args = [importer, "--orphans", "--stack", program.stack];
  const options = { cwd: program.folder, env };
  const { code, output } = await quietly("node", args, options);
  if (code === 0) return 0;
  if (destroying) {
    const preview = ["destroy", "--preview-only", "--non-interactive", "--stack", program.stack, ...destroying];
    // Pulumi rejects `--preview-only` with this variable.
    const asking = { ...env, PULUMI_SKIP_CONFIRMATIONS: undefined };
    if ((await quietly("pulumi", preview, { ...options, env: asking })).code !== 0) return 1;
  }
  const ids = [...output.matchAll(/^(\S+) \(\w+\)$/gm)].map(([, id]) => id);
  return foreground("node", [...args, "--delete", ...(ids.length > 0 ? ["--id", ids.join(",")] : [])], options);
}
