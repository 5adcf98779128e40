import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { checkOf } from "./entry-points.js";

/**
 * Builds the native plugin, with all that it needs: whoever starts it may have no packages. It is two programs. In the first, a resource is
 * its definition alone, and Pulumi's SDK, in which programs are written, is left out. The second makes components as such a program does; it
 * is loaded when the first component is asked for.
 *
 * @param {string} root
 */
export async function buildPlugin(root) {
  const dist = join(root, "plugin", "dist");
  const manifest = JSON.parse(readFileSync(join(root, "plugin", "package.json"), "utf8"));
  rmSync(dist, { recursive: true, force: true });
  const names = { entryFileNames: "[name].mjs", chunkFileNames: "shared/[name].mjs" };
  const definitions = await build({
    ...definitionsAlone(root, { id: "./components.mjs", external: true }),
    output: { dir: dist, ...names },
  });
  const components = await oneFile(withPulumi(root), "esm");
  writeFileSync(join(dist, "components.mjs"), components.code);
  const modules = [...definitions.output, components].flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
  writeFileSync(join(dist, "node-version.js"), checkOf(manifest));
  writeFileSync(join(dist, "LICENSES.txt"), [...packages].sort().map(licenseIn).join("\n\n"));
}

/**
 * Builds both programs as one CommonJS file each, which is what Node makes an executable of.
 *
 * @param {string} root
 * @param {{ readonly main: string, readonly components: string }} files
 */
export async function buildPluginInto(root, files) {
  const inside = join(root, "provider", "src", "plugin", "components-inside.ts");
  writeFileSync(files.main, (await oneFile(definitionsAlone(root, { id: inside }), "cjs")).code);
  writeFileSync(files.components, (await oneFile(withPulumi(root), "cjs")).code);
}

/**
 * A program as one file. Rolldown also makes a chunk of what nothing leads to once unused code is gone, such as the local platform
 * in the program that makes components: that is left out.
 *
 * @param {import("rolldown").InputOptions} program
 * @param {"cjs" | "esm"} format
 */
async function oneFile(program, format) {
  const { output } = await build({ ...program, write: false, output: { format, codeSplitting: false } });
  const [entry, ...others] = output;
  const needed = others.find(({ fileName }) => entry.code.includes(fileName));
  if (needed) throw new Error(`${entry.fileName} needs ${needed.fileName}: it has to be one file`);
  return entry;
}

/** @typedef {{ readonly id: string, readonly external?: true }} Resolved */

/**
 * @param {string} root
 * @param {Resolved} components what is loaded to make components
 */
function definitionsAlone(root, components) {
  const native = join(root, "provider", "src", "plugin");
  return programOf(root, { main: join(native, "main.ts") }, (id, importer) => {
    if (id === "@pulumi/pulumi") return { id: join(native, "pulumi.stub.ts") };
    if (id === "./definition.ts" && /\/functions\/[^/]+$/.test(importer)) return { id: join(native, "function.stub.ts") };
    if (id.endsWith("/components/construct.ts")) return components;
    return id.endsWith("/dynamic/constructor.ts") ? { id: join(native, "definition.stub.ts") } : undefined;
  });
}

/** @param {string} root */
function withPulumi(root) {
  const own = join(root, "provider", "src", "plugin", "components");
  return programOf(root, { components: join(own, "construct.ts") }, (id, importer) => {
    if (id === "@pulumi/pulumi") return { id: join(own, "with-pulumi.ts") };
    if (id === "./reading.ts" && /\/src\/components\/[^/]+$/.test(importer)) return { id: join(own, "reach.ts") };
    return id.endsWith("/dynamic/constructor.ts") ? { id: join(own, "child-class.ts") } : undefined;
  });
}

/**
 * @param {string} root
 * @param {Record<string, string>} input
 * @param {(id: string, importer: string) => Resolved | undefined} instead what takes the place of a module
 * @returns {import("rolldown").InputOptions}
 */
function programOf(root, input, instead) {
  const { engines } = JSON.parse(readFileSync(join(root, "plugin", "package.json"), "utf8"));
  return {
    input,
    platform: "node",
    // Its paths lead to declarations.
    tsconfig: false,
    external: (id) => id.startsWith("node:"),
    plugins: [{ name: "instead", resolveId: (id, importer = "") => instead(id, importer) }],
    // Syntax that the oldest Node does not know is written in the one that it knows.
    transform: { target: engines.node.replace(/^>=/, "node") },
  };
}

/** The license that has to be included with copies of a package. @param {string} folder */
export function licenseIn(folder) {
  const { name, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  return `${name}\n\n${file === undefined ? `License: ${license}` : readFileSync(join(folder, file), "utf8").trim()}\n`;
}
