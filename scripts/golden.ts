import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { LocalControl } from "@container-platform/sdk/local";
import { z } from "zod";
import { severalOfEach } from "../test/provider/kinds/one-of-each.ts";
import { Stack } from "../test/support/stack.ts";
import { writeInterrupted } from "./golden-interrupted.ts";

// Writes the files that this version leaves behind to `test/golden/<version>/`: the state of a stack with every kind of resource, and its
// world. All later versions have to be able to read them. `interrupted`: the states of interrupted updates instead.
const golden = new URL("../test/golden/", import.meta.url);
const manifest = z.object({ version: z.string() });
const { version } = manifest.parse(JSON.parse(readFileSync(new URL("../provider/package.json", import.meta.url), "utf8")));
const [what = version, filter] = process.argv.slice(2);

if (what === "interrupted") await writeInterrupted(filter);
else await writeFinished();
// The service with the keys of the stacks would run on.
process.exit();

async function writeFinished(): Promise<void> {
  await using stack = await Stack.create({ program: severalOfEach("golden") });
  await stack.up();
  const { output } = await stack.ok("stack", "export", "--show-secrets");
  const folder = new URL(`${what}/`, golden);
  mkdirSync(folder, { recursive: true });
  write(folder, "state.json", JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)));
  write(folder, "world.json", await new LocalControl(stack.world).snapshot());
}

function write(folder: URL, name: string, content: unknown): void {
  writeFileSync(new URL(name, folder), `${JSON.stringify(content, undefined, 2)}\n`);
}
