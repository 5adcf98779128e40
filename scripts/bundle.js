import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Puts cpcli and all it needs into a few files, which load in half the time of the many that it is made of: `npm run build` does so
// with what was compiled, tests with the sources. sdk/bin/cpcli.js works without them, too.
const root = fileURLToPath(new URL("..", import.meta.url));
const [input = join(root, "sdk/dist/cli/main.js"), folder = join(root, "sdk/dist/cpcli")] = process.argv.slice(2);

await bundle().catch((error) => {
  // The bundler needs a newer Node than what set-up runs with at first.
  console.error(`cpcli is not bundled, and starts more slowly: ${error instanceof Error ? error.message : String(error)}`);
});

async function bundle() {
  const { rolldown } = await import("rolldown");
  const bundled = await rolldown({ input, platform: "node" });
  const { output } = await bundled.write({ dir: folder, format: "esm", cleanDir: true });
  await bundled.close();
  const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
  writeFileSync(join(folder, "LICENSES.txt"), licensesOf(modules));
}

/**
 * What the packages ask to be kept with copies of them.
 * @param {readonly string[]} modules
 */
function licensesOf(modules) {
  const packages = new Set(modules.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file.replaceAll("\\", "/")) ?? []));
  return [...packages].sort().map(licenseOf).join("\n\n");
}

/** @param {string} folder */
function licenseOf(folder) {
  const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name}\n\n${file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim()}`;
}
