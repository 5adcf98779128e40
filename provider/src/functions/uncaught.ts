/**
 * Marks an error as Pulumi marks its `RunError`: if the program does not handle it, the message is shown, which says what to do, and no
 * stack trace, which leads into this package. Mistakes of the code keep theirs.
 */
export function withoutTrace(error: unknown): unknown {
  const isMistake = [TypeError, ReferenceError, RangeError].some((type) => error instanceof type);
  if (error instanceof Error && !isMistake) Object.defineProperty(error, "__pulumiRunError", { value: true, configurable: true });
  return error;
}
