import "./node-version.js";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { buildPluginInto } from "./plugin.js";

// `node scripts/executable.js <folder> [<node> <os> <arch>]`: the plugin as one executable, with Node inside, in an archive as Pulumi looks
// for it, and the archive's checksum. Without a Node of another system, it is for this one.

const root = join(import.meta.dirname, "..");
const name = "pulumi-resource-container-platform";
/** What puts a file into an executable, by which Node's manual shows it. */
const injector = "postject@1.0.0-alpha.6";
/** By which Node finds that it has a program inside. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Pulumi's names of systems, by Node's. @type {Readonly<Record<string, string>>} */
const systems = { win32: "windows" };
/** @type {Readonly<Record<string, string>>} */
const machines = { x64: "amd64" };

const [folder, node = process.execPath, os = systems[process.platform] ?? process.platform, arch = machines[process.arch] ?? process.arch] =
  process.argv.slice(2);
if (folder === undefined) {
  console.error("node scripts/executable.js needs the folder into which the archive goes");
  process.exit(2);
}
const { version } = JSON.parse(readFileSync(join(root, "plugin", "package.json"), "utf8"));
const work = mkdtempSync(join(tmpdir(), "container-platform-executable-"));
try {
  const executable = await build(os === "windows" ? `${name}.exe` : name);
  const archive = `${name}-v${version}-${os}-${arch}.tar.gz`;
  mkdirSync(folder, { recursive: true });
  const path = resolve(folder, archive);
  // In its folder: one of the two that Windows has takes "C:" for the name of a machine.
  execFileSync("tar", ["-czf", archive, executable, "LICENSE", "LICENSES.txt"], { cwd: work });
  copyFileSync(join(work, archive), path);
  const checksum = createHash("sha256").update(readFileSync(path)).digest("hex");
  writeFileSync(`${path}.sha256`, `${checksum}  ${archive}\n`);
  console.log(path);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** @param {string} file its name */
async function build(file) {
  const [main, components, blob, config] = ["main.cjs", "components.cjs", "main.blob", "config.json"].map((each) => join(work, each));
  await buildPluginInto(root, { main, components });
  const files = Object.fromEntries(["package.json", "schema.json"].map((each) => [each, join(root, "plugin", each)]));
  const assets = { ...files, "components.cjs": components };
  // Code that one system's Node has compiled is not read by another's.
  writeFileSync(config, JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true, useCodeCache: false, assets }));
  execFileSync(process.execPath, ["--experimental-sea-config", config], { stdio: ["ignore", "ignore", "inherit"] });
  const executable = join(work, file);
  copyFileSync(node, executable);
  chmodSync(executable, 0o755);
  // A signed executable that is changed is started by nobody.
  if (os === "darwin") execFileSync("codesign", ["--remove-signature", executable]);
  const segment = os === "darwin" ? ["--macho-segment-name", "NODE_SEA"] : [];
  execFileSync("npx", ["--yes", injector, executable, "NODE_SEA_BLOB", blob, "--sentinel-fuse", fuse, ...segment], {
    cwd: work,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (os === "darwin") execFileSync("codesign", ["--sign", "-", executable]);
  copyFileSync(join(root, "LICENSE"), join(work, "LICENSE"));
  const licenses = [readFileSync(join(root, "plugin", "dist", "LICENSES.txt"), "utf8").trim(), `Node.js\n\n${licenseOfNode()}`];
  writeFileSync(join(work, "LICENSES.txt"), `${licenses.join("\n\n")}\n`);
  return file;
}

/** Node is a part of the executable: its license has to be included with copies of it. */
function licenseOfNode() {
  const place = dirname(node);
  // As Node is released for Windows and for others, and as npm's package `node` has it.
  const folders = [place, dirname(place), join(dirname(place), "node_modules", `node-${process.platform}-${process.arch}`)];
  const file = folders.map((each) => join(each, "LICENSE")).find((each) => existsSync(each));
  if (file === undefined) throw new Error(`the license of ${node} is not beside it: take Node as https://nodejs.org/en/download has it`);
  return readFileSync(file, "utf8").trim();
}
