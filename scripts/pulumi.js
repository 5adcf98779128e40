import "./node-version.js";
import { command } from "./command.js";
import { foreground } from "./processes.js";
import { root } from "./setup.js";
import { ensureStack, readyEngine } from "./stack.js";

/** Commands that need the stack, and may be the first command in a new clone. */
const firstCommands = ["preview", "up", "refresh", "import", "config"];

// `npm run pulumi -- …`: any command of Pulumi, with the engine, the state and the stack of `npm run up`.
await command(async () => {
  const args = process.argv.slice(2);
  const env = await readyEngine();
  if (firstCommands.includes(args[0] ?? "")) await ensureStack(env);
  return foreground("pulumi", args, { cwd: root, env, graceful: true });
});
