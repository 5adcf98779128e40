import "./node-version.js";
import { command } from "./command.js";
import { foreground } from "./processes.js";
import { root } from "./setup.js";
import { ensureStack, readyEngine } from "./stack.js";
import { stack } from "./surroundings.js";

// `npm run up`: deploys the platform. Further arguments go to `pulumi up`.
await command(async () => {
  const env = await readyEngine();
  await ensureStack(env);
  const args = ["up", "--yes", "--skip-preview", "--stack", stack, ...process.argv.slice(2)];
  return foreground("pulumi", args, { cwd: root, env, graceful: true });
});
