import { existsSync } from "node:fs";
import { ConfigurationError } from "../errors.ts";
import { accessKeyOf } from "../local/accounts/accounts.ts";
import { World } from "../local/world.ts";
import { print } from "./print.ts";
import { readCommandLine } from "./usage.ts";
import { worldFile, worldOption } from "./world-file.ts";

const options = {
  world: worldOption,
  uin: { value: "UIN", summary: "Account whose key it is; the first main account unless given." },
} as const;

/** `cpcli credentials`: only who may read the file of a world can read its keys. */
export function runCredentials(args: readonly string[]): Promise<void> {
  const read = readCommandLine({ name: "credentials", options }, args);
  if (!read) return Promise.resolve();
  const { given } = read;
  const file = worldFile(given.world);
  if (!existsSync(file)) throw new ConfigurationError(`there is no world ${file}`);
  const world = World.open(file);
  try {
    print(`${JSON.stringify(accessKeyOf(world, given.uin))}\n`);
  } finally {
    world.close();
  }
  return Promise.resolve();
}
