import { connected } from "../connection/connection.ts";
import { connectionOptions } from "../command/arguments.ts";
import { commandOf } from "../command/command.ts";
import { print, tell } from "../output/print.ts";
import { exitCodes, UsageError } from "../run/failures.ts";
import { stepNames, steps } from "./steps.ts";
import { type Tried, Trial } from "./trial.ts";

const syntax = {
  name: "conformance",
  options: {
    through: { value: "STEP", values: stepNames, summary: "Last step to run. Default: reads." },
    registry: { value: "ID", summary: "Registry for the step namespace. Default: a new registry." },
    subAccount: { value: "UIN", summary: "Sub-account for the step cluster. Its permissions are changed and restored." },
    yes: { summary: "Runs the steps. Without --yes, only prints their costs." },
    ...connectionOptions,
  },
  more: `Steps: ${stepNames.join(", ")}. All resources that the steps create are named cpcli-conformance, and are
deleted at the end, also after Control-C. Prints a report as JSON: each call, and where its response differs from the
operation that cpcli knows. The report contains no values of responses.
`,
} as const;

/** `cpcli conformance --endpoint public --through network --yes`: compares a real platform with the catalogue. */
export const runConformance = commandOf(syntax, async ({ given }, session) => {
  const { through = "reads", registry, subAccount } = given;
  const last = stepNames.findIndex((name) => name === through);
  if (last < 0) throw new UsageError(`--through is ${through}; it takes ${stepNames.join(", ")}`);
  const chosen = stepNames.slice(0, last + 1);
  const ending = new AbortController();
  const around = { registry, subAccount, signal: ending.signal };
  for (const name of chosen) session.say(`${name}: ${steps[name].says(around)}`);
  if (!given.yes) {
    session.say("nothing was called: give --yes");
    return;
  }
  await using connection = await connected(given, session);
  const trial = new Trial(connection.cloud, ending.signal, (call) => {
    tell(`${lineOf(call)}\n`);
  });
  session.leaveInterrupts();
  const end = () => {
    ending.abort(new Error("interrupted"));
  };
  process.once("SIGINT", end);
  const work = (async () => {
    // A sub-account that is none is refused here, before anything is made that is billed.
    if (chosen.includes("cluster") && subAccount !== undefined)
      await trial.call("cluster", "DescribeUserPermissions", { TargetUin: subAccount });
    for (const name of chosen) await steps[name].run(trial, around);
  })();
  await Promise.allSettled([work]);
  const left = await trial.cleanUp();
  process.off("SIGINT", end);
  const { calls, findings } = trial;
  print(
    `${JSON.stringify({ endpoint: connection.endpoint, region: connection.cloud.region, steps: chosen, findings, left, calls }, undefined, 2)}\n`,
  );
  if (left.length > 0) throw new Error(`not removed, and perhaps billed: ${left.join("; ")}`);
  if (ending.signal.aborted) {
    session.say("interrupted: all that was made is removed");
    process.exitCode = exitCodes.interrupted;
    return;
  }
  // If a step has failed, this throws its failure.
  await work;
  refuseSilence(trial);
});

/** A platform that has not answered everything was not compared: that is no success. */
function refuseSilence({ calls, silence }: Trial): void {
  if (!silence) return;
  const count = calls.filter(({ unanswered }) => unanswered).length;
  throw new Error(`${count} of ${calls.length} calls were not answered: ${silence.message}`);
}

/** What a person sees of a call while the run goes on. */
function lineOf({ product, action, version, code, reason, unanswered, missing = [], empty = [], fresh = [], odd = [] }: Tried): string {
  const parts = [
    code === undefined ? "" : `${unanswered ? "no answer" : "refused"}: ${code}: ${reason ?? ""}`,
    ...Object.entries({ missing, null: empty, new: fresh, odd }).map(([word, paths]) =>
      paths.length > 0 ? `${word}: ${paths.join(", ")}` : "",
    ),
  ].filter(Boolean);
  return `${product} ${action} ${version}: ${parts.join("; ") || "as the catalogue says"}`;
}
