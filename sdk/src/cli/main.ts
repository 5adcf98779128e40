import { commands } from "./command/commands.ts";
import { print } from "./output/print.ts";
import { run } from "./command/program.ts";
import { Session } from "./command/session.ts";
import { versionOfClient } from "./version.ts";

await run("cpcli", async (args) => {
  const [name, ...others] = args;
  if (name === "--version" && others.length === 0) {
    print(`${versionOfClient()}\n`);
    return;
  }
  const session = new Session(commands);
  const command = name === undefined ? undefined : commands.get(name);
  const work = await (command ? command.load() : import("./call/call.ts").then(({ runCall }) => runCall));
  await work(command ? others : args, session);
});
