import { nearest } from "../formats/texts.ts";
import { print, type Session, UsageError } from "./run.ts";

export interface Option {
  /** What stands for its value, such as `FILE`. An option without one is a flag. */
  readonly value?: string;
  /** The values that it takes, if there are only a few. */
  readonly values?: readonly string[];
  readonly summary: string;
}

export type Options = Readonly<Record<string, Option>>;

/** The values of the options that were given: texts, and `true` for flags. */
export type Given<Of extends Options> = { readonly [Name in keyof Of]?: Of[Name] extends { value: string } ? string : true };

/** How many words after an option belong to it: none, one, or all up to the next option. */
export type Takes = "none" | "one" | "all";

/** A command line: its words, and the words of each option by its name. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly options: ReadonlyMap<string, readonly string[]>;
}

/**
 * Splits a command line. An option is `--<name>`; a value that begins with dashes is given as `--<name>=<value>`.
 *
 * @throws UsageError for an option that is given twice.
 */
export function splitUp(args: readonly string[], takes: (name: string) => Takes): CommandLine {
  const words: string[] = [];
  const options = new Map<string, readonly string[]>();
  for (let at = 0; at < args.length; at++) {
    const { name, value } = optionIn(args[at] ?? "");
    if (name === undefined) {
      words.push(value);
      continue;
    }
    if (options.has(name)) throw new UsageError(`--${name} is given twice`);
    const following = value === undefined ? wordsAfter(args, at, takes(name)) : [];
    at += following.length;
    options.set(name, value === undefined ? following : [value]);
  }
  return { words, options };
}

type Part = { readonly name: undefined; readonly value: string } | { readonly name: string; readonly value: string | undefined };

function optionIn(arg: string): Part {
  if (arg === "-h") return { name: "help", value: undefined };
  const [, name, value] = /^--([^=]+)(?:=([^]*))?$/.exec(arg) ?? [];
  return name === undefined ? { name, value: arg } : { name, value };
}

function wordsAfter(args: readonly string[], at: number, takes: Takes): readonly string[] {
  const following = args.slice(at + 1);
  const end = following.findIndex((arg) => arg === "-h" || arg.startsWith("--"));
  const most = { none: 0, one: 1, all: following.length }[takes];
  return following.slice(0, end < 0 ? most : Math.min(end, most));
}

/** The milliseconds of an option that takes seconds. @throws UsageError for another text. */
export function millisecondsFrom(option: string, text: string): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (seconds > 0 && seconds <= 86_400) return seconds * 1000;
  throw new UsageError(`--${option} is ${text}; it takes seconds, more than 0 and at most 86400`);
}

/** How many words an option takes. An option that is not in the list takes all. */
export function takesOf(options: Options): (name: string) => Takes {
  return (name) => {
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    return option ? (option.value === undefined ? "none" : "one") : "all";
  };
}

/**
 * The values of the options in the list. Other options of the command line are ignored.
 *
 * @throws UsageError for a missing value, and for a value of a flag.
 */
export function valuesOf<Of extends Options>(list: Of, { options }: CommandLine): Given<Of> {
  const values: Record<string, string | true> = {};
  for (const [name, option] of Object.entries(list)) {
    const words = options.get(name);
    if (!words) continue;
    const [value] = words;
    if (option.value === undefined && value !== undefined) throw new UsageError(`--${name} takes no value`);
    if (option.value !== undefined && value === undefined)
      throw new UsageError(`--${name} takes a value: --${name} ${option.value}`, "One that begins with dashes is given as --name=value.");
    values[name] = value ?? true;
  }
  // Each name is one of the list's, and has a text or `true` as its option says.
  return values as Given<Of>;
}

/** Which platform is called, and with which key. Every command that calls a platform takes these. */
export const connectionOptions = {
  endpoint: { value: "ENDPOINT", summary: "Platform to call: local, local:<file>, public, or an http:// or https:// address." },
  region: { value: "REGION", summary: "Region of the call, such as eu-frankfurt." },
  profile: { value: "NAME", summary: "Profile of ~/.container-platform/credentials.yaml. Default: default." },
  secretId: { value: "ID", summary: "ID of the access key that signs calls." },
  secretKey: { value: "KEY", summary: "Secret of the access key. Safer in the environment or in a profile." },
  token: { value: "TOKEN", summary: "Token of a temporary access key. Safer in the environment or in a profile." },
  timeout: { value: "SECONDS", summary: "Time to wait for a response. Default: 60 over HTTP." },
  retries: { value: "COUNT", summary: "Number of times that a failed call is repeated where that is safe. Default: 5." },
  debug: { summary: "Prints requests and responses to stderr, without secrets." },
} as const satisfies Options;

/** How answers are printed. */
export const outputOptions = {
  filter: { value: "EXPRESSION", summary: "Part of the response to print: a JMESPath expression." },
  output: { value: "FORMAT", values: ["json", "text", "table"], summary: "Format of the response: json, text or table. Default: json." },
} as const satisfies Options;

/** The options that all calls share. */
export const sharedOptions = { ...connectionOptions, ...outputOptions } as const satisfies Options;

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
