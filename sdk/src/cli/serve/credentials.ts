import { existsSync } from "node:fs";
import { ConfigurationError } from "../../operation/errors.ts";
import { accessKeyOf } from "../../local/accounts/accounts.ts";
import { World } from "../../local/store/world.ts";
import { print } from "../output/print.ts";
import { commandOf } from "../command/usage.ts";
import { databaseFile, databaseOption } from "./database-file.ts";

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
