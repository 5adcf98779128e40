import { exitCodeOf, exitCodes, paragraphOf } from "./failures.ts";
import { isClosedPipe, tell } from "../output/print.ts";

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
