import "./node-version.js";
import { once } from "node:events";
import { command } from "./command.js";
import { foreground } from "./processes.js";
import { programIn, readyLanguage } from "./program.js";
import { whileServed } from "./serve/platform.js";
import { showAnswers } from "./serve/show.js";
import { ensureStack, readyEngine } from "./stack.js";

/** @typedef {import("./processes.js").Environment} Environment */

/** The flagship lets a documentation range in, which is nobody's: this machine gets in as well. */
const letIn = 'platform:allowedCidrBlocks=["127.0.0.1/32"]';

// `npm run up`: deploys the platform, with `--language yaml`, `python` or `go` in that language, with `--serve` to a platform that is served
// on this machine and answers. Further arguments go to `pulumi up`.
await command(async () => {
  const { program, language, isServed, further } = programIn(process.argv.slice(2));
  const env = await readyLanguage(await readyEngine(), language, program);
  /** @param {Environment} environment @param {string[]} settings */
  const up = async (environment, settings = []) => {
    await ensureStack(environment, program);
    const args = ["up", "--yes", "--skip-preview", "--stack", program.stack, ...settings, ...further];
    return foreground("pulumi", args, { cwd: program.folder, env: environment, graceful: true });
  };
  if (!isServed) return up(env);
  return whileServed(env, async (platform) => {
    console.log(`The platform is served at ${platform.url}. See it change in the dashboard: ${platform.dashboardUrl}\n`);
    console.log(`This machine is let in: --config '${letIn}'\n`);
    const code = await up(platform.env, ["--config", letIn]);
    if (code !== 0) return code;
    await showAnswers(platform, program);
    if (process.stdin.isTTY && process.stdout.isTTY) {
      console.log(
        "\nIt is served until Control-C. What is deployed stays for the next `npm run up -- --serve`; `npm run down -- --serve` destroys it.",
      );
      await once(process, "SIGINT");
    }
    return 0;
  });
});
