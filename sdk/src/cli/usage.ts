import { parseArgs, type ParseArgsOptionDescriptor } from "node:util";

/** A command line that does not say what it should. */
export class UsageError extends Error {
  readonly usage: string;

  constructor(message: string, usage: string) {
    super(message);
    this.usage = usage;
  }
}

/** An option that takes a value. */
export interface Option {
  /** What stands for its value, such as `FILE`. */
  readonly value: string;
  readonly summary: string;
}

/**
 * Reads the options of a command; `undefined` where help was asked for, which is printed.
 *
 * @throws UsageError for an option that there is not, and for anything else.
 */
export function readOptions<Name extends string>(
  command: string,
  options: Readonly<Record<Name, Option>>,
  args: string[],
): Partial<Record<Name, string>> | undefined {
  const usage = usageOf(command, options);
  const isNamed = (name: string): name is Name => Object.hasOwn(options, name);
  const described = Object.keys(options).map((name): [string, ParseArgsOptionDescriptor] => [name, { type: "string" }]);
  try {
    const { values } = parseArgs({ args, options: { ...Object.fromEntries(described), help: { type: "boolean", short: "h" } } });
    if (values.help === true) {
      process.stdout.write(usage);
      return undefined;
    }
    const given: Partial<Record<Name, string>> = {};
    for (const [name, value] of Object.entries(values)) if (isNamed(name) && typeof value === "string") given[name] = value;
    return given;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), usage);
  }
}

function usageOf(command: string, options: Readonly<Record<string, Option>>): string {
  const lines = Object.entries(options).map(([name, { value, summary }]) => `  ${`--${name} ${value}`.padEnd(16)} ${summary}`);
  return `Usage: cpcli ${command} [options]\n\n${lines.join("\n")}\n`;
}
