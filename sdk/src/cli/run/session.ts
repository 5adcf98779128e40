import { exitCodes } from "./failures.ts";
import { tell } from "../output/print.ts";

/** What the commands of one run share: Control-C, and what is said once. */
export class Session {
  /** What the program is called. */
  readonly program: string;
  readonly #interruption = new AbortController();
  readonly #said = new Set<string>();
  #state: () => string = () => "";

  /** Aborted by Control-C, just before the program ends. */
  readonly signal: AbortSignal = this.#interruption.signal;

  constructor(program = "cpcli") {
    this.program = program;
    process.on("SIGINT", this.#interrupted);
  }

  /** Says what Control-C tells of the state that things are in: a sentence, made at that moment. */
  whenInterrupted(state: () => string): void {
    this.#state = state;
  }

  /** Control-C is the command's own business from now on. */
  leaveInterrupts(): void {
    process.off("SIGINT", this.#interrupted);
  }

  /** Tells something besides the data: on stderr, a line of its own, once. */
  say(line: string): void {
    if (this.#said.has(line)) return;
    this.#said.add(line);
    tell(`${this.program}: ${line}\n`);
  }

  /** Tells what `--debug` asks for. */
  trace(line: string): void {
    tell(`${this.program}: debug: ${line}\n`);
  }

  readonly #interrupted = (): void => {
    this.#interruption.abort();
    this.say(["interrupted", this.#state()].filter(Boolean).join(": "));
    process.exit(exitCodes.interrupted);
  };
}
