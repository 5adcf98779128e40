import { isClosedPipe, tell } from "../output/print.ts";
import { exitCodeOf, exitCodes, paragraphOf } from "./failures.ts";

/** The state that the commands of one run share: Control-C, and lines that are printed only once. */
export class Session {
  /** The name of the program. */
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

  /** Sets the sentence that Control-C prints about the current state. It is made at that moment. */
  whenInterrupted(state: () => string): void {
    this.#state = state;
  }

  /** From now on, the command itself handles Control-C. */
  leaveInterrupts(): void {
    process.off("SIGINT", this.#interrupted);
  }

  /** Prints a line on stderr, once in a run. */
  say(line: string): void {
    if (this.#said.has(line)) return;
    this.#said.add(line);
    tell(`${this.program}: ${line}\n`);
  }

  /** Prints a line for `--debug`. */
  trace(line: string): void {
    tell(`${this.program}: debug: ${line}\n`);
  }

  readonly #interrupted = (): void => {
    this.#interruption.abort();
    this.say(["interrupted", this.#state()].filter(Boolean).join(": "));
    process.exit(exitCodes.interrupted);
  };
}

/** Runs a program with the words of its command line. An error is printed on stderr, and decides the exit code. */
export async function run(program: string, work: (args: readonly string[]) => Promise<void>): Promise<void> {
  const fail = (error: unknown): never => {
    // The reader has closed the pipe: it has read enough.
    if (isClosedPipe(error)) process.exit(exitCodes.done);
    tell(paragraphOf(error, program));
    process.exit(exitCodeOf(error));
  };
  process.on("uncaughtException", fail);
  await work(process.argv.slice(2)).catch(fail);
}
