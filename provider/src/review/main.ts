import { readFileSync, writeFileSync } from "node:fs";
import { isClosedPipe, print, tell } from "@container-platform/sdk/cli";
import { type Arguments, argumentsOf, help, UsageError } from "./arguments.ts";
import { readPrices } from "./cost.ts";
import { driftOf, reviewOf } from "./review.ts";
import { verdictOf } from "./assess/conclusion.ts";
import { mergeOutputs, runPulumi } from "./plan/engine-run.ts";
import { jsonIn, parseEngineOutput } from "./plan/engine-output.ts";
import { planOf } from "./plan/plan.ts";
import { readersIn, readersOf } from "./assess/stack-outputs.ts";
import { findingsOf } from "./policy/evaluate.ts";
import { PolicyError, readSettings } from "./policy/settings.ts";
import { formats } from "./render/formats.ts";
import { screenOf } from "./render/terminal.ts";
import { exitCodes, type Report, reportSchema } from "./report.ts";
import { Redactor } from "./plan/secrets.ts";

const redactor = new Redactor(process.env["CONTAINER_PLATFORM_REVIEW_KEY"] || undefined);

await main().catch((error: unknown) => {
  // Nobody reads the rest of the report, but the exit code is still that of the verdict.
  if (isClosedPipe(error)) return;
  // The message may quote output of pulumi, which may contain secrets.
  tell(`container-platform-review: ${redactor.text(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = error instanceof UsageError || error instanceof PolicyError ? 2 : 1;
});

async function main(): Promise<void> {
  const given = argumentsOf(process.argv.slice(2));
  if (given.help) {
    print(help);
    return;
  }
  const report = await reportFor(given);
  for (const { format, file } of given.writes) writeFileSync(file, formats[format](report, given.whole));
  if (!given.exitZero) process.exitCode = exitCodes[report.verdict];
  print(formats[given.format](report, given.whole, screenOf(process.stdout)));
}

async function reportFor(given: Arguments): Promise<Report> {
  const { files, drift, policy, prices, pulumi, stackStates } = given;
  const texts = files.map((file) => ({ file, text: readIn(file) }));
  for (const { file, text } of texts) {
    const saved = reportIn(text);
    if (saved) return expectAlone(file, saved, given);
  }
  const output =
    texts.length === 0
      ? await runPulumi(drift ? "drift" : "preview", pulumi)
      : mergeOutputs(texts.map(({ file, text }) => explained(file, () => parseEngineOutput(text))));
  const plan = planOf(output, redactor);
  if (drift) return driftOf(plan);
  const settings = readSettings(policy, process.cwd());
  const findings = findingsOf(plan, settings, new Date().toISOString().slice(0, 10));
  const readers = stackStates.flatMap((file) => explained(file, () => readersIn(readIn(file))));
  return reviewOf(plan, findings, {
    foreign: settings?.otherProviders,
    readers: stackStates.length === 0 ? undefined : readersOf(readers, plan.project ?? "", plan.stack ?? ""),
    prices: prices === undefined ? undefined : readPrices(prices),
  });
}

/** The report, unless options are given that only a preview can have. @throws UsageError */
function expectAlone(file: string, report: Report, { files, drift, policy, prices, stackStates }: Arguments): Report {
  if (files.length > 1) throw new UsageError(`${file} is a report of an earlier review: give it alone, or give previews and event logs`);
  const ignored = [
    ...(policy === undefined ? [] : ["--policy"]),
    ...(prices === undefined ? [] : ["--prices"]),
    ...(stackStates.length === 0 ? [] : ["--stack-state"]),
    ...(drift && report.about !== "drift" ? ["--drift"] : []),
  ];
  if (ignored.length === 0) return report;
  const what = `${file} is a report of an earlier review, which is shown as it was judged then`;
  throw new UsageError(`${what}: leave ${ignored.join(" and ")} out, or give the preview that it was made of`);
}

function readIn(file: string): string {
  try {
    const bytes = readFileSync(file === "-" ? 0 : file);
    // Windows PowerShell redirects output as UTF-16.
    return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8").decode(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} cannot be read: ${reason}. Give a file that \`pulumi preview --json\` or \`--event-log\` wrote`, {
      cause: error,
    });
  }
}

function explained<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${file === "-" ? "standard input" : file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** The saved report in a text, if it is one. Its verdict follows from its parts. */
function reportIn(text: string): Report | undefined {
  const report = reportSchema.safeParse(jsonIn(text)).data;
  return report && { ...report, verdict: verdictOf(report) };
}
