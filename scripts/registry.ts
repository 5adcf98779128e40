import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { registryFiles } from "./docs/registry.ts";

// Writes the tables of all kinds of resources. It is the first step of `npm run fix`, before anything is built.
for (const [file, text] of await registryFiles()) writeFileSync(join(import.meta.dirname, "../docs", file), text);
