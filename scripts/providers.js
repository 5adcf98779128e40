import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { nodeCheck } from "./doors.js";

const shared = "native/shared";

/**
 * Builds what runs in a provider's process: the native plugin, and what Pulumi's dynamic host loads, which share their files. All that they
 * need is included: whoever starts the plugin may have no packages, and the packages' many doors would be a hundred files to load, which
 * takes twice as long. In them, a resource is its definition alone, and Pulumi's SDK, in which programs are written, is left out.
 *
 * @param {string} root
 * @param {string} target the oldest Node
 */
export async function buildProviders(root, target) {
  const source = join(root, "provider", "src");
  const native = join(source, "native");
  const dist = join(root, "provider", "dist");
  const sdkDoors = sourcesOf(join(root, "sdk"));
  const { output } = await build({
    input: { host: join(source, "host.ts"), "native/main": join(native, "main.ts") },
    platform: "node",
    // Its paths lead to declarations.
    tsconfig: false,
    external: (id) => id.startsWith("node:"),
    plugins: [
      {
        name: "definitions-alone",
        resolveId: (id) => {
          if (id === "@pulumi/pulumi") return join(native, "without-pulumi.ts");
          if (id.endsWith("/pulumi/constructor.ts")) return join(native, "definition-alone.ts");
          return sdkDoors.get(id);
        },
      },
    ],
    transform: { target },
    output: {
      dir: dist,
      chunkFileNames: `${shared}/[name].js`,
      // Each file takes its time: what is always loaded together is one.
      codeSplitting: {
        groups: [filesOf("host", join(source, "host.ts"), 1), filesOf("local", join(root, "sdk", "src", "local", "open.ts"), 0)],
      },
      banner: ({ isEntry, fileName }) => (isEntry ? nodeCheck(fileName) : ""),
    },
  });
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
  mkdirSync(join(dist, shared), { recursive: true });
  writeFileSync(join(dist, shared, "LICENSES.txt"), [...packages].sort().map(licenseIn).join("\n\n"));
}

/** The sources of a package's doors, by what programs import. @param {string} folder @returns {ReadonlyMap<string, string>} */
function sourcesOf(folder) {
  /** @type {import("./doors.js").Manifest} */
  const { name, exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const doors = Object.entries(exports).flatMap(([door, paths]) =>
    typeof paths === "string"
      ? []
      : [/** @type {const} */ ([name + door.slice(1), paths.import.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts")])],
  );
  return new Map(doors.map(([door, source]) => [door, join(folder, source)]));
}

/**
 * A file with all that another one imports, and what is imported by that, unless it is in one that goes before.
 *
 * @param {string} name
 * @param {string} file
 * @param {number} priority the highest goes before
 * @returns {import("rolldown").CodeSplittingGroup}
 */
function filesOf(name, file, priority) {
  /** @type {Set<string> | undefined} */
  let reached;
  return {
    name: (id, context) => ((reached ??= importedBy(file, context)).has(id) ? name : null),
    debugName: name,
    priority,
  };
}

/** @param {string} file @param {import("rolldown").ChunkingContext} context */
function importedBy(file, context) {
  const reached = new Set([file]);
  // The set grows while it is walked through.
  for (const id of reached) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  return reached;
}

/** The license that has to be included with copies of a package. @param {string} folder */
function licenseIn(folder) {
  const { name, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  return `${name}\n\n${file === undefined ? `License: ${license}` : readFileSync(join(folder, file), "utf8").trim()}\n`;
}
