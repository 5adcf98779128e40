import { listingDelay } from "../../wait/pauses.ts";
import { isWaitedFor, WaitError, waiters, waitFor } from "../../wait/waiters.ts";
import { millisecondsFrom } from "../command/arguments.ts";
import { connected } from "../connection/connection.ts";
import { UsageError } from "../run/failures.ts";
import { LiveLine } from "../output/live-line.ts";
import { connectionOptions } from "../command/options.ts";
import { guess } from "../command/suggestions.ts";
import { commandOf } from "../command/usage.ts";

const names = Object.keys(waiters);
const ends = ["ready", "gone"] as const;

/** Seconds that an id may be missing at first: whoever types it has mistyped it more often than just created it. */
const grace = 10;

const syntax = {
  name: "wait",
  words: ["<resource>", "<id>"],
  choices: [names],
  options: {
    for: { value: "END", values: ends, summary: "State to wait for: ready, or gone (deleted). Default: ready." },
    within: { value: "SECONDS", summary: "Time to wait in total. Default: 3600; for a cluster in Creating 1800." },
    appears: { value: "SECONDS", summary: `Time that the resource may be missing from lists at first. Default: ${grace}.` },
    interval: { value: "SECONDS", summary: "Time between two requests. Default: short at first, then longer." },
    ...connectionOptions,
  },
  more: `Resources, and the form of their IDs:
${Object.entries(waiters)
  .map(([name, { summary, looks }]) => `  ${name.padEnd(18)} ${summary}\n  ${"".padEnd(18)} ${looks}\n`)
  .join("")}
Exits with 0 when the resource is in the state. Exits with 255 and the platform's reason if the resource fails,
is deleted, or takes too long.
`,
} as const;

/** `cpcli wait cluster cls-3f8a0c1e`. Nothing is printed on stdout. */
export const runWait = commandOf(syntax, async ({ words: [what = "", id = ""], given }, session) => {
  if (!isWaitedFor(what)) throw unknownName(what);
  const until = ends.find((end) => end === (given.for ?? "ready"));
  if (!until) throw new UsageError(`--for is ${given.for ?? ""}; it takes ${ends.join(" or ")}`);
  const within = secondsFrom("within", given.within);
  const appears = secondsFrom("appears", given.appears) ?? grace;
  const interval = secondsFrom("interval", given.interval);
  await using connection = await connected(given, session);
  using line = new LiveLine(session, `${what} ${id}`);
  const show = (state: string) => {
    line.show(state);
  };
  const options = { until, appears, interval, show, signal: session.signal, ...(within && { within }) };
  const state = await waitFor(connection.cloud, what, id, options).catch((error: unknown) => {
    if (!(error instanceof WaitError && error.neverListed)) throw error;
    throw new WaitError(`${error.message}. If it was created just now, wait longer for it: --appears ${listingDelay}`);
  });
  line[Symbol.dispose]();
  session.say(`${what} ${id} is ${state}, after ${line.waited}`);
});

function unknownName(name: string): UsageError {
  return new UsageError(`cpcli wait does not know what a ${name} is`, guess(name, names) || `There are ${names.join(", ")}.`);
}

function secondsFrom(option: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : millisecondsFrom(option, text) / 1000;
}
