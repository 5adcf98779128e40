import { messageOf } from "../definition/codes.ts";

/**
 * Marks an error as Pulumi marks its `RunError`: if the program does not handle it, the message is shown, which says what to do, and no
 * stack trace, which leads into this package. Mistakes of the code keep theirs.
 */
export function withoutTrace(error: unknown): unknown {
  const isMistake = [TypeError, ReferenceError, RangeError].some((type) => error instanceof type);
  if (!(error instanceof Error) || isMistake) return error;
  return Object.defineProperty(asItIs(error), "__pulumiRunError", { value: true, configurable: true });
}

/** Has an error keep its message: Pulumi writes in front of it which property of a resource, or of the stack, is not known because of it. */
export function asItIs<Kind extends Error>(error: Kind): Kind {
  const message = messageOf(error);
  return Object.defineProperty(error, "message", { get: () => message, set: () => undefined, configurable: true });
}
