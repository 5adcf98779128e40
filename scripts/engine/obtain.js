import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { taking } from "../command.js";
import { quietly } from "../processes.js";

/** @typedef {import("../processes.js").Environment} Environment */
/** @typedef {"yaml" | "python" | "go"} Language */

/**
 * What is to be obtained.
 * @typedef {object} Order
 * @property {Environment} env
 * @property {string} target the folder to be
 * @property {readonly string[]} programs what has to be in its `bin`
 * @property {AbortSignal} signal
 */

/** The clone, and the environment once its npm packages are there. @typedef {{ root: string, installed: Promise<Environment> }} Clone */

/**
 * A program to build.
 * @typedef {object} Program
 * @property {string} module the folder here that pins the Go module
 * @property {string} package
 * @property {readonly string[]} tags
 * @property {string} flags of the linker
 */

const here = dirname(fileURLToPath(import.meta.url));
const suffix = process.platform === "win32" ? ".exe" : "";

/** What `buildEngine` says where there is no Go. */
export const noGo = "there is no Go on PATH";

const officialDownload = "https://get.pulumi.com/install.sh";

// Pulumi's own build options. Programs that are built alike share what has been compiled.
const tags = ["osusergo", "grpcnotrace"];
const yamlModule = "github.com/pulumi/pulumi-yaml";
const sdkModule = "github.com/pulumi/pulumi/sdk/v3";

/** @param {string} path @returns {Program} */
const ofYaml = (path) => ({ module: "language-yaml", package: path, tags, flags: "-s -w" });
/** @param {string} path @param {string} version @returns {Program} */
const ofEngine = (path, version) => ({
  module: "pulumi",
  package: path,
  // Google's storage has no need of its greatest dependencies, which the last tag leaves out.
  tags: [...tags, "disable_grpc_modules"],
  flags: `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`,
});
/** @param {string} path @returns {Program} */
const ofSdk = (path) => ({ module: "languages", package: `${sdkModule}/${path}`, tags, flags: "-s -w" });

/** @type {Readonly<Record<Language, Program>>} */
const hosts = {
  yaml: ofYaml(`${yamlModule}/cmd/pulumi-language-yaml`),
  python: ofSdk("python/cmd/pulumi-language-python"),
  go: ofSdk("go/pulumi-language-go"),
};

/** What only commands for Pulumi's own service run, or the stores of other clouds: it may be slower. That halves the work of compiling it. */
const rarelyRun = [
  "github.com/pb33f",
  "github.com/aws",
  "github.com/Azure",
  "github.com/AzureAD",
  "github.com/GoogleCloudPlatform",
  "cloud.google.com",
  "google.golang.org/api",
  "github.com/google/go-tpm",
  "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/cloud",
];

/** The linker drops all that is written for debuggers, so that the compiler need not write it. */
const compilerFlags = ["all=-dwarf=false", ...rarelyRun.map((path) => `${path}/...=-dwarf=false -l`)].map((flags) => `-gcflags=${flags}`);

/** With less memory, in bytes, the compiler has to be thrifty. */
const ample = 6e9;

/** Whether a folder has the programs that it should. @param {Pick<Order, "target" | "programs">} order */
export function isWhole({ target, programs }) {
  return programs.every((name) => existsSync(join(target, "bin", name)));
}

/**
 * Downloads the official release, with Pulumi's own installer, which is one of the npm packages.
 * @param {Order} order
 * @param {string} version
 * @param {Clone} clone
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
export async function downloadEngine(order, version, { installed }) {
  try {
    const { status } = await fetch(officialDownload, { method: "HEAD", signal: AbortSignal.timeout(5000) });
    if (status >= 400) return `official download: ${officialDownload} answers with status ${status}`;
  } catch (error) {
    return `official download: ${officialDownload} cannot be reached (${reasonOf(error)})`;
  }
  const options = { env: await installed, minutes: 5, signal: order.signal };
  const doing = `downloading the Pulumi engine ${version}`;
  return obtain("official download", order, doing, "about a minute, once per machine", async (folder) => {
    const { code, output } = await quietly("node", [join(here, "download.js"), folder, version], options);
    return code === 0 ? undefined : output;
  });
}

/**
 * Builds the engine from its Go modules, pinned by the go.mod and go.sum files beside this one. Only its end needs the npm packages.
 * @param {Order} order
 * @param {string} version
 * @param {Clone} clone
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
export function buildEngine(order, version, { root, installed }) {
  const parts = [ofSdk("nodejs/cmd/pulumi-language-nodejs"), ofEngine("github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", version)];
  return fromSource(order, `Pulumi engine ${version}`, parts, async (folder) => {
    await installed;
    // The program that starts dynamic providers is in Pulumi's npm package.
    const name = `pulumi-resource-pulumi-nodejs${process.platform === "win32" ? ".cmd" : ""}`;
    const home = join(root, "node_modules", "@pulumi", "pulumi");
    const source = [home, join(home, "dist")].map((place) => join(place, name)).find(existsSync);
    return source === undefined ? `the npm package @pulumi/pulumi has no ${name}` : takeScript(source, folder);
  });
}

/**
 * Builds the host for programs in a language, in the same way.
 * @param {Order} order @param {string} version @param {Language} language
 */
