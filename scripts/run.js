import "./node-version.js";
import { command, SetUpError } from "./command.js";
import { foreground } from "./processes.js";
import { setUp } from "./setup.js";

// `node scripts/run.js <program> …`: runs a program of this project after the set-up, with the set-up's programs on the PATH.
await command(async () => {
  const [program, ...args] = process.argv.slice(2);
  if (program === undefined) throw new SetUpError("node scripts/run.js needs the program to run, such as: node scripts/run.js vitest run");
  return foreground(program, args, { cwd: process.cwd(), env: await setUp() });
});
