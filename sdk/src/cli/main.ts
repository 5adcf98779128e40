import { commands } from "./commands.ts";
import { exitCodeOf, exitCodes, paragraphOf } from "./failures.ts";
import { Session } from "./session.ts";
import { versionOfClient } from "./version.ts";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // Whoever read has read enough: `cpcli … | head -1`.
  if (error.code === "EPIPE") process.exit(exitCodes.done);
  fail(new Error(`the output cannot be written: ${error.message}`));
});
process.stderr.on("error", () => undefined);
process.on("uncaughtException", fail);

await main(process.argv.slice(2)).catch(fail);

async function main(args: readonly string[]): Promise<void> {
  const [name, ...others] = args;
  if (name === "--version" && others.length === 0) {
    process.stdout.write(`${versionOfClient()}\n`);
    return;
  }
  const session = new Session(commands);
  const command = name === undefined ? undefined : commands.get(name);
  if (command) await (await command.load())(others, session);
  else await (await import("./call/call.ts")).runCall(args, session);
}

/** Tells an error, and ends with its exit code. */
function fail(error: unknown): void {
  process.stderr.write(paragraphOf(error));
  process.exit(exitCodeOf(error));
}
