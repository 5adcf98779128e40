/** A problem that the user can solve. Only its message is printed. */
export class SetUpError extends Error {}

/**
 * Runs the body of a command. The process ends with its exit code.
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

/** Prints an error. @param {unknown} error */
export function explain(error) {
  console.error(error instanceof SetUpError ? `set-up failed: ${error.message}` : error);
}

/** Whether a program's output says that a machine could not be reached. @param {string} output */
export function isUnreachable(output) {
  return /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|dial tcp|proxyconnect|no such host|fetch failed/.test(output);
}

/** Whether a program's output says that a file or folder could not be written. @param {string} output */
export function isUnwritable(output) {
  return /EACCES|EROFS|EPERM|ENOTDIR|ENOENT.* mkdir|permission denied|read-only file system|not a directory/.test(output);
}

/** Prints progress, to stderr: stdout is for the command's own output. @param {string} line */
export function progress(line) {
  process.stderr.write(`set-up: ${line}\n`);
}

/**
 * Takes a step of the set-up, and prints when it begins and how long it took.
 * @param {string} doing such as `building the packages`
 * @param {string} takes such as `about a minute`
 * @param {() => Promise<void>} work which fails if the step does
 */
export async function taking(doing, takes, work) {
  progress(`${doing} (${takes})`);
  const begun = performance.now();
  await work();
  progress(`${doing}: done after ${Math.round((performance.now() - begun) / 1000)} s`);
}
