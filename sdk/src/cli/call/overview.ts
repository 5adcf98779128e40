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
cpcli <product> help lists the actions of a product, cpcli <product> <Action> help --detail what an action takes,
and cpcli <command> --help the options of a command.
`;
}

function lines(named: readonly (readonly [string, { readonly summary: string }])[]): string {
  return named.map(([name, { summary }]) => `  ${name.padEnd(16)} ${summary}\n`).join("");
}
