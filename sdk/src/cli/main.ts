import { commands, overview } from "./commands.ts";
import { UsageError } from "./usage.ts";

/** Exit codes of the command-line clients of this family: the command line is wrong, and anything else. */
const exitCodes = { usage: 252, failure: 255 };

async function main([name = "help", ...args]: string[]): Promise<void> {
  if (["help", "--help", "-h"].includes(name)) {
    process.stdout.write(overview());
    return;
  }
  const command = commands.get(name);
  if (!command) throw new UsageError(`there is no command ${name}`, overview());
  const run = await command.load();
  await run(args);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`cpcli: ${message}\n${error instanceof UsageError ? `\n${error.usage}` : ""}`);
  process.exitCode = error instanceof UsageError ? exitCodes.usage : exitCodes.failure;
}
