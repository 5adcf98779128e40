import "./node-version.js";
import { command } from "./command.js";
import { foreground } from "./processes.js";
import { programIn, readyLanguage } from "./program.js";
import { whileServed } from "./serve/platform.js";
import { ensureStack, readyEngine } from "./stack.js";

/** Commands that need the stack, and may be the first command in a new clone. */
const firstCommands = ["preview", "up", "refresh", "import", "config"];

// `npm run pulumi -- …`: any command of Pulumi, with the engine, the state and the stack of `npm run up`; with `--serve` those of
// `npm run up -- --serve`, whose platform is served meanwhile.
await command(async () => {
  const { program, language, isServed, further } = programIn(process.argv.slice(2));
  const env = await readyLanguage(await readyEngine(), language, program);
  /** @param {import("./processes.js").Environment} environment */
  const run = async (environment) => {
    if (firstCommands.includes(further[0] ?? "")) await ensureStack(environment, program);
    return foreground("pulumi", further, { cwd: program.folder, env: environment, graceful: true });
  };
  return isServed ? whileServed({ ...env, PULUMI_STACK: program.stack }, (platform) => run(platform.env)) : run(env);
});
