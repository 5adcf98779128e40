import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer, type Server } from "node:net";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import emptyMessages from "google-protobuf/google/protobuf/empty_pb.js";
import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import services from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import { Refusals } from "./refusals.ts";
import { type Props, propsOf, struct } from "./structs.ts";

/** A line that a provider has the engine show. */
export interface Line {
  readonly urn: string;
  readonly message: string;
  readonly severity: number;
  /** Only until the next one: a live status. */
  readonly ephemeral: boolean;
}

export const severities = { info: 1, warning: 2, error: 3 } as const;

/** The failure of a resource that exists, but is not as desired. The engine saves it in the state all the same. */
export class InitFailed extends Error {
  readonly id: string;
  readonly properties: Props;
  readonly reasons: readonly string[];

  constructor(message: string, detail: messages.ErrorResourceInitFailed) {
    super(message);
    this.id = detail.getId();
    this.properties = propsOf(detail.getProperties());
    this.reasons = detail.getReasonsList();
  }
}

interface Checked {
  readonly inputs: Props;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

interface Difference {
  readonly changes: "unknown" | "none" | "some";
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

const changes = ["unknown", "none", "some"] as const;

interface HostOptions {
  /** The stack's configuration, with namespaces, as the engine passes it. */
  readonly config: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the next process is started while one is at work, for tests with many runs. It is configured only when its turn comes. */
  readonly keepsSpare?: boolean;
}

interface Started {
  readonly child: ChildProcess;
  readonly port: string;
}

/** What the engine asks of a provider during a run. */
export type Asked = Pick<Host, "check" | "diff" | "create" | "read" | "update" | "delete" | "forget">;

/** A provider that engines run, one after another: in a process of its own, or in that of the tests. */
export type Runs = Asked & Pick<Host, "lines" | "printed" | "restart" | "running" | "cancel"> & AsyncDisposable;

const repository = new URL("../..", import.meta.url).pathname;
const program = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider");
const unusedModulesLate = join(import.meta.dirname, "unused-modules-late.cjs");

/** The real process of Pulumi's dynamic host. This class takes the place of the engine that it talks to. */
export class Host implements AsyncDisposable {
  /** What the provider had the engine show. */
  readonly lines: Line[];
  /** What the process printed. */
  readonly printed: string[] = [];
  readonly #options: HostOptions;
  readonly #engine: grpc.Server;
  readonly #address: string;
  #process: ChildProcess | undefined;
  #spare: Promise<Started> | undefined;
  /** Who listens at the engine's address after it. */
  #successor: Server | undefined;
  #client: services.ResourceProviderClient | undefined;
  readonly #refusals = new Refusals();

  private constructor(options: HostOptions, engine: grpc.Server, address: string, lines: Line[]) {
    this.#options = options;
    this.#engine = engine;
    this.#address = address;
    this.lines = lines;
  }

