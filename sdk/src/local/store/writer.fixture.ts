import { flushCompileCache } from "node:module";
import { LocalPlatform } from "../platform.ts";
import { callsOf, openWorld, write } from "./writes.fixture.ts";

/** A process that writes into a world until it is killed. It prints a line for each write that was acknowledged. */

const [file = ""] = process.argv.slice(2);
const world = openWorld(file);
const platform = new LocalPlatform(world);
const first = callsOf(world);
for (let number = first; ; number++) {
  await write(platform, world, number);
  process.stdout.write(`${number}\n`);
  // Node writes its compile cache when a process ends by itself, which this one never does.
  if (number === first) flushCompileCache();
}
