import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { taking } from "../steps.js";
import { endable } from "../together.js";
import { compile, folderOfModule } from "./go.js";

/**
 * @typedef {object} Order
 * @property {string} root the clone
 * @property {import("../processes.js").Environment} env
 * @property {string} version
 * @property {string} target the folder to be; its programs are in `bin`
 * @property {(folder: string) => boolean} isWhole
 * @property {AbortSignal} signal
 */

/** @typedef {Order & { installed: Promise<import("../processes.js").Environment> }} EngineOrder `installed`: once the npm packages are */

const here = dirname(fileURLToPath(import.meta.url));

/** What `buildEngine` says where there is no Go. */
export const noGo = "there is no Go on PATH";

const officialDownload = "https://get.pulumi.com/install.sh";

/**
 * Downloads the official release, with Pulumi's own installer, which is one of the npm packages.
 * @param {EngineOrder} order
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
export async function downloadEngine(order) {
  try {
    const { status } = await fetch(officialDownload, { method: "HEAD", signal: AbortSignal.timeout(5000) });
    if (status >= 400) return `official download: ${officialDownload} answers with status ${status}`;
  } catch (error) {
    return `official download: ${officialDownload} cannot be reached (${reasonOf(error)})`;
  }
  const env = await order.installed;
  const called = `Pulumi engine ${order.version}`;
  const step = { doing: `downloading the ${called}`, takes: "about a minute, once per machine", done: `${called} downloaded` };
  return obtain("official download", order, step, async (folder) => {
    const options = { env, minutes: 5, signal: order.signal };
    const { code, output } = await endable("node", [join(here, "download.js"), folder, order.version], options);
    return code === 0 ? undefined : output;
  });
}

/**
 * Builds the engine from its Go modules, pinned by the go.mod and go.sum files beside this one. Only its end needs the npm packages.
 * @param {EngineOrder} order
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
export function buildEngine(order) {
  return fromSource(order, `Pulumi engine ${order.version}`, programs(order.version), async (folder) => {
    await order.installed;
    return takeProviderScript(order, folder);
  });
}

/**
 * Builds the host for programs in a language, in the same way.
 * @param {Order} order
 * @param {Language} language
 */
export function buildHost(order, language) {
  const { finish = () => undefined, ...program } = hosts[language];
  return fromSource(order, `host for ${language} ${order.version} of Pulumi`, [program], (folder) => finish(order, folder));
}

/**
 * Builds the generators of SDKs and programs, which Pulumi releases as a part of its language hosts.
 * @param {Order} order
 */
export function buildGenerators(order) {
  return fromSource(order, `generators ${order.version} of Pulumi`, [ofYaml("./generate")], () => undefined);
}

/** @typedef {"yaml" | "python" | "go"} Language */
/** @typedef {import("./go.js").Program} Program */

// Pulumi's own build options. Programs that are built alike share what has been compiled.
const tags = ["osusergo", "grpcnotrace"];

/** @param {string} path @returns {Program} */
const ofYaml = (path) => ({ module: "language-yaml", package: path, tags, flags: "-s -w" });
/** @param {string} path @returns {Program} */
const ofSdk = (path) => ({ module: "languages", package: `${sdkModule}/${path}`, tags, flags: "-s -w" });

const yamlModule = "github.com/pulumi/pulumi-yaml";
const sdkModule = "github.com/pulumi/pulumi/sdk/v3";

/** @type {Readonly<Record<Language, Program & { finish?: (order: Order, folder: string) => Promise<string | undefined> }>>} */
const hosts = {
  yaml: ofYaml(`${yamlModule}/cmd/pulumi-language-yaml`),
  python: { ...ofSdk("python/cmd/pulumi-language-python"), finish: takePythonScript },
  go: ofSdk("go/pulumi-language-go"),
};

