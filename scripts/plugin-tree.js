import "./node-version.js";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// `node scripts/plugin-tree.js <folder>`: writes the built plugin as `pulumi package add` takes it from a folder or from Git. Git keeps no
// builds, and Pulumi clones the whole tree of a tag: so a tag of the plugin's repository has these files alone.

const plugin = join(import.meta.dirname, "..", "plugin");
const [target] = process.argv.slice(2);
if (target === undefined) {
  console.error("node scripts/plugin-tree.js needs the folder to write to");
  process.exit(2);
}
const { scripts: _ofSources, files, ...manifest } = JSON.parse(readFileSync(join(plugin, "package.json"), "utf8"));
mkdirSync(target, { recursive: true });
for (const name of ["LICENSE", "README.md", ...files.filter((/** @type {string} */ name) => name !== "CHANGELOG.md")])
  cpSync(join(plugin, name), join(target, name), { recursive: true });
cpSync(join(plugin, "git"), target, { recursive: true });
// Pulumi runs `npm install`, which has to make node_modules. The launcher is in the tree: Pulumi's own brings 111 MB of packages.
const dependencies = { "@pulumi/pulumi": "file:./launcher" };
writeFileSync(join(target, "package.json"), `${JSON.stringify({ ...manifest, private: true, dependencies }, null, 2)}\n`);
