import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { entryPointsOf, manifestIn, nodeCheck, writeEntryPoints } from "./entry-points.js";
import { buildPlugin, licenseIn } from "./plugin.js";

// Builds each package's JavaScript: one file for each entry point, and shared files for code that several entry points need. Dependencies
// that are loaded at nearly every start are included, as far as they are used. Node needs a millisecond or more for each file, and would
// otherwise load hundreds. Comments are left to the declarations.

const root = join(import.meta.dirname, "..");
const packages = {
  sdk: { programs: ["cli/main"], inside: ["ip-address", "yaml", "zod"], ownProcess: [] },
  // The host's process does nothing but what this package has it do.
  provider: { programs: ["import/main", "review/main"], inside: ["yaml"], ownProcess: ["host"] },
};

/**
 * Which sources of a package are one file, because who loads one of them nearly always loads the others: a run of `cpcli` or of the
 * provider's process would otherwise load sixty to a hundred. The other shared files are the bundler's. By package: the names of the files,
 * each with the sources in it, as paths in `src` or in the folder above node_modules. The first that names a source has it. What a source
 * needs, and no earlier one has, goes along with it: those that others need stand before them.
 *
 * @type {Record<string, Record<string, readonly RegExp[]>>}
 */
const together = {
  sdk: {
    errors: [/^operation\/(errors|versions)\./, /^formats\/texts\./, /^\0/],
    schemas: [
      /^node_modules\/zod\//,
      /^operation\//,
      /^catalogue\/(shared|identity|cluster\/roles|(cluster|registry)\/states)\./,
      /^local\/regions\./,
    ],
    "catalogue-vpc": [/^catalogue\/vpc\./],
    "catalogue-cluster": [/^catalogue\/cluster[./]/],
    "catalogue-registry": [/^catalogue\/registry[./]/],
    addresses: [/^node_modules\/ip-address\//, /^formats\/(addresses|resource-name)\./, /^rules\/(network|registry|rule)\./],
    client: [/^client\//, /^config\/(credentials|profiles)\./, /^transport\/connect\./],
    world: [/^local\/(accounts|faults|requests|store)\//, /^local\/platform\./],
    network: [/^local\/vpc\/(subnets|security-groups)\./],
    run: [/^cli\/(command|commands|run)\./, /^cli\/call\/(call|products)\./],
    connection: [/^cli\/connection\./, /^cli\/output\/(output|text)\./],
  },
  provider: {
    definition: [
      /^definition\/(?!resource|outliving|definition)/,
      /^schema\/(compare|marks|secrets|validate|values)\./,
      /^dynamic\/stub\./,
      /^runtime\/(configuration|tokens)\./,
    ],
    program: [/^schema\/(private-state|paths|urn)\./, /^program\/(graph|messages|rules)\./, /^definition\/outliving\./],
  },
};

for (const [folder, { programs, inside, ownProcess }] of Object.entries(packages)) {
  const manifest = manifestIn(join(root, folder));
  const entryPoints = entryPointsOf(manifest);
  const apart = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter((name) => !inside.includes(name));
  const dist = join(root, folder, "dist");
  // Syntax that the oldest Node does not know is written in the one that it knows.
  const target = manifest.engines.node.replace(/^>=/, "node");
  rmSync(dist, { recursive: true, force: true });
  await build({
    input: Object.fromEntries([...entryPoints, ...programs].map((name) => [name, join(root, folder, "src", `${name}.ts`)])),
    platform: "node",
    plugins: [builtins()],
    external: (id) => apart.some((name) => id === name || id.startsWith(`${name}/`)),
    transform: { target },
    output: {
      dir: dist,
      chunkFileNames: "shared/[name].js",
      comments: { jsdoc: false },
      codeSplitting: { groups: chunksOf(folder) },
      banner: ({ isEntry, fileName }) => (isEntry ? nodeCheck(fileName) : ""),
    },
  });
  writeEntryPoints(dist, entryPoints, manifest, ownProcess);
  mkdirSync(join(dist, "shared"), { recursive: true });
  writeFileSync(join(dist, "shared", "LICENSES.txt"), inside.map((name) => licenseIn(join(root, "node_modules", name))).join("\n\n"));
}
// What a browser loads is served as it is written.
cpSync(join(root, "sdk/src/served/dashboard/page"), join(root, "sdk/dist/dashboard/page"), {
  recursive: true,
  filter: (source) => !source.endsWith(".json"),
});
await buildPlugin(root);

/**
 * What is imported of Node's own modules is taken from them. For an import, Node reads every member of a module, and thereby loads what
 * few programs need: with `node:fs`, its streams and promises.
 *
 * @returns {import("rolldown").Plugin}
 */
function builtins() {
  const imported = /^import (?:(\w+)(?:, )?)?(?:\{([^}]*)\} )?from "(node:[\w/]+)";$/gm;
  return {
    name: "builtins",
    renderChunk: (code) =>
      code.replace(imported, (_, whole, members, name) => {
        const module = `process.getBuiltinModule("${name}")`;
        return [whole && `const ${whole} = ${module};`, members && `const {${members.replaceAll(" as ", ": ")}} = ${module};`]
          .filter(Boolean)
          .join(" ");
      }),
  };
}

/** The files of a package, for the bundler. @param {string} name the folder of the package */
function chunksOf(name) {
  return Object.entries(together[name] ?? {}).map(([file, sources], index, all) => ({
    name: file,
    test: (/** @type {string} */ id) => sources.some((source) => source.test(placeOf(id))),
    priority: all.length - index,
  }));
}

/** @param {string} id the path of a module */
function placeOf(id) {
  return id.replaceAll("\\", "/").replace(/^.*\/(?=node_modules\/)|^.*\/src\//, "");
}
