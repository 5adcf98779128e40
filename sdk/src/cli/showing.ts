import type { Json } from "../wire.ts";
import type { Given } from "./arguments.ts";
import { UsageError } from "./failures.ts";
import type { outputOptions } from "./options.ts";
import { nearest } from "./suggestions.ts";

/** Prints a value as data; the title is that of a table. */
export type Show = (value: Json, title: string) => void;

export async function showing({ filter, output = "json" }: Given<typeof outputOptions>): Promise<Show> {
  void filter;
  void output;
  void UsageError;
  void nearest;
  return Promise.resolve((value) => void process.stdout.write(JSON.stringify(value, undefined, 4) + "\n"));
}
