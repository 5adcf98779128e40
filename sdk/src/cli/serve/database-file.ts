import { resolve } from "node:path";
import { localFile } from "../../transport/connect.ts";
import type { Option } from "../command/arguments.ts";

export const databaseOption = {
  value: "FILE",
  summary: "File of the database. Default: the file of the endpoint local.",
} as const satisfies Option;

/** The file of the database, relative to the current folder. */
export function databaseFile(given: string | undefined): string {
  return given === undefined ? (localFile("local") ?? "") : given === ":memory:" ? given : resolve(given);
}
