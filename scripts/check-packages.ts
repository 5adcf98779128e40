import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData, type Package, type Problem } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { Linter } from "eslint";
import { z } from "zod";
import { packInto, packPluginInto } from "./packed.ts";

// `npm run check:packages`: whether what is packed can be loaded, and its types be read, by programs of every kind.

const manifestSchema = z.looseObject({
  name: z.string(),
  types: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

const folder = mkdtempSync(join(tmpdir(), "container-platform-packed-"));
try {
  for (const [name, tarball] of [...Object.entries(packInto(folder)), ["the plugin", packPluginInto(folder)] as const]) {
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
  return [
    ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
    ...(await untyped(packed)),
    ...undeclared(packed),
    ...tooNew(packed),
  ];
}

/** What is wrong with the types of a package that programs import. */
async function untyped(packed: Package): Promise<string[]> {
  if (manifestOf(packed).types === undefined) return [];
  const checked = await checkPackage(packed);
  return checked.types ? checked.problems.map(describeProblem) : ["it has no types"];
}

function manifestOf(packed: Package): z.output<typeof manifestSchema> {
  return manifestSchema.parse(JSON.parse(packed.readFile(`/node_modules/${packed.packageName}/package.json`)));
}

function describeProblem(problem: Problem): string {
  const { kind, ...where } = problem;
  return `${kind}: ${JSON.stringify(where)}`;
}

/**
 * Files in syntax that the oldest Node does not know, which is Node 22 with the language of 2024. An entry point for `require`, and what checks
 * the Node, has to be read by any Node: it is in the language of 2009. The bundler lowers most syntax, and leaves regular expressions.
 */
function tooNew(packed: Package): string[] {
  const linter = new Linter();
  const files = packed.listFiles(`/node_modules/${packed.packageName}/`).filter((path) => /\.[cm]?js$/.test(path));
  return files.flatMap((path) => {
    const isForAll = /\/dist\/(cjs\/|node-version\.js$)/.test(path);
    const sourceType = isForAll || path.endsWith(".cjs") ? "script" : "module";
    const languageOptions = { ecmaVersion: isForAll ? 5 : 2024, sourceType } as const;
    const found = linter.verify(packed.readFile(path), { languageOptions, linterOptions: { noInlineConfig: true } });
    return found.filter(({ fatal }) => fatal).map(({ message, line }) => `${path}:${line} cannot be read by an old Node: ${message}`);
  });
}

/** Packages that a declaration names and that are not installed with this one. */
function undeclared(packed: Package): string[] {
  const prefix = `/node_modules/${packed.packageName}/`;
  const { name, dependencies, peerDependencies } = manifestOf(packed);
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
