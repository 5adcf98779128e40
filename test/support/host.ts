import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer, type Server } from "node:net";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import emptyMessages from "google-protobuf/google/protobuf/empty_pb.js";
import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import services from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import { identityOf } from "../../provider/src/runtime/tokens.ts";
import { ask } from "./asking.ts";
import { type Answers, type Asked, HostRequests, type Known } from "./host-requests.ts";
import { Provider } from "./provider.ts";
import { providerId } from "./simulated-state.ts";
import { testedShell } from "./shell.ts";
import { struct } from "./structs.ts";

/** A line that a provider has the engine show. */
export interface Line {
  readonly urn: string;
  readonly message: string;
  readonly severity: number;
  /** Only until the next one: a live status. */
  readonly ephemeral: boolean;
}

export const severities = { info: 1, warning: 2, error: 3 } as const;

interface HostOptions {
  /** The stack's configuration, with namespaces, as the engine passes it. */
  readonly config: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the process takes the time that it takes for people: with all that Pulumi loads. */
  readonly unhurried?: boolean;
}

interface Started {
  readonly child: ChildProcess;
  readonly port: string;
}

/** A provider that engines run, one after another: in a process of its own, or in that of the tests. */
export type Runs = Asked & Pick<Host, "saved" | "forget" | "lines" | "printed" | "restart" | "running" | "cancel"> & AsyncDisposable;

const repository = new URL("../..", import.meta.url).pathname;
const programs = {
  dynamic: createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider"),
  native: join(repository, "plugin", "pulumi-resource-container-platform"),
} as const;
const unusedModulesLate = join(import.meta.dirname, "unused-modules-late.cjs");

/** The real process of the tested shell: Pulumi's dynamic host, or the native plugin. This class takes the place of the engine that it talks to. */
export class Host extends Provider implements AsyncDisposable {
  /** What the provider had the engine show. */
  readonly lines: Line[];
  readonly printed: string[] = [];
  readonly #options: HostOptions;
  readonly #engine: grpc.Server;
  readonly #address: string;
  #process: ChildProcess | undefined;
  /** Who listens at the engine's address after it. */
  #successor: Server | undefined;
  #client: services.ResourceProviderClient | undefined;
  #requests: Asked | undefined;
  readonly #known = new Map<string, Known>();
  /** Has a program `pulumi` that prints the state. */
  readonly #folder = mkdtempSync(join(tmpdir(), "simulated-pulumi-"));

  private constructor(options: HostOptions, engine: grpc.Server, address: string, lines: Line[]) {
    super();
    this.#options = options;
    this.#engine = engine;
    this.#address = address;
    this.lines = lines;
    const command = join(this.#folder, "pulumi");
    const file = join(this.#folder, "state.json");
    writeFileSync(command, `#!/bin/sh\ncat ${file}\n`);
    chmodSync(command, 0o755);
    this.saved.changed = () => {
      writeFileSync(file, this.saved.exported);
    };
    this.saved.changed();
  }

  static async start(options: HostOptions): Promise<Host> {
    const lines: Line[] = [];
    const engine = new grpc.Server();
    engine.addService(engineServices.EngineService, {
      log: ({ request }: { request: LogRequest }, done: (error: null, reply: emptyMessages.Empty) => void) => {
        const line = { urn: request.getUrn(), message: request.getMessage(), severity: request.getSeverity() };
        lines.push({ ...line, urn: identityOf(line.urn), ephemeral: request.getEphemeral() });
        done(null, new emptyMessages.Empty());
      },
    });
    const port = await ask<number>((done) => {
      engine.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), done);
    });
    const host = new Host(options, engine, `127.0.0.1:${port}`, lines);
    await host.restart();
    return host;
  }

