import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

// How programs get into a package. There is one build, of ES modules, and in `dist/cjs` an entry point to it for `require`: a second build
// would have other classes, and state of its own. The declarations are in `dist/cjs`, too, and count as CommonJS there, as programs of
// both kinds can read these. The ES modules' declarations only pass them on, so that types are the same, however they are imported.

/**
 * @typedef {{ name: string, engines: { node: string }, exports: Record<string, string | { import: string, require: string }> }} Manifest
 */

/** The manifest of a package. @param {string} folder @returns {Manifest & Record<string, any>} */
export function manifestIn(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** The names of a package's entry points: the paths of their sources. @param {Manifest} manifest */
export function entryPointsOf({ exports }) {
  return Object.values(exports).flatMap((entryPoint) =>
    typeof entryPoint === "string" ? [] : [entryPoint.import.replace(/^\.\/dist\/|\.js$/g, "")],
  );
}

/** What an ES module begins with: the check is done before anything else is loaded. @param {string} file its path in `dist` */
export function nodeCheck(file) {
  return `import "${relative(file, "node-version.js")}";`;
}

/**
 * @param {string} dist @param {string[]} entryPoints @param {Manifest} manifest
 * @param {string[]} ownProcess entry points of processes of their own. In these, Node keeps compiled code from one process to the next
 */
export function writeEntryPoints(dist, entryPoints, manifest, ownProcess) {
  write(dist, "cjs/package.json", '{ "type": "commonjs" }\n');
  for (const file of ["node-version.js", "cjs/node-version.js"]) write(dist, file, checkOf(manifest));
  for (const entryPoint of entryPoints) {
    const [module, required] = [`${entryPoint}.js`, `cjs/${entryPoint}.js`];
    const check = relative(required, "cjs/node-version.js");
    const cache = ownProcess.includes(entryPoint) ? 'require("node:module").enableCompileCache();\n' : "";
    write(dist, required, `"use strict";\nrequire("${check}");\n${cache}module.exports = require("${relative(required, module)}");\n`);
    write(dist, `${entryPoint}.d.ts`, `export * from "${relative(module, required)}";\n`);
  }
}

/**
 * The check of the running Node, as text that is an ES module as well as CommonJS, in the language of old Nodes: nothing newer may be in it.
 * @param {Manifest} manifest
 */
export function checkOf({ name, engines }) {
  const oldest = engines.node.replace(/^>=/, "");
  const [major, minor] = oldest.split(".");
  // Where this was found out helps nobody: the error has no trace.
  return `"use strict";
var found = process.versions.node.split(".").map(Number);
if (found[0] < ${major} || (found[0] === ${major} && found[1] < ${minor})) {
  var error = new Error(
    "${name} needs Node ${oldest} or newer, and this is " + process.versions.node +
      ": get one at https://nodejs.org/en/download and run the command again (in a clone of the project, \`npm run up\` brings its own)"
  );
  error.stack = error.message;
  throw error;
}
`;
}

/** How one module names another one. @param {string} from @param {string} to paths in the same folder */
export function relative(from, to) {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

/** Writes a file of a build, in new folders where there are none. @param {string} dist @param {string} file @param {string} text */
export function write(dist, file, text) {
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  writeFileSync(join(dist, file), text);
}
