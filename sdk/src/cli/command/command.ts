import { nearest } from "../../formats/texts.ts";
import { print } from "../output/print.ts";
import { UsageError } from "../run/failures.ts";
import type { Session } from "../run/session.ts";
import { type Given, type Option, type Options, splitUp, takesOf, valuesOf } from "./arguments.ts";

/** How a command is called. */
export interface Syntax<Of extends Options> {
  /** Its name, such as `serve`. */
  readonly name: string;
  /** Whether it is a program of its own, and no command of cpcli. */
  readonly alone?: true;
  /** The words that follow it, such as `<product>`. In brackets: may be left out. With dots: may be several. */
  readonly words?: readonly string[];
  /** The values of a word, by its place, if there are only a few. */
  readonly choices?: readonly (readonly string[])[];
  readonly options: Of;
  /** Further text for the help. */
  readonly more?: string;
}

/** Carries a command out. It prints data on stdout, and throws if it fails. */
export interface Run {
  (args: readonly string[], session: Session): Promise<void>;
  /** How it is called. */
  readonly syntax?: Syntax<Options>;
  /** The commands of a group. */
  readonly commands?: Commands;
}

/** A command that is not loaded yet. It is loaded when it is called, because each needs other files. */
export interface Command {
  readonly summary: string;
  readonly load: () => Promise<Run>;
}

/** Commands by name. */
export type Commands = ReadonlyMap<string, Command>;

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

/** The words that call it. */
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

/** A command whose first word names one of its own: `cpcli configure list`. */
export function groupOf(name: string, parts: Readonly<Record<string, readonly [summary: string, run: Run]>>): Run {
  const commands: Commands = new Map(
    Object.entries(parts).map(([part, [summary, run]]) => [part, { summary, load: () => Promise.resolve(run) }]),
  );
  const run: Run = async ([first, ...others], session) => {
    const command = first === undefined ? undefined : commands.get(first);
    if (command) return (await command.load())(others, session);
    const asked = splitUp(first === undefined ? ["help"] : [first], () => "none");
    if (!asked.options.has("help") && asked.words[0] !== "help") throw unknown(name, first ?? "", commands);
    print(groupUsage(name, commands));
  };
  return Object.assign(run, { commands });
}

function unknown(name: string, given: string, commands: Commands): UsageError {
  const names = [...commands.keys()];
  return new UsageError(`cpcli ${name} does not take ${given}`, guess(given, names) || `There are ${names.join(", ")}.`);
}

function groupUsage(name: string, commands: Commands): string {
  const lines = [...commands].map(([each, { summary }]) => `  ${each.padEnd(16)} ${summary}\n`);
  return `Usage: cpcli ${name} <command> [options]

${lines.join("")}
cpcli ${name} <command> --help prints the options of a command.
`;
}

/** A sentence with the known names that are spelt like a given one; empty if there are none. */
export function guess(name: string, known: readonly string[]): string {
  return meant(nearest(name, known));
}

/**
 * The error for unknown options, in the words of the specification (Errors, client-local).
 *
 * @param more sentences that say what to do
 */
export function unknownOptions(names: readonly string[], known: readonly string[], more: readonly (string | false)[]): UsageError {
  const likely = names.flatMap((name) => nearest(name, known).slice(0, 1));
  const advice = [meant(likely.map((name) => `--${name}`)), ...more];
  return new UsageError(`Unknown options: ${names.map((name) => `--${name}`).join(", ")}`, advice.filter(Boolean).join(" "));
}

function meant(names: readonly string[]): string {
  return names.length === 0 ? "" : `Maybe you meant ${names.join(", ")}.`;
}
