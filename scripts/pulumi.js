import "./node-version.js";
import { command } from "./command.js";
import { foreground } from "./processes.js";
import { programIn, readyLanguage } from "./program.js";
import { ensureStack, readyEngine } from "./stack.js";

/** Commands that need the stack, and may be the first command in a new clone. */
const firstCommands = ["preview", "up", "refresh", "import", "config"];

// `npm run pulumi -- …`: any command of Pulumi, with the engine, the state and the stack of `npm run up`.
await command(async () => {
  const { program, language, further } = programIn(process.argv.slice(2));
  const env = await readyLanguage(await readyEngine(), language, program);
  if (firstCommands.includes(further[0] ?? "")) await ensureStack(env, program);
  return foreground("pulumi", further, { cwd: program.folder, env, graceful: true });
});
