import { parseArgs } from "node:util";
import { type Format, formats, isFormat } from "./render/formats.ts";

/** A mistake in the command line. */
export class UsageError extends Error {}

export interface Arguments {
  readonly files: readonly string[];
  readonly format: Format;
  readonly writes: readonly { readonly format: Format; readonly file: string }[];
  readonly policy: string | undefined;
  readonly prices: string | undefined;
  readonly whole: string;
  /** Files with the states of other stacks. */
  readonly stackStates: readonly string[];
  readonly drift: boolean;
  readonly exitZero: boolean;
  /** Options for `pulumi`, when this command runs it. */
  readonly pulumi: readonly string[];
  readonly help: boolean;
}

export const help = `Shows what a change of a stack will do, before it is made.

  container-platform-review [FILE…] [options] [-- PULUMI'S OPTIONS]

FILE is the output of \`pulumi preview --json --show-sames --show-replacement-steps\`, an event log of the
engine (\`--event-log\`; only it has the results of policy packs), or a report that --format json wrote.
Give preview and log together. \`-\` is standard input. Without a FILE, this command runs the preview.

  --format FORMAT        ${Object.keys(formats).join(", ")}. Default: terminal
  --write FORMAT=FILE    also writes this format; may be given several times. If nothing changes, the
                         file of a comment is empty
  --drift                finds changes made outside of Pulumi, by a refresh that writes nothing
  --policy FILE          settings of the policies. Default: container-platform.policy.yaml, here or in a
                         folder above. Without any, only policy packs are checked
  --stack-state FILE     the state (\`pulumi stack export\`) or a preview of another stack, which may read this
                         one's outputs; may be given several times
  --prices FILE          what you pay a month for what: the review then says what the change costs
  --whole TEXT           where the whole report is, for comments that have to be shortened
  --exit-zero            exits with 0 whatever the verdict is
  --help

Exit codes: 0 if nothing changes or all is safe, 3 if the change needs approval, 4 if it is blocked,
1 if it could not be reviewed, 2 if this command line is wrong. CONTAINER_PLATFORM_REVIEW_KEY is the key
of the hashes that replace secrets; without it, they differ in each run.
`;

/** @throws UsageError */
export function argumentsOf(args: readonly string[]): Arguments {
  const end = args.indexOf("--");
  const own = end < 0 ? args : args.slice(0, end);
  const { values, positionals } = parsed(own);
  const pulumi = end < 0 ? [] : args.slice(end + 1);
  if (positionals.length > 0 && pulumi.length > 0)
    throw new UsageError("options after -- are for pulumi, which is not run when files are given");
  if (values.drift && (values.prices !== undefined || values["stack-state"].length > 0))
    throw new UsageError("--prices and --stack-state are about a change that is planned, and not about drift: leave them out with --drift");
  return {
    files: positionals,
    format: formatNamed(values.format),
    writes: values.write.map((text) => {
      const [, format = "", file] = /^([^=]*)=(.+)$/.exec(text) ?? [];
      if (file === undefined) throw new UsageError(`--write ${text} is not FORMAT=FILE`);
      return { format: formatNamed(format), file };
    }),
    policy: values.policy,
    prices: values.prices,
    whole: values.whole,
    stackStates: values["stack-state"],
    drift: values.drift,
    exitZero: values["exit-zero"],
    pulumi,
    help: values.help,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        format: { type: "string", default: "terminal" },
        write: { type: "string", multiple: true, default: [] },
        "stack-state": { type: "string", multiple: true, default: [] },
        drift: { type: "boolean", default: false },
        policy: { type: "string" },
        prices: { type: "string" },
        whole: { type: "string", default: "`container-platform-review --format html`, on the same preview" },
        "exit-zero": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    // The sentence of Node goes on with what does not help here.
    const [, unknown] = /^Unknown option '([^']+)'/.exec(said) ?? [];
    if (unknown === undefined) throw new UsageError(said);
    throw new UsageError(
      `there is no option ${unknown}. Options for pulumi come after --, as in \`-- --stack dev\`; --help lists the others`,
    );
  }
}

function formatNamed(name: string): Format {
  if (!isFormat(name)) throw new UsageError(`${name} is no format; the formats are ${Object.keys(formats).join(", ")}`);
  return name;
}
