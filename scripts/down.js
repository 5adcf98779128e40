import "./node-version.js";
import { command } from "./command.js";
import { foreground } from "./processes.js";
import { root } from "./setup.js";
import { readyEngine, stackExists } from "./stack.js";
import { stack } from "./surroundings.js";

// `npm run down`: destroys what `npm run up` deployed, and keeps the empty stack. Further arguments go to `pulumi destroy`.
await command(async () => {
  const env = await readyEngine();
  if (!(await stackExists(env))) {
    console.log(`There is nothing to destroy: the stack "${stack}" has not been made yet.`);
    return 0;
  }
  const args = ["destroy", "--yes", "--stack", stack, ...process.argv.slice(2)];
  return foreground("pulumi", args, { cwd: root, env, graceful: true });
});
