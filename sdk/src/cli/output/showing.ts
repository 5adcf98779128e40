import type { Json } from "../../operation/codec.ts";
import type { Given } from "../command/arguments.ts";
import { UsageError } from "../run/failures.ts";
import type { outputOptions } from "../command/options.ts";
import { print } from "./print.ts";

/** Prints a value as data, after the filter. The title is the heading of a table. */
export type Show = (value: Json, title: string) => void;

/**
 * The way of printing that the options ask for. They are checked now, before anything is called.
 *
 * @throws UsageError for an unknown format, InputError for a wrong filter.
 */
export async function showing({ filter, output = "json" }: Given<typeof outputOptions>): Promise<Show> {
  const { outputFormats, render } = await import("./output.ts");
  const format = outputFormats.find((known) => known === output);
  if (!format) throw new UsageError(`--output is ${output}; it takes ${outputFormats.join(", ")}`);
  const filtered = filter === undefined ? (value: Json) => value : await filterFrom(filter);
  return (value, title) => print(render(filtered(value), format, title));
}

async function filterFrom(expression: string): Promise<(value: Json) => Json> {
  const { compileFilter } = await import("../filter/filter.ts");
  return compileFilter(expression);
}
