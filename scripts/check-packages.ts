import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData, type Package, type Problem } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { z } from "zod";
import { packInto } from "./packed.ts";
import { unreadable } from "./syntax.ts";

// `npm run check:packages`: whether what is packed can be loaded, and its types be read, by programs of every kind.

const manifestSchema = z.looseObject({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()).default({}),
  engines: z.object({ node: z.string() }),
});

const folder = mkdtempSync(join(tmpdir(), "container-platform-packed-"));
try {
  for (const [name, tarball] of Object.entries(packInto(folder))) {
    const found = await complaints(new Uint8Array(readFileSync(tarball)));
    for (const complaint of found) console.error(`${name}: ${complaint}`);
    if (found.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function complaints(tarball: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  const packed = createPackageFromTarballData(tarball);
  const types = await checkPackage(packed);
  if (!types.types) return ["it has no types"];
  return [
    ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
    ...types.problems.map(inWords),
    ...undeclared(packed),
    ...tooNew(packed),
  ];
}

function inWords(problem: Problem): string {
  const { kind, ...where } = problem;
  return `${kind}: ${JSON.stringify(where)}`;
}

/** Files in syntax that the oldest Node of the package does not know. */
function tooNew(packed: Package): string[] {
  const prefix = `/node_modules/${packed.packageName}/`;
  const { engines } = manifestSchema.parse(JSON.parse(packed.readFile(`${prefix}package.json`)));
  return packed
    .listFiles(prefix)
    .filter((path) => /\.c?js$/.test(path))
    .flatMap((path) => unreadable(path.slice(prefix.length), packed.readFile(path), engines.node) ?? []);
}

/** Packages that a declaration names and that are not installed with this one. */
function undeclared(packed: Package): string[] {
  const prefix = `/node_modules/${packed.packageName}/`;
  const { name, dependencies, peerDependencies } = manifestSchema.parse(JSON.parse(packed.readFile(`${prefix}package.json`)));
  const known = [name, ...Object.keys(dependencies), ...Object.keys(peerDependencies)];
  return packed
    .listFiles(prefix)
    .filter((path) => path.endsWith(".d.ts"))
    .flatMap((path) =>
      [...packed.readFile(path).matchAll(/(?:\bfrom |\bimport\(|^import )"(?!node:)((?:@[^/"]+\/)?[a-z][^/"]*)/gm)]
        .filter(([, imported = ""]) => !known.includes(imported))
        .map(([, imported = ""]) => `${path.slice(prefix.length)} names ${imported}, which is not a dependency`),
    );
}
