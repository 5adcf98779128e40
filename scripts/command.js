/** Something the user can mend: its message is all that is printed. */
export class SetUpError extends Error {}

/**
 * Runs the body of a command and ends the process with its exit code.
 * @param {() => Promise<number>} body
 */
export async function command(body) {
  try {
    process.exitCode = await body();
  } catch (error) {
    explain(error);
    process.exitCode = 1;
  }
}

/** Says what went wrong. @param {unknown} error */
export function explain(error) {
  console.error(error instanceof SetUpError ? `set-up failed: ${error.message}` : error);
}

/** Tells the user that something is being done. On stderr: stdout belongs to the command's own output. @param {string} what */
export function progress(what) {
  process.stderr.write(`set-up: ${what}\n`);
}