  static async start(options: HostOptions): Promise<Host> {
    const lines: Line[] = [];
    const engine = new grpc.Server();
    engine.addService(engineServices.EngineService, {
      log: ({ request }: { request: LogRequest }, done: (error: null, reply: emptyMessages.Empty) => void) => {
        const line = { urn: request.getUrn(), message: request.getMessage(), severity: request.getSeverity() };
        lines.push({ ...line, ephemeral: request.getEphemeral() });
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

  /** Starts a new process, as each run of the engine does: it remembers nothing. With `SIGINT` the engine ends the one before, once all is saved. */
  async restart(by: "SIGINT" | "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    await this.#end(by);
    this.#refusals.forget();
    const { child, port } = await (this.#spare ?? this.#started());
    this.#process = child;
    if (this.#options.keepsSpare) {
      this.#spare = this.#started();
      // Whoever needs it sees the failure.
      this.#spare.catch(() => undefined);
    }
    this.#client = new services.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    const request = new messages.ConfigureRequest().setArgs(struct(this.#options.config)).setAcceptsecrets(true);
    await ask<messages.ConfigureResponse>((done) => this.#connected.configure(request, done));
  }

  async #started(): Promise<Started> {
    // The given configuration alone counts: neither the person's nor the environment's. Node keeps what it has compiled, which saves a
    // third of the time that a start takes.
    const compiled = { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") };
    const env = { PATH: withoutEngine(process.env["PATH"] ?? ""), HOME: "/nonexistent", ...compiled, ...this.#options.environment };
    const child = spawn(process.execPath, ["--require", unusedModulesLate, program, this.#address], {
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

  async check(olds: Props, news: Props): Promise<Checked> {
    const request = new messages.CheckRequest().setOlds(struct(olds)).setNews(struct(news));
    const reply = await ask<messages.CheckResponse>((done) => this.#connected.check(request, done));
    const failures = reply.getFailuresList().map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
    if (failures.length > 0) this.#refusals.note();
    return { inputs: propsOf(reply.getInputs()), failures };
  }

  /** Goes on in a process that knows nothing: neither that it has refused a resource, nor anything else. */
  forget(_urn?: string): Promise<void> {
    return this.restart("SIGINT");
  }

  /** Does what a run of the engine does. */
  running(work: () => Promise<unknown>): Promise<void> {
    return this.#refusals.running(() => this.restart("SIGINT"), work);
  }

  async diff(id: string, olds: Props, news: Props): Promise<Difference> {
    const request = new messages.DiffRequest().setId(id).setOlds(struct(olds)).setNews(struct(news));
    const reply = await this.#refusals.among(ask<messages.DiffResponse>((done) => this.#connected.diff(request, done)));
    return {
      changes: changes[reply.getChanges()],
      replaces: reply.getReplacesList(),
      deleteBeforeReplace: reply.getDeletebeforereplace(),
    };
  }

  async create(properties: Props): Promise<{ readonly id: string; readonly outputs: Props }> {
    const request = new messages.CreateRequest().setProperties(struct(properties));
    const reply = await ask<messages.CreateResponse>((done) => this.#connected.create(request, done));
    return { id: reply.getId(), outputs: propsOf(reply.getProperties()) };
  }

  /** An empty id means that the resource is gone. */
  async read(id: string, properties: Props): Promise<{ readonly id: string; readonly inputs: Props; readonly outputs: Props }> {
    const request = new messages.ReadRequest().setId(id).setProperties(struct(properties));
    const reply = await ask<messages.ReadResponse>((done) => this.#connected.read(request, done));
    return { id: reply.getId(), inputs: propsOf(reply.getInputs()), outputs: propsOf(reply.getProperties()) };
  }

  async update(id: string, olds: Props, news: Props): Promise<{ readonly outputs: Props }> {
    const request = new messages.UpdateRequest().setId(id).setOlds(struct(olds)).setNews(struct(news));
    const reply = await ask<messages.UpdateResponse>((done) => this.#connected.update(request, done));
    return { outputs: propsOf(reply.getProperties()) };
  }

  async delete(id: string, properties: Props): Promise<void> {
    const request = new messages.DeleteRequest().setId(id).setProperties(struct(properties));
    await ask<emptyMessages.Empty>((done) => this.#connected.delete(request, done));
  }

  /** Resolves when the process has ended. */
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
    (await this.#spare)?.child.kill();
    this.#engine.forceShutdown();
    this.#successor?.close();
  }
}

/** Makes one call, which is answered through a callback. A failure after the resource was made is an `InitFailed`. */
function ask<Reply>(start: (done: (error: Error | null, reply?: Reply) => void) => unknown): Promise<Reply> {
  return new Promise((resolve, reject) => {
    start((error, reply) => {
      if (error) reject(explained(error));
      else if (reply === undefined) reject(new Error("there was no answer"));
      else resolve(reply);
    });
  });
}

function explained(error: Error): Error {
  if (!("metadata" in error) || !(error.metadata instanceof grpc.Metadata)) return error;
  const message = "details" in error && typeof error.details === "string" ? error.details : error.message;
  const [packed] = error.metadata.get("grpc-status-details-bin");
  if (!(packed instanceof Buffer)) return new Error(message);
  const [any] = statusMessages.Status.deserializeBinary(packed).getDetailsList();
  const detail = any?.unpack((bytes) => messages.ErrorResourceInitFailed.deserializeBinary(bytes), "pulumirpc.ErrorResourceInitFailed");
  return detail ? new InitFailed(message, detail) : new Error(message);
}

/** A search path on which the provider finds no `pulumi`: it would ask for a stack that does not exist, and wait half a second for each no. */
function withoutEngine(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => !existsSync(join(folder, "pulumi")))
    .join(delimiter);
}
