import { type Given, type Option, type Options, splitUp, takesOf, valuesOf } from "./arguments.ts";
import type { Run, Syntax } from "./command.ts";
import { UsageError } from "../run/failures.ts";
import { print } from "../output/print.ts";
import type { Session } from "../run/session.ts";
import { unknownOptions } from "./suggestions.ts";

interface Read<Of extends Options> {
  readonly words: readonly string[];
  readonly given: Given<Of>;
}

/** A command that reads its words and options by a syntax, then does its work. If help is asked for, it prints its help instead. */
export function commandOf<Of extends Options>(syntax: Syntax<Of>, work: (read: Read<Of>, session: Session) => Promise<void> | void): Run {
  const run = async (args: readonly string[], session: Session) => {
    const read = readCommandLine(syntax, args);
    if (read) await work(read, session);
  };
  return Object.assign(run, { syntax });
}

/**
 * Reads the words and options of a command. Prints the help and returns `undefined` if that was asked for.
 *
 * @throws UsageError for an unknown option, a word too many or too few, and a missing value.
 */
function readCommandLine<Of extends Options>(syntax: Syntax<Of>, args: readonly string[]): Read<Of> | undefined {
  const line = splitUp(args, takesOf(syntax.options));
  if (line.options.has("help") || (line.words.length === 1 && line.words[0] === "help")) {
    print(usageOf(syntax));
    return undefined;
  }
  const { words: places = [], options } = syntax;
  const name = calledAs(syntax);
  const known = Object.keys(options);
  const unknown = [...line.options.keys()].filter((each) => !known.includes(each));
  if (unknown.length > 0) throw unknownOptions(unknown, known, [`\`${name} --help\` tells its options.`]);
  const missing = places.slice(line.words.length).find((place) => !place.startsWith("["));
  if (missing !== undefined) throw new UsageError(`${name} takes ${missing}`, `\`${name} --help\` tells more.`);
  const surplus = places.at(-1)?.endsWith("...") ? [] : line.words.slice(places.length);
  if (surplus.length > 0) throw new UsageError(`${name} does not take ${surplus.join(" ")}`, `\`${name} --help\` tells more.`);
  return { words: line.words, given: valuesOf(options, line) };
}

function usageOf({ words = [], options, more, ...syntax }: Syntax<Options>): string {
  const usage = `Usage: ${[calledAs(syntax), ...words, "[options]"].join(" ")}\n\n${optionLines(options)}`;
  return more === undefined ? usage : `${usage}\n${more}`;
}

/** What a user types to call it. */
function calledAs({ name, alone }: Pick<Syntax<Options>, "name" | "alone">): string {
  return alone ? name : `cpcli ${name}`;
}

/** A line for each option. */
export function optionLines(options: Options): string {
  const heads = Object.entries(options).map(([name, option]) => headOf(name, option));
  const width = Math.max(16, ...heads.map(({ length }) => length));
  return Object.values(options)
    .map(({ summary }, index) => `  ${(heads[index] ?? "").padEnd(width)} ${summary}\n`)
    .join("");
}

function headOf(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}
