import type { Json } from "../wire.ts";
import type { Given } from "./arguments.ts";
import { UsageError } from "./failures.ts";
import type { outputOptions } from "./options.ts";
import { outputFormats, render } from "./output.ts";
import { nearest } from "./suggestions.ts";

/** Prints a value as data; the title is that of a table. */
export type Show = (value: Json, title: string) => void;

/**
 * How values are printed. JMESPath is loaded where there is a filter.
 *
 * @throws UsageError for a format that there is not, FilterError for a filter that is no expression.
 */
export async function showing({ filter, output = "json" }: Given<typeof outputOptions>): Promise<Show> {
  const format = outputFormats.find((known) => known === output);
  if (!format) {
    const [guess] = nearest(output, outputFormats);
    const advice = guess === undefined ? "" : `Maybe you meant ${guess}.`;
    throw new UsageError(`--output is ${output}; it takes ${outputFormats.join(", ")}`, advice);
  }
  const filtered = filter === undefined ? undefined : (await import("./filter.ts")).compileFilter(filter);
  return (value, title) => void process.stdout.write(render(filtered ? filtered(value) : value, format, title));
}
