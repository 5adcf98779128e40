import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  constants,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { jsonIn } from "../../formats/texts.ts";
import { ConfigurationError } from "../../operation/errors.ts";
import { lock } from "../folder.ts";

/** The sources of the program, in Go, which this package has. */
export interface Sources {
  readonly folder: string;
  /** The SHA-256 of all of them, in hexadecimal. */
  readonly digest: string;
  /** The version of Kubernetes that they are built with, such as `1.34.4`. */
  readonly kubernetes: string;
}

export function sourcesOf(): Sources {
  const folder = join(dirname(fileURLToPath(import.meta.resolve("@container-platform/sdk/package.json"))), "kubernetes-server");
  const hash = createHash("sha256");
  const names = readdirSync(folder).filter((name) => /\.go$|^go\.(mod|sum)$/.test(name));
  for (const name of names.sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update("\0");
  const kubernetes = /^\s*k8s\.io\/kubernetes v(\S+)$/m.exec(readFileSync(join(folder, "go.mod"), "utf8"))?.[1];
  if (kubernetes === undefined) throw new Error(`${folder} does not say its version of Kubernetes`);
  return { folder, digest: hash.digest("hex"), kubernetes };
}

export const programName = `container-platform-kubernetes${process.platform === "win32" ? ".exe" : ""}`;

/** Where the program of these sources is kept, for all that this machine's user does with it. */
export function folderInCache({ kubernetes, digest }: Sources): string {
  const usual = process.platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache");
  const name = `kubernetes-${kubernetes}-${digest.slice(0, 16)}-${process.platform}-${process.arch}`;
  return join(process.env["XDG_CACHE_HOME"] || usual, "container-platform", name);
}

/** Whether a folder has the program, as it was built. */
async function isWhole(folder: string): Promise<boolean> {
  const file = join(folder, programName);
  if (!existsSync(file)) return false;
  return readFileSync(join(folder, "sha256"), "utf8") === (await digestOf(file));
}

/** The SHA-256 of a file, in hexadecimal. */
async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest("hex");
}

const run = promisify(execFile);

/** What a build may take, in milliseconds: minutes on a quiet machine. */
const longest = 60 * 60_000;
/** Drafts of builds that were killed are removed after this time. */
const stale = 2 * 60 * 60_000;

/**
 * Builds the program into a folder, which then has the program and its digest, or nothing. If several processes want it, one builds.
 *
 * @throws ConfigurationError if there is no Go, or if it fails.
 */
async function build(sources: Sources, folder: string, tell: (line: string) => void): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  for (let isTold = false; ; isTold = true) {
    using turn = lock(`${folder}.lock`);
    if (turn) {
      // Another process may have built it while this one waited.
      if (isTold && (await isWhole(folder))) return;
      await buildInTurn(sources, folder, tell);
      return;
    }
    if (!isTold) tell("waiting for another process, which builds Kubernetes");
    await sleep(500);
  }
}

async function buildInTurn(sources: Sources, folder: string, tell: (line: string) => void): Promise<void> {
  await requireGo();
  tell(`building Kubernetes ${sources.kubernetes} from its Go modules (5 to 10 minutes, about 1 GB, once for each machine)`);
  removeStale(folder);
  const draft = mkdtempSync(`${folder}.draft-`);
  const begun = performance.now();
  const progress = setInterval(() => {
    tell(`still building Kubernetes, for ${Math.round((performance.now() - begun) / 60_000)} minutes now`);
  }, 60_000);
  try {
    const file = join(draft, programName);
    await compile(sources, file);
    writeFileSync(join(draft, "sha256"), await digestOf(file));
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    tell(`Kubernetes ${sources.kubernetes} is built: ${join(folder, programName)}`);
  } finally {
    clearInterval(progress);
    rmSync(draft, { recursive: true, force: true });
  }
}

