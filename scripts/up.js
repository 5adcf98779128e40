import "./node-version.js";
import { once } from "node:events";
import { command } from "./command.js";
import { foreground } from "./processes.js";
import { showAnswers, whileServed } from "./serve/platform.js";
import { root } from "./setup.js";
import { asked, ensureStack, readyEngine } from "./stack.js";

/** @typedef {import("./processes.js").Environment} Environment */

/** The flagship lets a documentation range in, which is nobody's: this machine gets in as well. */
const letIn = 'platform:allowedCidrBlocks=["127.0.0.1/32"]';

// `npm run up`: deploys the platform; with `--serve` to a platform that is served on this machine and answers. Further arguments go to
// `pulumi up`.
await command(async () => {
  const { stack, isServed, further } = asked();
  const own = await readyEngine(stack);
  /** @param {Environment} env @param {string[]} settings */
  const up = async (env, settings = []) => {
    await ensureStack(env, stack);
    const args = ["up", "--yes", "--skip-preview", "--stack", stack, ...settings, ...further];
    return foreground("pulumi", args, { cwd: root, env, graceful: true });
  };
  if (!isServed) return up(own);
  return whileServed(own, async (platform) => {
    console.log(`The platform is served at ${platform.url}. See it change in the dashboard: ${platform.dashboardUrl}\n`);
    console.log(`This machine is let in: --config '${letIn}'\n`);
    const code = await up(platform.env, ["--config", letIn]);
    if (code !== 0) return code;
    await showAnswers(platform, stack);
    if (process.stdin.isTTY && process.stdout.isTTY) {
      console.log(
        "\nIt is served until Control-C. What is deployed stays for the next `npm run up -- --serve`; `npm run down -- --serve` destroys it.",
      );
      await once(process, "SIGINT");
    }
    return 0;
  });
});
