import { writeSync } from "node:fs";

const [stdout, stderr] = [1, 2];
const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Prints data, all of it. Node's own stream loses what does not fit on a disk that is nearly full, without a word. */
export function print(text: string): void {
  try {
    write(stdout, text);
  } catch (error) {
    throw new Error(`the output cannot be written: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Tells whoever is at the terminal, if anybody is. */
export function tell(text: string): void {
  try {
    write(stderr, text);
  } catch {
    // There is nowhere left to say so.
  }
}

/** Whether an error, or what caused it, says that nobody reads on: `cpcli … | head -1`. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && (codeOf(error) === "EPIPE" || isClosedPipe(error.cause));
}

function write(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += written(file, bytes.subarray(at));
}

function written(file: number, bytes: Uint8Array): number {
  try {
    return writeSync(file, bytes);
  } catch (error) {
    if (codeOf(error) !== "EAGAIN") throw error;
    // Whoever reads is slow, and the pipe is one that does not wait for that by itself.
    Atomics.wait(nothing, 0, 0, 5);
    return 0;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}
