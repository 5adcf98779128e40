import * as fs from "node:fs";
import { totalmem } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { taking } from "../command.js";
import { quietly } from "../processes.js";

/** @typedef {import("../processes.js").Environment} Environment */
/** @typedef {keyof typeof packages} Program */

/**
 * What is to be obtained.
 * @typedef {object} Order
 * @property {Environment} env
 * @property {string} target the folder to be
 * @property {readonly string[]} programs what has to be in its `bin`
 * @property {AbortSignal} signal
 */

/** The clone, and the environment once its npm packages are there. @typedef {{ root: string, installed: Promise<Environment> }} Clone */

const here = dirname(fileURLToPath(import.meta.url));
const suffix = process.platform === "win32" ? ".exe" : "";

/** What `buildEngine` says where there is no Go. */
export const noGo = "there is no Go on PATH";

const officialDownload = "https://get.pulumi.com/install.sh";

const sdkModule = "github.com/pulumi/pulumi/sdk/v3";

/** Pulumi's programs that can be built: the folder here with the go.mod that pins its module, and the package. */
const packages = {
  pulumi: ["pulumi", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"],
  replay: ["pulumi", "./replay"],
  "pulumi-language-nodejs": ["languages", `${sdkModule}/nodejs/cmd/pulumi-language-nodejs`],
  "pulumi-language-python": ["languages", `${sdkModule}/python/cmd/pulumi-language-python`],
  "pulumi-language-go": ["languages", `${sdkModule}/go/pulumi-language-go`],
  "pulumi-language-yaml": ["language-yaml", "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"],
  generate: ["language-yaml", "./generate"],
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

/** The version of a program: that of the module which its go.mod requires first. @param {Program} program */
export function versionOf(program) {
  const [folder = ""] = packages[program];
  return /^require \S+ v(.*)$/m.exec(fs.readFileSync(join(here, folder, "go.mod"), "utf8"))?.[1] ?? "";
}

/** Whether a folder has the programs that it should. @param {Pick<Order, "target" | "programs">} order */
export function isWhole({ target, programs }) {
  return programs.every((name) => fs.existsSync(join(target, "bin", name)));
}

/**
 * Downloads the official release, with Pulumi's own installer, which is one of the npm packages.
 * @param {Order} order
 * @param {Clone} clone
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
export async function downloadEngine(order, { installed }) {
  try {
    const { status } = await fetch(officialDownload, { method: "HEAD", signal: AbortSignal.timeout(5000) });
    if (status >= 400) return `official download: ${officialDownload} answers with status ${status}`;
  } catch (error) {
    return `official download: ${officialDownload} cannot be reached (${reasonOf(error)})`;
  }
  const options = { env: await installed, minutes: 5, signal: order.signal };
  const version = versionOf("pulumi");
  const doing = `downloading the Pulumi engine ${version}`;
  return obtain("official download", order, doing, "about a minute, once per machine", async (folder) => {
    const { code, output } = await quietly("node", [join(here, "download.js"), folder, version], options);
    return code === 0 ? undefined : output;
  });
}

/**
 * Builds the engine from its Go modules, pinned by the go.mod and go.sum files beside this one. Only its end needs the npm packages.
 * @param {Order} order
 * @param {Clone} clone
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
export function buildEngine(order, { root, installed }) {
  return fromSource(order, "the Pulumi engine", ["pulumi", "pulumi-language-nodejs"], async (folder) => {
    await installed;
    // The program that starts dynamic providers is in Pulumi's npm package.
    const name = `pulumi-resource-pulumi-nodejs${process.platform === "win32" ? ".cmd" : ""}`;
    const home = join(root, "node_modules", "@pulumi", "pulumi");
    const source = [home, join(home, "dist")].map((place) => join(place, name)).find(fs.existsSync);
    return source === undefined ? `the npm package @pulumi/pulumi has no ${name}` : takeScript(source, folder);
  });
}

/**
 * Builds a program that only some commands need, in the same way.
 * @param {Order} order @param {Program} program
 */
export function buildProgram(order, program) {
  return fromSource(order, `the program ${program}`, [program], async (folder) => {
    if (program !== "pulumi-language-python") return undefined;
    // The program that runs a program in Python is in Pulumi's Go module.
    const { code, output } = await go(order, "languages", ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", sdkModule]);
    return code === 0 ? takeScript(join(output.trim(), "python", "cmd", "pulumi-language-python-exec"), folder) : output;
  });
}

/** @param {string} source @param {string} folder */
function takeScript(source, folder) {
  const target = join(folder, "bin", basename(source));
  fs.copyFileSync(source, target);
  fs.chmodSync(target, 0o755);
  return undefined;
}

/**
 * @param {Order} order
 * @param {string} called
 * @param {readonly [Program, ...Program[]]} programs
 * @param {(folder: string) => string | undefined | Promise<string | undefined>} finish
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
async function fromSource(order, called, programs, finish) {
  const { code, output } = await quietly("go", ["version"], { env: order.env, signal: order.signal });
  if (code !== 0) return `build from source: ${noGo} (${output.trim()})`;
  const doing = `building ${called} ${versionOf(programs[0])} from source with Go`;
  return obtain("build from source", order, doing, "up to 4 minutes, once per machine", async (folder) => {
    fs.mkdirSync(join(folder, "bin"));
    for (const program of programs) {
      const fault = await compile(order, folder, program);
      if (fault !== undefined) return fault;
    }
    return finish(folder);
  });
}

/**
 * Builds a program, with Pulumi's own options. Programs that are built alike share what has been compiled.
 * @param {Order} order
 * @param {string} folder the program is in its `bin`, and while it is built, all that Go writes for the time being is in the folder
 * @param {Program} program
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
async function compile({ env, signal }, folder, program) {
  const [module = "", path = ""] = packages[program];
  const [tags, linked] = [
    ["osusergo", "grpcnotrace"],
    ["-s", "-w"],
  ];
  if (module === "pulumi") {
    // Google's storage has no need of its greatest dependencies.
    tags.push("disable_grpc_modules");
    linked.push("-X", `${sdkModule}/go/common/version.Version=v${versionOf(program)}`);
  }
  const output = ["-o", join(folder, "bin", program + suffix), path];
  const options = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-tags", tags.join(), "-ldflags", linked.join(" "), ...compilerFlags];
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
  fs.mkdirSync(dirname(target), { recursive: true });
  removeOldParts(target);
  const folder = fs.mkdtempSync(`${target}.partial-`);
  try {
    await taking(doing, takes, async () => {
      const fault = await fill(folder);
      if (fault !== undefined) throw new Error(fault.trim().split("\n").slice(-8).join("\n"));
      if (!isWhole({ target: folder, programs })) throw new Error("programs are missing in what it made");
      if (isWhole({ target, programs })) return;
      fs.rmSync(target, { recursive: true, force: true });
      fs.renameSync(folder, target);
    });
    return undefined;
  } catch (error) {
    return isWhole({ target, programs }) ? undefined : `${way}: ${reasonOf(error)}`;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes folders that killed processes left an hour ago or earlier. @param {string} target */
function removeOldParts(target) {
  for (const name of fs.readdirSync(dirname(target)).filter((each) => each.startsWith(`${basename(target)}.partial-`))) {
    const path = join(dirname(target), name);
    if (Date.now() - fs.statSync(path).mtimeMs > 3_600_000) fs.rmSync(path, { recursive: true, force: true });
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  const { cause, message } = /** @type {Error} */ (error);
  return cause instanceof Error && cause.message ? cause.message : message;
}
