/** For other programs that call a platform: command lines, output and exit codes as those of `cpcli`. */

export { projectFolder } from "../config/profiles.ts";
export { commandOf, connectionOptions, type Given, type Options } from "./command.ts";
export { type Configured, connected, type Connection } from "./connection.ts";
export { exitCodes, isClosedPipe, print, run, Session, tell, UsageError } from "./run.ts";
export { widthOf } from "./output/width.ts";
