import { splitUp } from "./arguments.ts";
import type { Commands, Run } from "./command.ts";
import { UsageError } from "../run/failures.ts";
import { print } from "../output/print.ts";
import { guess } from "./suggestions.ts";

/** A command whose first word says what it does: `cpcli configure list`. */
export function groupOf(name: string, commands: Commands): Run {
  const run: Run = async ([first, ...others], session) => {
    const command = first === undefined ? undefined : commands.get(first);
    if (command) return (await command.load())(others, session);
    const asked = splitUp(first === undefined ? ["help"] : [first], () => "none");
    if (!asked.options.has("help") && asked.words[0] !== "help") throw unknown(name, first ?? "", commands);
    print(usageOf(name, commands));
  };
  return Object.assign(run, { commands });
}

function unknown(name: string, given: string, commands: Commands): UsageError {
  const names = [...commands.keys()];
  return new UsageError(`cpcli ${name} does not take ${given}`, guess(given, names) || `There are ${names.join(", ")}.`);
}

function usageOf(name: string, commands: Commands): string {
  const lines = [...commands].map(([each, { summary }]) => `  ${each.padEnd(16)} ${summary}\n`);
  return `Usage: cpcli ${name} <command> [options]

${lines.join("")}
cpcli ${name} <command> --help prints the options of a command.
`;
}
