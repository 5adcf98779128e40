import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { folderInCache, programName, sourcesOf } from "../../sdk/src/served/clusters/program.ts";
import { scratch } from "../../sdk/src/scratch.fixture.ts";
import { isOnPath, type Outcome, outcomeOf } from "../images/clients.ts";

/** Whether there is a kubectl on this machine. */
export const hasKubectl = isOnPath("kubectl");

/** Whether the control plane is in this machine's cache, so that none has to be built. */
export const isBuilt = existsSync(join(folderInCache(sourcesOf()), programName));

export const canBuild = isBuilt || isOnPath("go");

/** Somebody with a kubeconfig, and a kubectl whose caches are its own. */
export class Kubectl {
  readonly #home = scratch();

  constructor(kubeconfig: string) {
    this.use(kubeconfig);
  }

  /** From now on, takes another kubeconfig. */
  use(kubeconfig: string): void {
    writeFileSync(join(this.#home, "config"), kubeconfig, { mode: 0o600 });
  }

  /** Runs kubectl. Answers its exit code, and all that it has printed. */
  outcome(args: readonly string[], input?: string): Promise<Outcome> {
    return outcomeOf("kubectl", args, this.#env(), input);
  }

  /** What kubectl prints; an error if it fails. */
  async done(...args: string[]): Promise<string> {
    return this.#succeeded(args, await this.outcome(args));
  }

  async apply(...objects: readonly object[]): Promise<string> {
    const args = ["apply", "-f", "-"];
    return this.#succeeded(args, await this.outcome(args, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects })));
  }

  /** Whether the API server says that something may be done. */
  async can(...what: string[]): Promise<boolean> {
    const { output } = await this.outcome(["auth", "can-i", ...what]);
    // Of what has no namespace, a warning says so.
    return /^yes$/m.test(output);
  }

  /** Begins a watch. `heard` is all that it has printed; `ended` is resolved with its exit code. */
  watch(...args: string[]) {
    const child = spawn("kubectl", [...args, "--watch"], { env: this.#env(), stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part: string) => (text += part));
    return { heard: () => text, stop: () => child.kill(), ended: once(child, "exit").then(([code]: unknown[]) => code) };
  }

  #env(): NodeJS.ProcessEnv {
    return { ...process.env, HOME: this.#home, KUBECONFIG: join(this.#home, "config"), KUBECACHEDIR: join(this.#home, "cache") };
  }

  #succeeded(args: readonly string[], { code, output }: Outcome): string {
    if (code !== 0) throw new Error(`kubectl ${args.join(" ")} ended with code ${code}: ${output}`);
    return output;
  }
}
