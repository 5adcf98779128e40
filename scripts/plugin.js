import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { nodeCheck } from "./doors.js";

/**
 * Builds the native plugin, with all that it needs: whoever starts it may have no packages. In it, a resource is its definition alone, and
 * Pulumi's SDK, in which programs are written, is left out.
 *
 * @param {string} root
 * @param {string} target the oldest Node
 */
export async function buildPlugin(root, target) {
  const native = join(root, "provider", "src", "native");
  const dist = join(root, "provider", "dist", "native");
  const { output } = await build({
    input: { main: join(native, "main.ts") },
    platform: "node",
    // Its paths lead to declarations.
    tsconfig: false,
    external: (id) => id.startsWith("node:"),
    plugins: [
      {
        name: "definitions-alone",
        resolveId: (id) => {
          if (id === "@pulumi/pulumi") return join(native, "without-pulumi.ts");
          return id.endsWith("/pulumi/constructor.ts") ? join(native, "definition-alone.ts") : undefined;
        },
      },
    ],
    transform: { target },
    output: {
      dir: dist,
      chunkFileNames: "shared/[name].js",
      banner: ({ isEntry, fileName }) => (isEntry ? nodeCheck(`native/${fileName}`) : ""),
    },
  });
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
  mkdirSync(join(dist, "shared"), { recursive: true });
  writeFileSync(join(dist, "shared", "LICENSES.txt"), [...packages].sort().map(licenseIn).join("\n\n"));
}

/** The license that has to be included with copies of a package. @param {string} folder */
function licenseIn(folder) {
  const { name, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  return `${name}\n\n${file === undefined ? `License: ${license}` : readFileSync(join(folder, file), "utf8").trim()}\n`;
}
