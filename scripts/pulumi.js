import "./node-version.js";
import { command } from "./command.js";
import { foreground } from "./processes.js";
import { whileServed } from "./serve/platform.js";
import { root } from "./setup.js";
import { asked, ensureStack, readyEngine } from "./stack.js";

/** Commands that need the stack, and may be the first command in a new clone. */
const firstCommands = ["preview", "up", "refresh", "import", "config"];

// `npm run pulumi -- …`: any command of Pulumi, with the engine, the state and the stack of `npm run up`; with `--serve` those of
// `npm run up -- --serve`, whose platform is served meanwhile.
await command(async () => {
  const { stack, isServed, further } = asked();
  const own = await readyEngine(stack);
  /** @param {{ env: import("./processes.js").Environment }} place */
  const run = async ({ env }) => {
    if (firstCommands.includes(further[0] ?? "")) await ensureStack(env, stack);
    return foreground("pulumi", further, { cwd: root, env, graceful: true });
  };
  return isServed ? whileServed(own, run) : run({ env: own });
});
