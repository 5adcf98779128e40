/** For other programs that call a platform: command lines, output and exit codes as those of `cpcli`. */

export { type Given, type Options } from "./command.ts";
export { type Configured, connected, type Connection } from "./connection.ts";
export { exitCodes, UsageError } from "./run.ts";
export { projectFolder } from "../config/profiles.ts";
export { connectionOptions } from "./command.ts";
export { isClosedPipe, print, tell } from "./run.ts";
export { run } from "./run.ts";
export { Session } from "./run.ts";
export { commandOf } from "./command.ts";