async function requireGo(): Promise<void> {
  await run("go", ["version"]).catch(() => {
    throw new ConfigurationError(
      "serving clusters needs Kubernetes, which is built from its Go modules, and there is no Go on the PATH: " +
        `install Go 1.25 or newer (https://go.dev/doc/install), or put a ${programName} that was built elsewhere on the PATH`,
    );
  });
}

/** The linker writes the versions into the program: without them, Kubernetes calls itself v0.0.0. */
async function compile({ folder, digest, kubernetes }: Sources, file: string): Promise<void> {
  const stamps = {
    "main.sources": digest,
    "k8s.io/component-base/version.gitVersion": `v${kubernetes}`,
    "k8s.io/component-base/version.gitMajor": kubernetes.split(".")[0],
    "k8s.io/component-base/version.gitMinor": kubernetes.split(".")[1],
    "k8s.io/component-base/version.gitTreeState": "clean",
    "k8s.io/client-go/pkg/version.gitVersion": `v${kubernetes}`,
  };
  const flags = ["-s", "-w", ...Object.entries(stamps).map(([name, value]) => `-X ${name}=${value}`)].join(" ");
  // Settings of the user for other builds (another system, a workspace, a vendor folder) are not for this one.
  const env = { ...process.env, GOWORK: "off", GOFLAGS: "", GOOS: "", GOARCH: "", CGO_ENABLED: "0", GO111MODULE: "on" };
  const args = ["build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-tags", "providerless,grpcnotrace,osusergo,netgo"];
  await run("go", [...args, "-ldflags", flags, "-o", file, "."], { cwd: folder, env, timeout: longest }).catch((error: unknown) => {
    const output: unknown = error instanceof Error ? Reflect.get(error, "stderr") : undefined;
    const lines = String(output || error)
      .trim()
      .split("\n")
      .slice(-8)
      .join("\n");
    throw new ConfigurationError(`Kubernetes cannot be built: ${lines}`);
  });
}

function removeStale(folder: string): void {
  for (const name of readdirSync(dirname(folder)).filter((one) => one.startsWith(`${basename(folder)}.draft-`))) {
    const path = join(dirname(folder), name);
    if (Date.now() - statSync(path).mtimeMs > stale) rmSync(path, { recursive: true, force: true });
  }
}

/** The program that runs control planes. */
export interface Program {
  readonly file: string;
  /** The version of its Kubernetes, such as `1.34.4`. */
  readonly kubernetes: string;
}

const told = z.object({ kubernetes: z.string(), sources: z.string() });

/**
 * The program: the given one, else that of the PATH, else the one in this machine's cache, which is built if it is not there.
 *
 * @param tell is called with what takes long
 * @throws ConfigurationError that says what to install.
 */
export async function kubernetesProgram(given: string | undefined, tell: (line: string) => void): Promise<Program> {
  if (process.platform === "win32")
    throw new ConfigurationError("clusters are served on Linux and macOS; on Windows, use the Windows Subsystem for Linux");
  const installed = given ?? onPath();
  if (installed !== undefined) return checked(installed);
  const sources = sourcesOf();
  const folder = folderInCache(sources);
  if (!(await isWhole(folder))) await build(sources, folder, tell);
  return { file: join(folder, programName), kubernetes: sources.kubernetes };
}

function onPath(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, programName)).find(existsSync);
}

/** A program that somebody has put there. */
async function checked(file: string): Promise<Program> {
  const refuse = (reason: string) => new ConfigurationError(`${file} is no ${programName}: ${reason}`);
  if (!existsSync(file)) throw refuse("there is no such file");
  await access(file, constants.X_OK).catch(() => {
    throw refuse("it cannot be executed");
  });
  const { stdout } = await run(file, ["version"], { timeout: 30_000 }).catch((error: unknown) => {
    throw refuse(`it does not tell its version (${error instanceof Error ? error.message : String(error)})`);
  });
  const answer = told.safeParse(jsonIn(stdout));
  if (!answer.success) throw refuse(`its version is ${JSON.stringify(stdout.slice(0, 100))}`);
  return { file, kubernetes: answer.data.kubernetes };
}