export function buildHost(order, version, language) {
  return fromSource(order, `host for ${language} ${version} of Pulumi`, [hosts[language]], async (folder) => {
    if (language !== "python") return undefined;
    // The program that runs a program in Python is in Pulumi's Go module.
    const { code, output } = await go(order, "languages", ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", sdkModule]);
    return code === 0 ? takeScript(join(output.trim(), "python", "cmd", "pulumi-language-python-exec"), folder) : output;
  });
}

/**
 * Builds the generators of SDKs and programs, which Pulumi releases as a part of its language hosts.
 * @param {Order} order @param {string} version
 */
export function buildGenerators(order, version) {
  return fromSource(order, `generators ${version} of Pulumi`, [ofYaml("./generate")], () => undefined);
}

/**
 * Builds the program that turns the journal of an update into a state, with the engine's modules.
 * @param {Order} order @param {string} version
 */
export function buildReplay(order, version) {
  return fromSource(order, `replay of journals of Pulumi ${version}`, [ofEngine("./replay", version)], () => undefined);
}

/** @param {string} source @param {string} folder */
function takeScript(source, folder) {
  const target = join(folder, "bin", basename(source));
  copyFileSync(source, target);
  chmodSync(target, 0o755);
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
  const { code, output } = await quietly("go", ["version"], { env: order.env, signal: order.signal });
  if (code !== 0) return `build from source: ${noGo} (${output.trim()})`;
  const doing = `building the ${called} from source with Go`;
  return obtain("build from source", order, doing, "up to 4 minutes, once per machine", async (folder) => {
    mkdirSync(join(folder, "bin"));
    for (const program of parts) {
      const fault = await compile(order, folder, program);
      if (fault !== undefined) return fault;
    }
    return finish(folder);
  });
}

/**
 * Builds a program.
 * @param {Order} order
 * @param {string} folder the program is in its `bin`, and while it is built, all that Go writes for the time being is in the folder
 * @param {Program} program
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
async function compile({ env, signal }, folder, { module, package: path, tags: wanted, flags }) {
  const output = ["-o", join(folder, "bin", basename(path) + suffix), path];
  const options = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-tags", wanted.join(), "-ldflags", flags, ...compilerFlags];
  const outcome = await go({ env: { ...env, GOTMPDIR: folder }, signal }, module, ["build", ...options, ...output]);
  return outcome.code === 0 ? undefined : outcome.output;
}

/** @param {Pick<Order, "env" | "signal">} order @param {string} module @param {string[]} args */
function go({ env, signal }, module, args) {
  // The user's settings for other builds (another system, a workspace, a vendor folder) must not affect this one.
  const own = { GOWORK: "off", GOFLAGS: "", GOOS: "", GOARCH: "", CGO_ENABLED: "0", GO111MODULE: "on" };
  const memory = Math.min(totalmem(), process.constrainedMemory?.() || Infinity);
  // Collecting its garbage less often makes the compiler a quarter faster.
  const GOGC = env.GOGC || (memory < ample ? "" : "400");
  return quietly("go", args, { cwd: join(here, module), env: { ...env, ...own, GOGC }, minutes: 30, signal });
}

/**
 * Fills a folder beside the target, and then renames it. So an incomplete folder is never used. If two clones do this at the same time, the
 * slower one uses the result of the faster one.
 * @param {string} way
 * @param {Order} order
 * @param {string} doing
 * @param {string} takes
 * @param {(folder: string) => Promise<string | undefined>} fill
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
async function obtain(way, { target, programs }, doing, takes, fill) {
  mkdirSync(dirname(target), { recursive: true });
  removeOldParts(target);
  const folder = mkdtempSync(`${target}.partial-`);
  try {
    await taking(doing, takes, async () => {
      const fault = await fill(folder);
      if (fault !== undefined) throw new Error(fault.trim().split("\n").slice(-8).join("\n"));
      if (!isWhole({ target: folder, programs })) throw new Error("programs are missing in what it made");
      if (isWhole({ target, programs })) return;
      rmSync(target, { recursive: true, force: true });
      renameSync(folder, target);
    });
    return undefined;
  } catch (error) {
    return isWhole({ target, programs }) ? undefined : `${way}: ${reasonOf(error)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes folders that killed processes left an hour ago or earlier. @param {string} target */
function removeOldParts(target) {
  for (const name of readdirSync(dirname(target)).filter((each) => each.startsWith(`${basename(target)}.partial-`))) {
    const path = join(dirname(target), name);
    if (Date.now() - statSync(path).mtimeMs > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  const { cause, message } = /** @type {Error} */ (error);
  return cause instanceof Error && cause.message ? cause.message : message;
}
