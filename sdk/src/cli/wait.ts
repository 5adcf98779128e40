import { listingDelay, spoken } from "../wait/pauses.ts";
import { isWaitedFor, WaitError, waiters, waitFor } from "../wait/waiters.ts";
import { commandOf, connectionOptions, guess, millisecondsFrom } from "./command.ts";
import { connected } from "./connection.ts";
import { type Session, tell, UsageError } from "./run.ts";

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
  if (!isWaitedFor(what))
    throw new UsageError(`cpcli wait does not know what a ${what} is`, guess(what, names) || `There are ${names.join(", ")}.`);
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

function secondsFrom(option: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : millisecondsFrom(option, text) / 1000;
}

/** Erases a terminal's line from the cursor on. */
const erase = "\u001B[K";

/**
 * Shows the state of what is waited for, on stderr. At a terminal this is one line, which is updated every second, and erased when it
 * is disposed of. Elsewhere it is a line for each new state.
 */
class LiveLine implements Disposable {
  readonly #session: Session;
  readonly #name: string;
  readonly #begun = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #state = "";
  #isThere = false;

  constructor(session: Session, name: string) {
    this.#session = session;
    this.#name = name;
    this.#timer = process.stderr.isTTY ? setInterval(() => this.#write(), 1000).unref() : undefined;
    session.whenInterrupted(() => {
      this[Symbol.dispose]();
      return this.#state === "" ? `${name} was not looked at yet` : `${name} is ${this.#state}`;
    });
  }

  /** The time since the wait began, in words. */
  get waited(): string {
    return spoken((performance.now() - this.#begun) / 1000);
  }

  show(state: string): void {
    this.#state = state;
    if (this.#timer) this.#write();
    else this.#session.say(`${this.#name} is ${state}`);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.#isThere) tell(`\r${erase}`);
    this.#isThere = false;
  }

  #write(): void {
    if (this.#state === "") return;
    // A line that is longer than the terminal is wide could not be overwritten. Some terminals do not tell their width.
    const width = process.stderr.columns || 80;
    const text = Array.from(`${this.#name}: ${this.#state}, ${this.waited}`).slice(0, width - 1);
    tell(`\r${text.join("")}${erase}`);
    this.#isThere = true;
  }
}
