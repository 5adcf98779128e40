import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EntryPoint } from "./declarations/entry-point.ts";
import { writeSdkDeclarations } from "./declarations/sdk.ts";
import { Sources } from "./declarations/sources.ts";

// Writes the declarations of both packages from what the compiler has emitted. Those of `@container-platform/pulumi` are one file for each
// entry point, from the types of the sources. It is what a person reads in an editor, so everything has a name and its comment, and no type
// is computed.

const root = join(import.meta.dirname, "..");

/** The entry points, and the packages that each may name. */
const entryPoints: Readonly<Record<string, readonly string[]>> = {
  index: ["@pulumi/pulumi"],
  host: ["@pulumi/pulumi"],
  "policy-pack": ["@pulumi/pulumi", "@pulumi/policy"],
  testing: ["@pulumi/pulumi", "@container-platform/sdk"],
};

writeSdkDeclarations(root);
const sources = new Sources(root, Object.keys(entryPoints));
for (const [name, packages] of Object.entries(entryPoints)) {
  const file = join(root, "provider", "dist", "cjs", `${name}.d.ts`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, new EntryPoint(sources, name, packages).text());
}
