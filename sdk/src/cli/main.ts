import { runCall } from "./call/call.ts";
import { commands } from "./commands.ts";
import { print, run, Session, versionOfClient } from "./run.ts";

await run("cpcli", async (args) => {
  const [name, ...others] = args;
  if (name === "--version" && others.length === 0) {
    print(`${versionOfClient()}\n`);
    return;
  }
  const session = new Session();
  const command = name === undefined ? undefined : commands.get(name);
  if (command) await command.load().then((work) => work(others, session));
  else await runCall(args, session);
});
