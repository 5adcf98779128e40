import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { number, object, string } from "@container-platform/sdk/zod";

const run = promisify(execFile);

/** Image clients that are built from their Go modules, once for each machine. */
const modules = {
  crane: "github.com/google/go-containerregistry/cmd/crane@v0.22.1",
  regctl: "github.com/regclient/regclient/cmd/regctl@v0.11.7",
  helm: "helm.sh/helm/v4/cmd/helm@v4.3.1",
} as const;

export type Client = keyof typeof modules | "skopeo";

export function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}

export async function clientFile(client: keyof typeof modules): Promise<string> {
  const module = modules[client];
  const folder = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "container-platform-pulumi", "image-clients");
  const file = join(folder, `${client}-${module.split("@")[1] ?? ""}-${process.platform}-${process.arch}`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(join(folder, "draft-"));
  try {
    await run("go", ["install", "-ldflags", "-s -w", module], { env: { ...process.env, GOBIN: draft, GOFLAGS: "", CGO_ENABLED: "0" } });
    renameSync(join(draft, client), file);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return file;
}

/** How a program ended that has failed. One that could not be started has no number as its code. */
const ended = object({ code: number(), stdout: string(), stderr: string() });

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a client, with its logins in a folder of their own. Answers its exit code, and all that it has printed. */
export function runClient(file: string, args: readonly string[], home: string, input?: string): Promise<Outcome> {
  const names = ["HOME", "DOCKER_CONFIG", ...["RUNTIME_DIR", "CONFIG_HOME", "CACHE_HOME", "DATA_HOME"].map((name) => `XDG_${name}`)];
  const places = Object.fromEntries(names.map((name) => [name, home]));
  return outcomeOf(file, args, { ...process.env, ...places, REGISTRY_AUTH_FILE: join(home, "auth.json") }, input);
}

/** Runs a program. Answers its exit code, and all that it has printed. Without an end of its input, it might ask for more. */
export async function outcomeOf(file: string, args: readonly string[], env: NodeJS.ProcessEnv, input = ""): Promise<Outcome> {
  const running = run(file, args, { env, timeout: 240_000 });
  running.child.stdin?.end(input);
  try {
    const { stdout, stderr } = await running;
    return { code: 0, output: (stdout + stderr).trim() };
  } catch (error) {
    const { code, stdout, stderr } = ended.parse(error);
    return { code, output: (stdout + stderr).trim() };
  }
}
