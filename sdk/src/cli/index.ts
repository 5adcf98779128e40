/** What programs that work on a platform have in common with `cpcli`: how they are called, what they print, how they end. */

export { type Given, type Options } from "./arguments.ts";
export { connected, type Connection } from "./connection.ts";
export { exitCodes, UsageError } from "./failures.ts";
export { connectionOptions } from "./options.ts";
export { isClosedPipe, print, tell } from "./print.ts";
export { run } from "./program.ts";
export { Session } from "./session.ts";
export { commandOf } from "./usage.ts";
