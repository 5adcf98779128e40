import "./node-version.js";
import { join } from "node:path";
import { command } from "./command.js";
import { foreground, quietly } from "./processes.js";
import { takeBack, whileServed } from "./serve/platform.js";
import { root } from "./setup.js";
import { asked, forgetPendingCreations, readyEngine, stackExists } from "./stack.js";

/** Arguments with which nothing is to be destroyed. */
const previews = ["--preview-only", "--help", "-h"];

// `npm run down`: destroys what `npm run up` deployed, with `--serve` what `npm run up -- --serve` did, and keeps the empty stack. Further
// arguments go to `pulumi destroy`.
await command(async () => {
  const { stack, isServed, further } = asked();
  const env = await readyEngine(stack);
  if (!(await stackExists(env, stack))) {
    console.log(`There is nothing to destroy: the stack "${stack}" has not been made yet.`);
    return 0;
  }
  if (!isServed) return destroyed(stack, env, further);
  return whileServed(env, async (platform) => {
    if (!further.some((argument) => previews.includes(argument))) await takeBack(platform, stack);
    return destroyed(stack, platform.env, further);
  });
});

/** @param {string} stack @param {import("./processes.js").Environment} env @param {string[]} further */
async function destroyed(stack, env, further) {
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (interrupted = true));
  const isPreview = further.some((argument) => previews.includes(argument));
  // `destroy` fails while orphans exist.
  if (!isPreview) await deleteOrphans(stack, env, further);
  const code = await foreground("pulumi", ["destroy", "--yes", "--stack", stack, ...further], {
    cwd: root,
    env,
    graceful: true,
  });
  if (code !== 0 || interrupted || isPreview) return code;
  const deleted = await deleteOrphans(stack, env);
  if (deleted === 0) await forgetPendingCreations(env, stack);
  return deleted;
}

/**
 * Deletes the orphans of the local stack, also those without a pending create.
 * @param {string} stack
 * @param {import("./processes.js").Environment} env
 * @param {string[]} [destroying] arguments of a `pulumi destroy` that follows. If its preview fails, nothing is deleted: it will say why
 */
async function deleteOrphans(stack, env, destroying) {
  const importer = join(root, "provider", "bin", "container-platform-import.cjs");
  const args = [importer, "--orphans", "--stack", stack];
  const options = { cwd: root, env };
  const { code, output } = await quietly("node", args, options);
  if (code === 0) return 0;
  if (destroying) {
    const preview = ["destroy", "--preview-only", "--non-interactive", "--stack", stack, ...destroying];
    // Pulumi rejects `--preview-only` with this variable.
    const asking = { ...env, PULUMI_SKIP_CONFIRMATIONS: undefined };
    if ((await quietly("pulumi", preview, { ...options, env: asking })).code !== 0) return 1;
  }
  const ids = [...output.matchAll(/^(\S+) \(\w+\)$/gm)].map(([, id]) => id);
  return foreground("node", [...args, "--delete", ...(ids.length > 0 ? ["--id", ids.join(",")] : [])], options);
}
