import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { progress } from "../command.js";
import { quietly } from "../processes.js";

/**
 * @typedef {object} Order
 * @property {string} root the clone
 * @property {import("../processes.js").Environment} env
 * @property {string} version
 * @property {string} target the folder to be; its programs are in `bin`
 * @property {(folder: string) => boolean} isWhole
 */

const here = dirname(fileURLToPath(import.meta.url));
const suffix = process.platform === "win32" ? ".exe" : "";

const officialDownload = "https://get.pulumi.com/install.sh";

/**
 * Downloads the official release.
 * @param {Order} order
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
export async function downloadEngine(order) {
  try {
    const { status } = await fetch(officialDownload, { method: "HEAD", signal: AbortSignal.timeout(5000) });
    if (status >= 400) return `official download: ${officialDownload} answers with status ${status}`;
  } catch (error) {
    return `official download: ${officialDownload} cannot be reached (${reasonOf(error)})`;
  }
  progress(`downloading the Pulumi engine ${order.version} (about a minute, once per machine)`);
  return obtain("official download", order, async (folder) => {
    const { code, output } = await quietly("node", [join(here, "download.js"), folder, order.version], { env: order.env, minutes: 5 });
    return code === 0 ? undefined : output;
  });
}

/**
 * Builds the engine from its Go modules, pinned by the go.mod and go.sum files beside this one.
 * @param {Order} order
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
export function buildEngine(order) {
  const called = `the Pulumi engine ${order.version}`;
  return fromSource(order, called, programs(order.version), (folder) => takeProviderScript(order, folder));
}

/**
 * Builds the host for programs in a language, in the same way.
 * @param {Order} order
 * @param {Language} language
 */
export function buildHost(order, language) {
  const { finish = () => undefined, ...program } = hosts[language];
  return fromSource(order, `Pulumi's host for ${language} ${order.version}`, [program], (folder) => finish(order, folder));
}

/**
 * Builds the generators of SDKs and programs, which Pulumi releases as a part of its language hosts.
 * @param {Order} order
 */
export function buildGenerators(order) {
  return fromSource(order, `Pulumi's generators ${order.version}`, [ofYaml("./generate")], () => undefined);
}

/** @typedef {"yaml" | "python" | "go"} Language */

/** @param {string} path @returns {Program} */
const ofYaml = (path) => ({ module: "language-yaml", package: path, tags: "osusergo,grpcnotrace", flags: "-s -w" });
/** @param {string} path @returns {Program} */
const ofSdk = (path) => ({ module: "languages", package: `${sdkModule}/${path}`, tags: "osusergo", flags: "-s -w" });

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
  const { code, output } = await quietly("go", ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", sdkModule], {
    cwd: join(here, "languages"),
    env: { ...order.env, GOWORK: "off", GOFLAGS: "" },
  });
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
 */
async function fromSource(order, called, parts, finish) {
  const { code, output } = await quietly("go", ["version"], { env: order.env });
  if (code !== 0) return `build from source: there is no Go on PATH (${output.trim()})`;
  progress(`building ${called} from source with Go (3 to 5 minutes, once per machine)`);
  return obtain("build from source", order, async (folder) => {
    mkdirSync(join(folder, "bin"));
    for (const program of parts) {
      const fault = await build(order, folder, program);
      if (fault !== undefined) return fault;
    }
    return finish(folder);
  });
}

/**
 * A program to build.
 * @typedef {object} Program
 * @property {string} module the folder here that pins the Go module
 * @property {string} package
 * @property {string} tags
 * @property {string} flags
 */

/**
 * The programs of the engine, with Pulumi's own build options.
 * @param {string} version
 * @returns {readonly Program[]}
 */
function programs(version) {
  const stamp = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  return [
    ofSdk("nodejs/cmd/pulumi-language-nodejs"),
    { module: "pulumi", package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", tags: "osusergo,grpcnotrace", flags: `-s -w ${stamp}` },
  ];
}

/**
 * @param {Order} order
 * @param {string} folder
 * @param {Program} program
 */
async function build(order, folder, { module, package: path, tags, flags }) {
  // The user's settings for other builds (another system, a workspace, a vendor folder) must not affect this one.
  const env = { ...order.env, GOWORK: "off", GOFLAGS: "", GOOS: "", GOARCH: "", CGO_ENABLED: "0", GO111MODULE: "on" };
  const output = ["-o", join(folder, "bin", basename(path) + suffix), path];
  const args = ["build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-tags", tags, "-ldflags", flags, ...output];
  const outcome = await quietly("go", args, { cwd: join(here, module), env, minutes: 30 });
  return outcome.code === 0 ? undefined : outcome.output;
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
 * @param {(folder: string) => Promise<string | undefined>} fill
 * @returns {Promise<string | undefined>}
 */
async function obtain(way, { target, isWhole }, fill) {
  mkdirSync(dirname(target), { recursive: true });
  removeLeftOvers(target);
  const folder = mkdtempSync(`${target}.partial-`);
  try {
    const fault = await fill(folder);
    if (fault !== undefined) return `${way}: ${lastLines(fault)}`;
    if (!isWhole(folder)) return `${way}: programs are missing in what it made`;
    if (isWhole(target)) return undefined;
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
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
