import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SetUpError } from "./command.js";
import { npm } from "./packages.js";
import { taking } from "./steps.js";

/** @typedef {import("./processes.js").Environment} Environment */

const built = ["sdk", "provider"];
const builders = ["bundle.js", "chunks.js", "declarations.ts", "entry-points.js", "plugin.js"].map((name) => join("scripts", name));

/**
 * Whether the built packages are up to date with the sources.
 * @param {string} root
 */
export function packagesAreBuilt(root) {
  return outputExists(root) && existsSync(stamp(root)) && readFileSync(stamp(root), "utf8") === sourcesOf(root);
}

/**
 * Builds the packages that have changed.
 * @param {string} root
 * @param {Environment} env
 * @param {AbortSignal} signal
 */
export async function buildPackages(root, env, signal) {
  await taking({ doing: "building the packages", takes: "about half a minute the first time", done: "packages built" }, async () => {
    const sources = sourcesOf(root);
    const { code, output } = await npm(root, ["run", "build", "--loglevel=error"], signal, env);
    if (code !== 0) throw new SetUpError(`"npm run build" ended with code ${code}:\n${output.trim()}`);
    writeFileSync(stamp(root), sources);
  });
}

/** @param {string} root */
function outputExists(root) {
  return [...built, "plugin"].every((name) => existsSync(join(root, name, "dist")));
}

/** In node_modules, so that it is removed together with the packages. @param {string} root */
function stamp(root) {
  return join(root, "node_modules", ".built-packages");
}

/** A hash of the names and contents of all sources. It is the same in a copy of the clone. @param {string} root */
function sourcesOf(root) {
  const hash = createHash("sha256");
  const configuration = [".", "plugin", ...built].flatMap((folder) => configurationIn(root, folder));
  const sources = [...built.map((name) => join(name, "src")), join("scripts", "declarations")].flatMap((folder) =>
    filesUnder(root, folder),
  );
  for (const path of [...builders, ...configuration, ...sources]) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} root @param {string} folder */
function configurationIn(root, folder) {
  const names = readdirSync(join(root, folder)).filter((name) => /^(tsconfig.*|package)\.json$/.test(name));
  return names.sort().map((name) => join(folder, name));
}

/** @param {string} root @param {string} folder */
function filesUnder(root, folder) {
  const entries = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return entries
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => !/\.(test|fixture|cases)\.ts$/.test(path) && statSync(join(root, path)).isFile());
}
