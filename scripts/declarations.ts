import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { resultInterfaces } from "./docs/results.ts";
import { entryPointsOf, manifestIn, relative, write } from "./entry-points.js";

// Copies the declarations that the compiler has emitted into both packages: those of the entry points, and all that these need. Those of
// `@container-platform/sdk` name a copy of zod's, as its code has a copy of zod, too. Those of `@container-platform/pulumi` name no zod,
// and have the results of functions as interfaces with comments.

const root = join(import.meta.dirname, "..");
const emitted = join(root, "node_modules", ".cache", "types");
const zod = dirname(createRequire(import.meta.url).resolve("zod/package.json"));
const imported = /(?<=\bfrom |\bimport\()"([^"]*)"/g;

copy("provider", join(emitted, "published"), (path, text) => {
  if (path === "functions/results.d.ts") return resultInterfaces();
  if (/"(zod|@container-platform\/sdk\/zod)"/.test(text))
    throw new Error(`${path} of the provider would name zod to users: mark what needs it as @internal, or write its type`);
  return text;
});
copy("sdk", join(emitted, "sdk", "src"), (path, text) =>
  text.replaceAll(/(?<=\bfrom |\bimport\()"zod"/g, `"${relative(path, "zod-types/index.cjs")}"`),
);
for (const [path, text] of reachedFrom(["index.d.cts"], zod)) write(join(root, "sdk/dist/cjs/zod-types"), path, text);

/** Copies what the entry points of a package need. */
function copy(name: string, from: string, edited: (path: string, text: string) => string): void {
  const entryPoints = entryPointsOf(manifestIn(join(root, name))).map((entryPoint) => `${entryPoint}.d.ts`);
  for (const [path, text] of reachedFrom(entryPoints, from)) write(join(root, name, "dist", "cjs"), path, edited(path, text));
}

/** The texts of files of declarations, and of all that they need, by path. */
function reachedFrom(first: readonly string[], folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const paths = new Set(first);
  // What is added on the way is visited, too.
  for (const path of paths) {
    // The languages of zod's messages need `esModuleInterop`, which not every program sets.
    const text = readFileSync(join(folder, path), "utf8").replaceAll(/^export \* as locales from .*\n/gm, "");
    found.set(path, text);
    for (const [, to = ""] of text.matchAll(imported))
      if (to.startsWith(".")) paths.add(posix.join(posix.dirname(path), to.replace(/\.cjs$/, ".d.cts").replace(/(?<!\.d)\.ts$/, ".d.ts")));
  }
  return found;
}
