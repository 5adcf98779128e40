import { spoken } from "../../wait/pauses.ts";
import { tell } from "./print.ts";
import type { Session } from "../run/session.ts";

/** Erases a terminal's line from the cursor on. */
const erase = "\u001B[K";

/**
 * Shows the state of what is waited for, on stderr. At a terminal this is one line, which is updated every second, and erased when it
 * is disposed of. Elsewhere it is a line for each new state.
 */
export class LiveLine implements Disposable {
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
