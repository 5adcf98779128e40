import { UsageError } from "../run/failures.ts";

/** An option of a command. */
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
