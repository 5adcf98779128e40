import type { Json } from "../../operation/codec.ts";
import type { Given, outputOptions } from "../command.ts";
import { table, type Terminal } from "./table.ts";
import { text } from "./text.ts";
import { print, UsageError } from "../run.ts";

export const outputFormats = ["json", "text", "table"] as const;
export type OutputFormat = (typeof outputFormats)[number];

/**
 * A value as a text to print, line ends included; empty if there is nothing to print.
 *
 * - `json`: indented by 4, with names in their order and letters of any script as they are; nothing for `null`.
 * - `text`: for scripts, by the rules of the reference client; a string as it is, `None` for `null`.
 * - `table`: for people; nothing for `null`. It fits a terminal, and is whole where it is piped or written to a file.
 *
 * @param title the heading of a table: the name of the action
 */
export function render(value: Json, format: OutputFormat, title: string, terminal?: Terminal): string {
  switch (format) {
    case "json":
      return value === null ? "" : `${JSON.stringify(value, undefined, 4)}\n`;
    case "text":
      return text(value);
    case "table":
      return value === null ? "" : table(value, title, terminal ?? terminalOf(process.stdout));
  }
}

/** A terminal may not tell its width. What is no terminal loses nothing, and is turned as for a usual one. */
function terminalOf({ isTTY, columns = 0 }: { readonly isTTY?: boolean; readonly columns?: number }): Terminal {
  return { width: columns > 0 ? columns : 80, partly: isTTY === true };
}

/**
 * A function that prints a value as the options ask for, after the filter; the title is the heading of a table. The options are checked now,
 * before anything is called.
 *
 * @throws UsageError for an unknown format, InputError for a wrong filter.
 */
export async function showing({ filter, output = "json" }: Given<typeof outputOptions>) {
  const format = outputFormats.find((known) => known === output);
  if (!format) throw new UsageError(`--output is ${output}; it takes ${outputFormats.join(", ")}`);
  const filtered = filter === undefined ? (value: Json) => value : (await import("../filter/filter.ts")).compileFilter(filter);
  return (value: Json, title: string) => print(render(filtered(value), format, title));
}
