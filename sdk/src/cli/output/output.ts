import type { Json } from "../../operation/codec.ts";
import { table } from "./table.ts";
import { text } from "./text.ts";

export const outputFormats = ["json", "text", "table"] as const;
export type OutputFormat = (typeof outputFormats)[number];

/**
 * A value as a text to print, line ends included; empty if there is nothing to print.
 *
 * - `json`: indented by 4, with names in their order and letters of any script as they are; nothing for `null`.
 * - `text`: for scripts, by the rules of the reference client; a string as it is, `None` for `null`.
 * - `table`: for people, as wide as the terminal where that is possible; nothing for `null`.
 *
 * @param title the heading of a table: the name of the action
 */
export function render(value: Json, format: OutputFormat, title: string): string {
  switch (format) {
    case "json":
      return value === null ? "" : `${JSON.stringify(value, undefined, 4)}\n`;
    case "text":
      return text(value);
    case "table":
      return value === null ? "" : table(value, title, process.stdout.columns || 80);
  }
}