  /** Starts a new process, as each run of the engine does. */
  protected async begunAnew(by: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<void> {
    await this.#end(by);
    const { child, port } = await this.#started();
    this.#process = child;
    this.#client = new services.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    await ask<messages.ConfigureResponse>((done) => this.#connected.configure(configurationFor(this.#options.config), done));
    this.#requests = new HostRequests(answersOf(this.#connected), testedShell === "native", this.#known);
  }

  async #started(): Promise<Started> {
    // The given configuration alone counts: neither the person's nor the environment's. Node keeps what it has compiled, which saves a
    // third of the time that a start takes.
    const { unhurried = false } = this.#options;
    const compiled = unhurried ? {} : { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") };
    const path = [this.#folder, withoutEngine(process.env["PATH"] ?? "")].join(delimiter);
    const env = { PATH: path, HOME: "/nonexistent", ...compiled, ...this.#options.environment };
    const late = unhurried ? [] : ["--require", unusedModulesLate];
    const child = spawn(process.execPath, [...late, programs[testedShell], this.#address], {
      cwd: repository,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr.on("data", (text: Buffer) => this.printed.push(text.toString()));
    const output = createInterface({ input: child.stdout });
    const port = await new Promise<string>((resolve, reject) => {
      output.once("line", resolve);
      child.once("exit", () => {
        reject(new Error(`the host ended: ${this.printed.join("")}`));
      });
    });
    output.on("line", (line) => this.printed.push(line));
    return { child, port };
  }

  /** Goes on in a process that knows nothing: neither that it has refused a resource, nor anything else. */
  forget(_urn?: string): Promise<void> {
    return this.restart("SIGINT");
  }

  async ended(): Promise<void> {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) await once(this.#process, "exit");
  }

  /** The engine is gone, as after a SIGKILL: its connections are cut, and nobody listens at its address any more. */
  killEngine(): void {
    this.#engine.forceShutdown();
  }

  /** Another process listens at the engine's address. */
  async takeAddress(): Promise<void> {
    const [host = "", port] = this.#address.split(":");
    this.#successor = createServer().listen(Number(port), host);
    await once(this.#successor, "listening");
  }

  /** Control-C. */
  async cancel(): Promise<void> {
    await ask<emptyMessages.Empty>((done) => this.#connected.cancel(new emptyMessages.Empty(), done));
  }

  get #connected(): services.ResourceProviderClient {
    if (!this.#client) throw new Error("the host is not running");
    return this.#client;
  }

  protected asked<T>(ask: (one: Asked) => Promise<T>): Promise<T> {
    if (!this.#requests) throw new Error("the host is not running");
    return ask(this.#requests);
  }

  async #end(by: NodeJS.Signals): Promise<void> {
    this.#client?.close();
    const child = this.#process;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.removeAllListeners("exit");
    child.kill(by);
    await once(child, "exit");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end("SIGTERM");
    this.#engine.forceShutdown();
    this.#successor?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The stack's configuration, as the engine passes it: to a plugin without namespaces. */
function configurationFor(config: HostOptions["config"]): messages.ConfigureRequest {
  const request = new messages.ConfigureRequest().setAcceptsecrets(true);
  if (testedShell === "dynamic") return request.setArgs(struct(config));
  const settings = Object.entries(config).map(([key, value]) => [key.replace(/^.*:/, ""), value] as const);
  const { provider, ...own } = Object.fromEntries(settings);
  const name: unknown = provider === undefined ? "default" : Reflect.get(Object(JSON.parse(provider)), "name");
  return request.setId(providerId).setName(String(name)).setType("pulumi:providers:container-platform").setArgs(struct(own));
}

function answersOf(client: services.ResourceProviderClient): Answers {
  return {
    check: (request) => ask((done) => client.check(request, done)),
    diff: (request) => ask((done) => client.diff(request, done)),
    create: (request) => ask((done) => client.create(request, done)),
    read: (request) => ask((done) => client.read(request, done)),
    update: (request) => ask((done) => client.update(request, done)),
    delete: (request) => ask<emptyMessages.Empty>((done) => client.delete(request, done)),
  };
}

/** A search path on which the provider finds no other `pulumi`. */
function withoutEngine(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => !existsSync(join(folder, "pulumi")))
    .join(delimiter);
}
