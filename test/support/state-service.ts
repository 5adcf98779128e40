import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { builtProgram } from "../../scripts/engine.js";
import { ServerProcess } from "./server-process.ts";

const server = join(import.meta.dirname, "state-server.ts");
/** The server takes any. The engine hides it wherever it prints it. */
const accessToken = "pul-0123456789abcdef";

/**
 * Where a stack has its state: in a folder, or on an imitation of Pulumi Cloud, to which the engine sends journal entries. On `cloud`, an
 * export in the middle of an update shows the entries received so far, on `late cloud` the state before the update.
 */
const backends = ["files", "cloud", "late cloud"] as const;
export type Backend = (typeof backends)[number];

/** The backend of all stacks whose tests name none. */
export const testedBackend: Backend = backends.find((one) => one === process.env["TESTED_BACKEND"]) ?? "files";

const stored = z.looseObject({ updates: z.array(z.looseObject({ journaled: z.number(), expires: z.number() })) });

/** An imitation of Pulumi Cloud: a process with its files in a folder. */
export class StateService implements AsyncDisposable {
  readonly #args: readonly string[];
  readonly #folder: string;
  #process: ServerProcess;
  readonly url: string;

  private constructor(args: readonly string[], process: ServerProcess) {
    [this.#args, this.#process, this.url] = [args, process, process.address];
    [, this.#folder = ""] = args;
  }

  static async start(folder: string, backend: Exclude<Backend, "files"> = "cloud"): Promise<StateService> {
    const args = [server, folder, await builtProgram(process.env, "replay"), backend === "cloud" ? "journal" : "base"];
    return new StateService(args, await ServerProcess.start(args));
  }

  /** What an engine needs to use it. */
  get env(): { readonly PULUMI_BACKEND_URL: string; readonly PULUMI_ACCESS_TOKEN: string } {
    return { PULUMI_BACKEND_URL: this.url, PULUMI_ACCESS_TOKEN: accessToken };
  }

  /** Kills the server at once. */
  kill(): void {
    process.kill(this.#process.pid, "SIGKILL");
  }

  /** Starts the killed server again, at its address. */
  async restart(): Promise<void> {
    this.#process = await ServerProcess.start([...this.#args, new URL(this.url).port]);
  }

  async createStack(project: string, name: string): Promise<void> {
    await this.#call("POST", project, { stackName: name });
  }

  /** The deployment in the state of a stack. */
  async deployment(project: string, name: string): Promise<unknown> {
    return z.object({ deployment: z.unknown() }).parse(await this.#call("GET", `${project}/${name}/export`)).deployment;
  }

  /** How many journal entries the updates of a stack have sent. */
  journaled(project: string, name: string): number {
    return this.#stored(project, name).updates.reduce((sum, { journaled }) => sum + journaled, 0);
  }

  /** Ends the lease of an update that no longer sends anything: five minutes later, in short. */
  endLease(project: string, name: string): void {
    const { updates, ...others } = this.#stored(project, name);
    const stack = { ...others, updates: updates.map((update) => ({ ...update, expires: 0 })) };
    writeFileSync(this.#fileOf(project, name), JSON.stringify(stack));
  }

  #fileOf(project: string, name: string): string {
    return join(this.#folder, `${project}.${name}.json`);
  }

  #stored(project: string, name: string): z.output<typeof stored> {
    return stored.parse(JSON.parse(readFileSync(this.#fileOf(project, name), "utf8")));
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { authorization: `token ${accessToken}` };
    const response = await fetch(`${this.url}/api/stacks/acme/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }
}
