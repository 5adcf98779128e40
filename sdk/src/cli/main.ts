import { commands } from "./commands.ts";
import { exitCodeOf, exitCodes, paragraphOf } from "./failures.ts";
import { isClosedPipe, print, tell } from "./print.ts";
import { Session } from "./session.ts";
import { versionOfClient } from "./version.ts";

process.on("uncaughtException", fail);

await main(process.argv.slice(2)).catch(fail);

async function main(args: readonly string[]): Promise<void> {
  const [name, ...others] = args;
  if (name === "--version" && others.length === 0) {
    print(`${versionOfClient()}\n`);
    return;
  }
  const session = new Session(commands);
  const command = name === undefined ? undefined : commands.get(name);
  const run = await (command ? command.load() : import("./call/call.ts").then(({ runCall }) => runCall));
  await run(command ? others : args, session);
}

/** Tells an error, and ends with its exit code. Whoever closed the pipe has read enough. */
function fail(error: unknown): void {
  if (isClosedPipe(error)) process.exit(exitCodes.done);
  tell(paragraphOf(error));
  process.exit(exitCodeOf(error));
}
