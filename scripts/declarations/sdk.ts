import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { emittedIn } from "./sources.ts";

// The declarations of `@container-platform/sdk` are those that the compiler emits, except that they name a copy of zod's, as the code
// has a copy of zod, too. The copy has no languages: their declarations need `esModuleInterop`, which not every program sets.

const copy = "zod-types";

/** Writes the declarations into the package. */
export function writeSdkDeclarations(root: string): void {
  const [emitted, dist] = [join(emittedIn(root), "sdk", "src"), join(root, "sdk", "dist", "cjs")];
  for (const path of filesIn(emitted)) {
    // What the compiler has emitted for a source that is no more stays there, and the check of the tests' types emits fixtures.
    if (!path.endsWith(".d.ts") || path.endsWith(".fixture.d.ts") || !existsSync(join(root, "sdk", "src", path.replace(/\.d\.ts$/, ".ts"))))
      continue;
    const to = posix.relative(posix.dirname(path), `${copy}/index.cjs`);
    const specifier = to.startsWith(".") ? to : `./${to}`;
    write(join(dist, path), readFileSync(join(emitted, path), "utf8").replaceAll(/(?<=\bfrom |\bimport\()"zod"/g, `"${specifier}"`));
  }
  const zod = dirname(createRequire(import.meta.url).resolve("zod/package.json"));
  for (const path of reachedFrom("index.d.cts", zod))
    write(join(dist, copy, path), withoutLanguages(readFileSync(join(zod, path), "utf8")));
}

/** A file of declarations, and all that it needs. */
function reachedFrom(first: string, folder: string): Set<string> {
  const found = new Set([first]);
  // What is added on the way is visited, too.
  for (const path of found)
    for (const [, to = ""] of withoutLanguages(readFileSync(join(folder, path), "utf8")).matchAll(/(?:\bfrom |\bimport\()"(\.[^"]*)"/g))
      found.add(posix.join(posix.dirname(path), to.replace(/\.cjs$/, ".d.cts")));
  return found;
}

function withoutLanguages(text: string): string {
  return text.replaceAll(/^export \* as locales from .*\n/gm, "");
}

/** The paths of the files in a folder, with `/`. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