/** Copies the program that runs a program in Python from Pulumi's Go module. @param {Order} order @param {string} folder */
async function takePythonScript(order, folder) {
  const { code, output } = await folderOfModule(order, "languages", sdkModule);
  if (code !== 0) return output;
  const name = "pulumi-language-python-exec";
  copyFileSync(join(output.trim(), "python", "cmd", name), join(folder, "bin", name));
  chmodSync(join(folder, "bin", name), 0o755);
  return undefined;
}

/**
 * @param {Order} order
 * @param {string} called
 * @param {readonly Program[]} parts
 * @param {(folder: string) => string | undefined | Promise<string | undefined>} finish
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
async function fromSource(order, called, parts, finish) {
  const { code, output } = await endable("go", ["version"], { env: order.env, signal: order.signal });
  if (code !== 0) return `build from source: ${noGo} (${output.trim()})`;
  const step = { doing: `building the ${called} from source with Go`, takes: "up to 4 minutes, once per machine", done: `${called} built` };
  return obtain("build from source", order, step, async (folder) => {
    mkdirSync(join(folder, "bin"));
    for (const program of parts) {
      const fault = await compile(order, folder, program);
      if (fault !== undefined) return fault;
    }
    return finish(folder);
  });
}

/**
 * The programs of the engine.
 * @param {string} version
 * @returns {readonly Program[]}
 */
function programs(version) {
  const stamp = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  // Google's storage has no need of its greatest dependencies, which the tag of its own leaves out.
  const without = [...tags, "disable_grpc_modules"];
  return [
    ofSdk("nodejs/cmd/pulumi-language-nodejs"),
    { module: "pulumi", package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", tags: without, flags: `-s -w ${stamp}` },
  ];
}

/** Copies the program that starts dynamic providers from Pulumi's npm package. @param {Order} order @param {string} folder */
function takeProviderScript(order, folder) {
  const name = `pulumi-resource-pulumi-nodejs${process.platform === "win32" ? ".cmd" : ""}`;
  const home = join(order.root, "node_modules", "@pulumi", "pulumi");
  const source = [home, join(home, "dist")].map((place) => join(place, name)).find(existsSync);
  if (source === undefined) return `the npm package @pulumi/pulumi has no ${name}`;
  copyFileSync(source, join(folder, "bin", name));
  chmodSync(join(folder, "bin", name), 0o755);
  return undefined;
}

/**
 * Fills a folder beside the target, and then renames it. So an incomplete folder is never used. If two clones do this at the same time, the
 * slower one uses the result of the faster one.
 * @param {string} way
 * @param {Order} order
 * @param {import("../steps.js").Step} step
 * @param {(folder: string) => Promise<string | undefined>} fill
 * @returns {Promise<string | undefined>}
 */
async function obtain(way, { target, isWhole }, step, fill) {
  mkdirSync(dirname(target), { recursive: true });
  removeLeftOvers(target);
  const folder = mkdtempSync(`${target}.partial-`);
  try {
    await taking(step, async () => {
      const fault = await fill(folder);
      if (fault !== undefined) throw new Error(lastLines(fault));
      if (!isWhole(folder)) throw new Error("programs are missing in what it made");
      if (isWhole(target)) return;
      rmSync(target, { recursive: true, force: true });
      renameSync(folder, target);
    });
    return undefined;
  } catch (error) {
    return isWhole(target) ? undefined : `${way}: ${reasonOf(error)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes folders that killed processes left behind an hour ago or earlier. @param {string} target */
function removeLeftOvers(target) {
  for (const name of readdirSync(dirname(target)).filter((name) => name.startsWith(`${basename(target)}.partial-`))) {
    const path = join(dirname(target), name);
    if (Date.now() - statSync(path).mtimeMs > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}

/** @param {string} text */
function lastLines(text) {
  return text.trim().split("\n").slice(-8).join("\n");
}

/** @param {unknown} error */
function reasonOf(error) {
  const { cause, message } = /** @type {Error} */ (error);
  return cause instanceof Error && cause.message ? cause.message : message;
}
