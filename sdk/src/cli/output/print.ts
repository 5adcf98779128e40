import { writeSync } from "node:fs";

const [stdout, stderr] = [1, 2];
const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Prints data. On a full disk this fails, while Node's own stream loses the rest without an error. */
export function print(text: string): void {
  try {
    write(stdout, text);
  } catch (error) {
    throw new Error(`the output cannot be written: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Prints a message on stderr, if that is possible. */
export function tell(text: string): void {
  try {
    write(stderr, text);
  } catch {
    // There is nowhere left to report this.
  }
}

/** Whether an error, or its cause, says that the reader has closed the pipe: `cpcli … | head -1`. */
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
    // The pipe is non-blocking, and its reader is slow.
    Atomics.wait(nothing, 0, 0, 5);
    return 0;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}
