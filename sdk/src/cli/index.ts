/** For other programs that call a platform: command lines, output and exit codes as those of `cpcli`. */

export { type Given, type Options } from "./command/arguments.ts";
export { type Configured, connected, type Connection } from "./connection/connection.ts";
export { exitCodes, UsageError } from "./run/failures.ts";
export { projectFolder } from "../config/profiles.ts";
export { connectionOptions } from "./command/arguments.ts";
export { isClosedPipe, print, tell } from "./output/print.ts";
export { run } from "./run/session.ts";
export { Session } from "./run/session.ts";
export { commandOf } from "./command/command.ts";
