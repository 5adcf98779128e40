import { parseArgs } from "node:util";
import { type Format, formats, isFormat } from "./render/formats.ts";

/** A mistake in the command line. */
export class UsageError extends Error {}

export const help = `Reviews a change of a stack before you apply the change.

  container-platform-review [FILE…] [options] [-- PULUMI'S OPTIONS]

FILE is the output of \`pulumi preview --json --show-sames --show-replacement-steps\`, an event log of
Pulumi (\`--event-log\`), or a report of --format json. Give the preview and the event log together:
only the event log contains the results of policy packs. For standard input, write \`-\`. Without a
FILE, the command runs the preview.

  --format FORMAT        Print the report in this format. Default: terminal. The formats are
                         ${Object.keys(formats).join(", ")}
  --write FORMAT=FILE    Also write the report to a file in this format. Repeat for several files. If
                         nothing changes, the file of a comment is empty
  --drift                Find changes made outside of Pulumi, with a refresh that writes nothing
  --policy FILE          Read the settings of policies from this file. Default: container-platform.policy.yaml
                         in this folder or a parent folder. Without settings, only policy packs are checked
  --stack-state FILE     Read the state (\`pulumi stack export\`) or a preview of another stack, to find
                         outputs of this stack that the other stack reads. Repeat for several stacks
  --prices FILE          Read monthly prices from this file, and show the cost of the change
  --whole TEXT           Name the place of the whole report, for comments that are shortened
  --exit-zero            Exit with 0 for every verdict
  --help                 Print this help

Options after -- are passed to Pulumi when the command runs the preview.

Exit codes:
  0  Nothing changes, or all changes are safe.
  1  The review failed.
  2  The command line or the settings are wrong.
  3  The change needs approval.
  4  The change is blocked.

Set CONTAINER_PLATFORM_REVIEW_KEY to the key of the hashes that replace secrets. Without a key, the
hashes differ in each run.
`;

export type Arguments = ReturnType<typeof argumentsOf>;

/** Parses the command line. @throws UsageError */
export function argumentsOf(args: readonly string[]) {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const { values, positionals } = parsed(args.slice(0, end));
  const pulumi = args.slice(end + 1);
  if (positionals.length > 0 && pulumi.length > 0)
    throw new UsageError("options after -- are for pulumi, which is not run when files are given");
  if (values.drift && (values.policy !== undefined || values.prices !== undefined || values["stack-state"].length > 0))
    throw new UsageError(
      "--drift reviews changes outside of Pulumi, without policies and costs: leave out --policy, --prices and --stack-state",
    );
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
    /** Files with the states of other stacks. */
    stackStates: values["stack-state"],
    drift: values.drift,
    exitZero: values["exit-zero"],
    /** Options for `pulumi`, when this command runs it. */
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
    // Only the beginning of Node's message helps here.
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
