import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { ConfigurationError } from "../../operation/errors.ts";
import { Lock } from "../../local/store/lock.ts";
import { digestOf, isWhole, programName } from "./cache.ts";
import type { Sources } from "./sources.ts";

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
export async function build(sources: Sources, folder: string, tell: (line: string) => void): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  for (let isTold = false; ; isTold = true) {
    using turn = Lock.take(`${folder}.lock`);
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
