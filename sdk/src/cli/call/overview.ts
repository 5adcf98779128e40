import { commands } from "../commands.ts";
import { sharedOptions } from "../command/options.ts";
import { productTable } from "./products.ts";
import { optionLines } from "../command/usage.ts";

/** The text of `cpcli help`. */
export function overview(): string {
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
