import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";

// Makes each package's JavaScript: a file for each of its doors, and files for what several of them need. zod goes in as far as it is
// used. Node takes a millisecond and more for each file that it loads, and every `pulumi up` and every command loads hundreds otherwise.

const root = join(import.meta.dirname, "..");
const programs = { sdk: ["cli/main"], provider: [] };

for (const [folder, names] of Object.entries(programs)) {
  const { exports, dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const doors = Object.values(exports).map((door) => door.default.replace(/^\.\/dist\/|\.js$/g, ""));
  const apart = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => name !== "zod");
  const dist = join(root, folder, "dist");
  rmSync(join(dist, "shared"), { recursive: true, force: true });
  await build({
    input: Object.fromEntries([...doors, ...names].map((name) => [name, join(root, folder, "src", `${name}.ts`)])),
    platform: "node",
    external: (id) => apart.some((name) => id === name || id.startsWith(`${name}/`)),
    output: { dir: dist, chunkFileNames: "shared/[name].js" },
  });
  mkdirSync(join(dist, "shared"), { recursive: true });
  copyFileSync(join(root, "node_modules", "zod", "LICENSE"), join(dist, "shared", "zod.LICENSE"));
}
