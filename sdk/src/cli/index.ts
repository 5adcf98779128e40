/** What programs that work on a platform have in common with `cpcli`: how they are called, what they print, how they end. */

export { type Given, type Options } from "./command/arguments.ts";
export { connected, type Connection } from "./command/connection.ts";
export { exitCodes, UsageError } from "./command/failures.ts";
export { connectionOptions } from "./command/options.ts";
export { isClosedPipe, print, tell } from "./output/print.ts";
export { run } from "./command/program.ts";
export { Session } from "./command/session.ts";
export { commandOf } from "./command/usage.ts";
