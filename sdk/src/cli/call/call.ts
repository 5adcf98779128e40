import { callOptions, operationNamed, productNamed, productTable } from "./products.ts";
import { type CommandLine, optionLines, sharedOptions, splitUp, takesOf, valuesOf } from "../command.ts";
import { commands } from "../commands.ts";
import { print, type Session, UsageError, versionOfClient } from "../run.ts";

/** `cpcli <product> <Action>`: calls an operation, or prints its help. Only what is needed for that is loaded. */
export async function runCall(args: readonly string[], session: Session): Promise<void> {
  const line = splitUp(args, takesOf(callOptions));
  const [name, action, ...others] = line.words.filter((word) => word !== "help");
  // Without a date, it is the client's own version that is asked for (specification, Client options).
  if (line.options.get("version")?.length === 0) {
    print(`${versionOfClient()}\n`);
    return;
  }
  const given = valuesOf(callOptions, line);
  if (others.length > 0) throw new UsageError(`Unknown options: ${others.join(", ")}`, "A value with spaces is put in quotes.");
  if (name === undefined) {
    tellOverview(line);
    return;
  }
  if (commands.has(name)) throw new UsageError(`the options of ${name} follow it: cpcli ${name} [options]`);
  const product = productNamed(name, commands.keys());
  if (given.help ?? line.words.includes("help")) return import("./help.ts").then(({ tellHelp }) => tellHelp(product, action, given));
  if (action === undefined) throw new UsageError(`cpcli ${name} takes an action`, `\`cpcli ${name} help\` lists the actions.`);
  const operation = await operationNamed(product, action, given.version);
  return import("./perform.ts").then(({ perform }) => perform(operation, line, session));
}

function tellOverview({ words, options }: CommandLine): void {
  if (words.length === 0 && options.size > 0 && !options.has("help"))
    throw new UsageError("cpcli takes a product and an action, or a command", "`cpcli help` lists them.");
  print(overview());
}

/** The text of `cpcli help`. */
function overview(): string {
  return `Usage: cpcli <product> <Action> [--<Param> <value>]... [options]
       cpcli <command> [options]

Products:
${lines(Object.entries(productTable))}
Commands:
${lines([...commands])}
Options of every call:
${optionLines(sharedOptions)}
cpcli <product> help lists the actions of a product, cpcli <product> <Action> help --detail prints the parameters
of an action, and cpcli <command> --help prints the options of a command.
`;
}

function lines(named: readonly (readonly [string, { readonly summary: string }])[]): string {
  return named.map(([name, { summary }]) => `  ${name.padEnd(16)} ${summary}\n`).join("");
}
