import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { checkOf } from "./doors.js";

/**
 * Builds the native plugin, with all that it needs: whoever starts it may have no packages. In it, a resource is its definition alone, and
 * Pulumi's SDK, in which programs are written, is left out.
 *
 * @param {string} root
 */
export async function buildPlugin(root) {
  const dist = join(root, "plugin", "dist");
  const manifest = JSON.parse(readFileSync(join(root, "plugin", "package.json"), "utf8"));
  rmSync(dist, { recursive: true, force: true });
  const { output } = await build({
    ...inputOf(root),
    output: { dir: dist, entryFileNames: "[name].mjs", chunkFileNames: "shared/[name].mjs" },
  });
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
  writeFileSync(join(dist, "node-version.js"), checkOf(manifest));
  writeFileSync(join(dist, "LICENSES.txt"), [...packages].sort().map(licenseIn).join("\n\n"));
}

/**
 * Builds the plugin as one CommonJS file, which is what Node makes an executable of.
 *
 * @param {string} root
 * @param {string} file
 */
export async function buildPluginInto(root, file) {
  await build({ ...inputOf(root), output: { file, format: "cjs", codeSplitting: false } });
}

/** What the plugin is built from. @param {string} root @returns {import("rolldown").InputOptions} */
function inputOf(root) {
  const native = join(root, "provider", "src", "native");
  const { engines } = JSON.parse(readFileSync(join(root, "plugin", "package.json"), "utf8"));
  return {
    input: { main: join(native, "main.ts") },
    platform: "node",
    // Its paths lead to declarations.
    tsconfig: false,
    external: (id) => id.startsWith("node:"),
    plugins: [
      {
        name: "definitions-alone",
        resolveId: (id, importer = "") => {
          if (id === "@pulumi/pulumi") return join(native, "without-pulumi.ts");
          if (id === "./definition.ts" && /\/functions\/[^/]+$/.test(importer)) return join(native, "function-alone.ts");
          return id.endsWith("/pulumi/constructor.ts") ? join(native, "definition-alone.ts") : undefined;
        },
      },
    ],
    // Syntax that the oldest Node does not know is written in the one that it knows.
    transform: { target: engines.node.replace(/^>=/, "node") },
  };
}

/** The license that has to be included with copies of a package. @param {string} folder */
function licenseIn(folder) {
  const { name, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  return `${name}\n\n${file === undefined ? `License: ${license}` : readFileSync(join(folder, file), "utf8").trim()}\n`;
}
