import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";

// Makes each package's JavaScript: a file for each of its doors, and files for what several of them need. What is loaded at nearly
// every start goes in as far as it is used. Node takes a millisecond and more for each file, and would load hundreds otherwise.

const root = join(import.meta.dirname, "..");
const packages = {
  sdk: { programs: ["cli/main"], inside: ["ip-address", "yaml", "zod"] },
  provider: { programs: ["import/main", "review/main"], inside: ["yaml"] },
};

for (const [folder, { programs, inside }] of Object.entries(packages)) {
  const { exports, dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const doors = Object.values(exports).map((door) => door.default.replace(/^\.\/dist\/|\.js$/g, ""));
  const apart = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !inside.includes(name));
  const dist = join(root, folder, "dist");
  const shared = join(dist, "shared");
  rmSync(shared, { recursive: true, force: true });
  await build({
    input: Object.fromEntries([...doors, ...programs].map((name) => [name, join(root, folder, "src", `${name}.ts`)])),
    platform: "node",
    external: (id) => apart.some((name) => id === name || id.startsWith(`${name}/`)),
    output: { dir: dist, chunkFileNames: "shared/[name].js" },
  });
  mkdirSync(shared, { recursive: true });
  writeFileSync(join(shared, "LICENSES.txt"), inside.map(licenseOf).join("\n\n"));
}

/** What a package asks to be kept with copies of it. @param {string} name */
function licenseOf(name) {
  return `${name}\n\n${readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8").trim()}\n`;
}
