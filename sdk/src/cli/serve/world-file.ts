import { resolve } from "node:path";
import { localFile } from "../../transport/connect.ts";
import type { Option } from "../command/arguments.ts";

export const worldOption = {
  value: "FILE",
  summary: "File of the world; that of the endpoint local unless given.",
} as const satisfies Option;

/** The file of the world, relative to the current folder. */
export function worldFile(given: string | undefined): string {
  return given === undefined ? (localFile("local") ?? "") : given === ":memory:" ? given : resolve(given);
}
