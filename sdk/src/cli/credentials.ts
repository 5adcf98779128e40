import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { World } from "../local/store/world.ts";
import { ConfigurationError } from "../operation/errors.ts";
import { localFile } from "../transport/connect.ts";
import { commandOf, type Option } from "./command.ts";
import { print } from "./run.ts";

export const databaseOption = {
  value: "FILE",
  summary: "File of the database. Default: the file of the endpoint local.",
} as const satisfies Option;

/** The file of the database, relative to the current folder. */
export function databaseFile(given: string | undefined): string {
  return given === undefined ? (localFile("local") ?? "") : given === ":memory:" ? given : resolve(given);
}

const options = {
  db: databaseOption,
  uin: { value: "UIN", summary: "Account of the access key. Default: the first main account." },
} as const;

/** `cpcli credentials`. Reading the keys of a database takes the right to read its file. */
export const runCredentials = commandOf({ name: "credentials", options }, ({ given }) => {
  const file = databaseFile(given.db);
  if (!existsSync(file)) throw new ConfigurationError(`the database ${file} does not exist`);
  const world = World.open(file);
  try {
    print(`${JSON.stringify(accessKeyOf(world, given.uin))}\n`);
  } finally {
    world.close();
  }
});
