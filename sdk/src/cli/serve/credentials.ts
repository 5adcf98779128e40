import { existsSync } from "node:fs";
import { ConfigurationError } from "../../operation/errors.ts";
import { accessKeyOf } from "../../local/accounts/accounts.ts";
import { World } from "../../local/store/world.ts";
import { print } from "../output/print.ts";
import { commandOf } from "../command/usage.ts";
import { worldFile, worldOption } from "./world-file.ts";

const options = {
  world: worldOption,
  uin: { value: "UIN", summary: "Account whose key it is; the first main account unless given." },
} as const;

/** `cpcli credentials`. Reading the keys of a world takes the right to read its file. */
export const runCredentials = commandOf({ name: "credentials", options }, ({ given }) => {
  const file = worldFile(given.world);
  if (!existsSync(file)) throw new ConfigurationError(`there is no world ${file}`);
  const world = World.open(file);
  try {
    print(`${JSON.stringify(accessKeyOf(world, given.uin))}\n`);
  } finally {
    world.close();
  }
});
