import { totalmem } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { endable } from "../together.js";

/** @typedef {import("../processes.js").Environment} Environment */

/**
 * A program to build.
 * @typedef {object} Program
 * @property {string} module the folder here that pins the Go module
 * @property {string} package
 * @property {readonly string[]} tags
 * @property {string} flags of the linker
 */

/** What `go` is run in. @typedef {{ env: Environment, signal: AbortSignal }} Surroundings */

const here = dirname(fileURLToPath(import.meta.url));
const suffix = process.platform === "win32" ? ".exe" : "";

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

/**
 * Builds a program.
 * @param {Surroundings} surroundings
 * @param {string} folder the program is in its `bin`, and while it is built, all that Go writes for the time being is in the folder
 * @param {Program} program
 * @returns {Promise<string | undefined>} what went wrong, if something did
 */
export async function compile({ env, signal }, folder, { module, package: path, tags, flags }) {
  const output = ["-o", join(folder, "bin", basename(path) + suffix), path];
  const options = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-tags", tags.join(), "-ldflags", flags, ...compilerFlags];
  const outcome = await go({ env: { ...env, GOTMPDIR: folder }, signal }, module, ["build", ...options, ...output]);
  return outcome.code === 0 ? undefined : outcome.output;
}

/**
 * The folder of a module that another pins.
 * @param {Surroundings} surroundings @param {string} module the folder here that pins it @param {string} path
 */
export async function folderOfModule(surroundings, module, path) {
  return go(surroundings, module, ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", path]);
}

/** @param {Surroundings} surroundings @param {string} module @param {string[]} args */
function go({ env, signal }, module, args) {
  // The user's settings for other builds (another system, a workspace, a vendor folder) must not affect this one.
  const own = { GOWORK: "off", GOFLAGS: "", GOOS: "", GOARCH: "", CGO_ENABLED: "0", GO111MODULE: "on" };
  const memory = Math.min(totalmem(), process.constrainedMemory?.() || Infinity);
  // Collecting its garbage less often makes the compiler a quarter faster.
  const GOGC = env.GOGC || (memory < ample ? "" : "400");
  return endable("go", args, { cwd: join(here, module), env: { ...env, ...own, GOGC }, minutes: 30, signal });
}
