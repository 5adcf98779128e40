import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { LocalControl } from "@container-platform/sdk/local";
import { z } from "zod";
import { severalOfEach } from "../test/provider/kinds/one-of-each.ts";
import { shapeOf } from "../test/support/schema-shape.ts";
import { Stack } from "../test/support/stack.ts";

// Writes the files that this version leaves behind to `test/golden/<version>/`: the state of a stack with every kind of resource, its
// world, and the shape of the plugin's schema. All later versions have to be able to read them.
const golden = new URL("../test/golden/", import.meta.url);
const manifest = z.object({ version: z.string() });
const { version } = manifest.parse(JSON.parse(readFileSync(new URL("../provider/package.json", import.meta.url), "utf8")));

await using stack = await Stack.create({ program: severalOfEach("golden") });
await stack.up();
const { output } = await stack.ok("stack", "export", "--show-secrets");
const folder = new URL(`${process.argv[2] ?? version}/`, golden);
mkdirSync(folder, { recursive: true });
write("state.json", JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)));
write("schema.json", shapeOf(readFileSync(new URL("../plugin/schema.json", import.meta.url), "utf8")));
write("world.json", await new LocalControl(stack.world).snapshot());

function write(name: string, content: unknown): void {
  writeFileSync(new URL(name, folder), `${JSON.stringify(content, undefined, 2)}\n`);
}
