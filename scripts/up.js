import "./node-version.js";
import { command } from "./command.js";
import { foreground } from "./processes.js";
import { programIn, readyLanguage } from "./program.js";
import { ensureStack, readyEngine } from "./stack.js";
import { stack } from "./surroundings.js";

// `npm run up`: deploys the platform, with `--language yaml`, `python` or `go` in that language. Further arguments go to `pulumi up`.
await command(async () => {
  const { program, language, further } = programIn(process.argv.slice(2));
  const env = await readyLanguage(await readyEngine(), language, program);
  await ensureStack(env, program);
  const args = ["up", "--yes", "--skip-preview", "--stack", stack, ...further];
  return foreground("pulumi", args, { cwd: program.folder, env, graceful: true });
});
