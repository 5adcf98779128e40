import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Credentials, CredentialSource } from "../config/credential-source.ts";
import { jsonIn } from "../formats/texts.ts";
import { isList, isObject, type Json, type JsonObject } from "../operation/codec.ts";
import { type ErrorKind, PlatformError, reasonOf } from "../operation/errors.ts";
import { kindOfFault } from "./network-faults.ts";
import type { Identity, Reply, Request, Transport } from "./transport.ts";

export type Ending =
  | { readonly how: "exited"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly how: "killed"; readonly by: string }
  /** It was ended because it took too long, or printed too much. */
  | { readonly how: "late" | "endless" }
  | { readonly how: "unstarted"; readonly error: Error };

/** Characters that a program may print. */
const most = 64 * 1024 * 1024;
/** Milliseconds between SIGTERM and SIGKILL. */
const grace = 2000;
/** Milliseconds that are left for output after a program has ended: a program that it started may keep the pipes open. */
const lastWords = 1000;

const running = new Set<ChildProcess>();
let watched = false;

/**
 * Runs a program, without a shell in between. The program is ended when it takes too long, when the signal aborts, and when this
 * process ends.
 *
 * @param timeout milliseconds that it may take
 * @throws the signal's reason, if that ended the program
 */
async function run(
  program: string,
  args: readonly string[],
  surroundings: Pick<SpawnOptions, "cwd" | "env">,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Ending> {
  signal?.throwIfAborted();
  const child = spawn(program, args, { ...surroundings, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  look(child);
  const stop = new AbortController();
  const over = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  try {
    return await Promise.race([endingOf(child), sleep(timeout, { how: "late" } as const, { signal: over })]);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    stop.abort();
    end(child);
  }
}

function endingOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    const printed = { stdout: "", stderr: "" };
    // If there are no file descriptors left, the child has no outputs.
    for (const name of ["stdout", "stderr"] as const)
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        printed[name] += text;
        if (printed[name].length > most) resolve({ how: "endless" });
      });
    const ended = (code: number | null, by: string | null) => {
      resolve(code === null ? { how: "killed", by: by ?? "a signal" } : { how: "exited", code, ...printed });
    };
    child.once("error", (error) => {
      resolve({ how: "unstarted", error });
    });
    child.once("exit", (code, by) => {
      const timer = setTimeout(() => {
        ended(code, by);
      }, lastWords);
      child.once("close", () => {
        clearTimeout(timer);
        ended(code, by);
      });
    });
  });
}

/** No program outlives this process. */
function look(child: ChildProcess): void {
  if (!watched)
    process.once("exit", () => {
      for (const each of running) each.kill("SIGKILL");
    });
  watched = true;
  running.add(child);
  const forget = () => void running.delete(child);
  child.once("exit", forget).once("error", forget);
}

function end(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (!running.has(child)) return;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), grace);
  child.once("exit", () => {
    clearTimeout(timer);
  });
}

interface Complaint {
  readonly code: string;
  readonly reason: string;
  readonly kind?: ErrorKind | undefined;
  readonly requestId?: string;
}

/** Exit codes of the command-line clients of this family: the command line is wrong, or the configuration is. */
const usage = 252;
const configuration = 253;

/**
 * The answer of a client, from how it ended and what it printed.
 *
 * @param name the client's name, for people
 * @throws PlatformError for a refusal, and for anything else that is no answer
 */
function answerIn(ending: Ending, name: string, { product, action, body }: Request): JsonObject {
  const parsed = ending.how === "exited" && ending.code === 0 ? jsonIn(ending.stdout) : undefined;
  if (isObject(parsed)) return withoutNulls(parsed);
  const { code, reason, kind, requestId = "" } = complaintIn(ending, name);
  const dropped = code === "MissingParameter" ? Object.keys(body).find((key) => new RegExp(`\\b${key}\\b`).test(reason)) : undefined;
  const remark = dropped === undefined ? "" : `. ${dropped} was given, but ${name} does not expose it for ${action}, and dropped it`;
  throw new PlatformError(code, `${reason}${remark}`, { product, action, requestId }, kind);
}

function complaintIn(ending: Ending, name: string): Complaint {
  switch (ending.how) {
    case "unstarted":
      return { code: "ProgramNotStarted", reason: `${name} cannot be started: ${ending.error.message}`, kind: "unsent" };
    case "killed":
      return { code: "ProgramKilled", reason: `${name} was ended by ${ending.by} before it answered`, kind: "unreachable" };
    case "late":
      return { code: "NoAnswer", reason: `${name} did not answer in time, and was ended`, kind: "unreachable" };
    case "endless":
      return { code: "UnreadableAnswer", reason: `${name} printed far more than an answer, and was ended`, kind: "failed" };
    case "exited":
      return refusalIn(ending.stderr) ?? refusalIn(ending.stdout) ?? failureOf(ending, name);
  }
}

/** How clients of this family print a refusal: `[TencentCloudSDKException] code:X message:Y requestId:Z`, with any name. */
const printed = /\[\w+\] code:(\S+) message:([^]*) requestId:(\S*)/;

function refusalIn(text: string): Complaint | undefined {
  const [, code, message = "", id = ""] = printed.exec(text) ?? [];
  if (code === undefined) return undefined;
  const reason = message.replace(/^b(['"])([^]*)\1$/, "$2").trim();
  return { code, reason, kind: kindOfFault(code) ?? kindOfClients(code, reason), requestId: /^none$/i.test(id) ? "" : id };
}

/** The words of Python's libraries for a connection that was not made. */
const neverConnected = /NewConnectionError|NameResolutionError|ConnectTimeoutError|Failed to establish a new connection/;

/** Codes that the reference client makes up itself. */
function kindOfClients(code: string, reason: string): ErrorKind | undefined {
  if (code === "ClientNetworkError") return neverConnected.test(reason) ? "unsent" : "unreachable";
  if (code === "ServerNetworkError") return "unreachable";
  return /^Client[A-Z]/.test(code) ? "failed" : undefined;
}

/** A client that printed neither an answer nor a refusal of the platform. */
function failureOf({ code, stdout, stderr }: Ending & { how: "exited" }, name: string): Complaint {
  const words = wordsIn(stderr) || wordsIn(stdout) || "it does not say why";
  if (code === 0) return { code: "UnreadableAnswer", reason: `${name} printed no answer of a platform`, kind: "failed" };
  if (code === usage || /^Unknown options?: /.test(words))
    return { code: "ClientRefused", reason: `${name} does not take the call: ${words}`, kind: "unsupported" };
  if (code === configuration) return { code: "ClientNotConfigured", reason: `${name} is not configured: ${words}`, kind: "failed" };
  return { code: "ProgramFailed", reason: `${name} ended with code ${code}: ${words}`, kind: "unreachable" };
}

/** What a program printed, without its usage. */
function wordsIn(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.trimEnd());
  const [said = ""] = paragraphs.filter((paragraph) => !/^(\s*$|\s|usage:|To see help text)/i.test(paragraph));
  return said.replaceAll(/\s*\n\s*/g, " ").slice(0, 500);
}

/** Clients of this family print an absent field as `null`. */
function withoutNulls(value: JsonObject): JsonObject {
  const there = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(there.map(([name, inner]) => [name, inside(inner)]));
}

function inside(value: Json): Json {
  if (isList(value)) return value.map(inside);
  return isObject(value) ? withoutNulls(value) : value;
}

const prefix = "container-platform-call-";
/** In milliseconds. No call takes so long: a folder that is older was left by a process that was killed. */
const abandoned = 3_600_000;

const folders = new Set<string>();
let swept: Promise<void> | undefined;

/**
 * Puts parameters into a file that only this user can read, and does work with it. The file is removed afterwards, also if the work
 * fails or the process ends. If the process is killed, the next one removes it.
 */
async function withParameters<T>(parameters: JsonObject, work: (file: string) => Promise<T>): Promise<T> {
  if (!swept) {
    process.once("exit", () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
    swept = sweep();
  }
  // A folder of mode 0700, so that nobody else can put another file in its place.
  const folder = await mkdtemp(join(tmpdir(), prefix));
  folders.add(folder);
  try {
    const file = join(folder, "parameters.json");
    await writeFile(file, JSON.stringify(parameters), { mode: 0o600, flag: "wx" });
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
    folders.delete(folder);
  }
}

/** Removes what killed processes left. Folders of other users, and those that vanish meanwhile, are skipped. */
async function sweep(): Promise<void> {
  const all = await readdir(tmpdir()).catch(() => []);
  for (const name of all.filter((found) => found.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    const age = await stat(folder).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > abandoned) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Limits how much work is done at the same time. The rest waits, first come, first served. */
class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Does work when its turn comes; throws the signal's reason if the signal aborts before. */
  async take<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next) next();
      else this.#free++;
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        this.#waiting.delete(begin);
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(begin);
        if (signal) reject(reasonOf(signal));
      };
      this.#waiting.add(begin);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }
}

export interface CliOptions {
  /** The working folder of the program. Default: the current one. */
  readonly folder?: string;
  /** Credentials for the program. Default: it uses its own. */
  readonly credentials?: CredentialSource | undefined;
  /** The profile that the program is to use. */
  readonly profile?: string | undefined;
  /** Milliseconds that a call may take. Default: two minutes. */
  readonly timeout?: number | undefined;
  /** How many programs run at the same time, at most. Default: two for each processor. */
  readonly most?: number;
}

/**
 * Reaches a platform through a program that is called as the specification's command-line client is. Each call starts it once:
 * `<program> <product> <Action> --cli-input-json file://…` (specification, Client options and parameter passing). The program's own
 * configuration says which platform that is.
 */
export class CliTransport implements Transport {
  readonly #program: string;
  readonly #options: CliOptions;
  readonly #turns: Turns;
  readonly #under = new Set<Promise<unknown>>();

  constructor(program: string, options: CliOptions = {}) {
    this.#program = program;
    this.#options = options;
    this.#turns = new Turns(options.most ?? 2 * availableParallelism());
  }

  async send(request: Request, signal?: AbortSignal): Promise<Reply> {
    const call = this.#turns.take(signal, () => this.#send(request, signal));
    this.#under.add(call);
    try {
      return await call;
    } finally {
      this.#under.delete(call);
    }
  }

  /** The specification's client cannot ask for the account. With a client that refuses to, the account stays empty. */
  async whoAmI(signal?: AbortSignal): Promise<Identity> {
    const asked = { product: "identity", action: "GetCallerIdentity", version: "2018-08-13", region: "", body: {} } as const;
    try {
      const { body, time, requestId } = await this.send(asked, signal);
      const account = body["AccountId"];
      return { account: typeof account === "string" ? account : "", time, requestId };
    } catch (error) {
      if (error instanceof PlatformError && error.code === "ClientRefused") return { account: "", time: Date.now(), requestId: "" };
      throw error;
    }
  }

  /** Waits for the calls under way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#under);
  }

  async #send(request: Request, signal: AbortSignal | undefined): Promise<Reply> {
    const { product, action, version, region } = request;
    const { folder = process.cwd(), timeout = 120_000, credentials, profile } = this.#options;
    const env = environmentFor(profile, await credentials?.());
    const ending = await withParameters(request.body, (file) => {
      const where = region === "" ? [] : ["--region", region];
      const args = [product, action, "--version", version, ...where, "--output", "json", "--cli-input-json", `file://${file}`];
      return run(this.#program, args, { cwd: folder, env }, timeout, signal);
    });
    const { RequestId: id, ...body } = answerIn(ending, basename(this.#program), request);
    // A client does not print the platform's time, so that this machine's has to do.
    return { requestId: typeof id === "string" ? id : "", body, time: Date.now() };
  }
}

/**
 * The environment of the program. Credentials are in it because others can see command lines. An endpoint that names a client is left out:
 * it is not for the client itself.
 */
function environmentFor(profile: string | undefined, credentials: Credentials | undefined): NodeJS.ProcessEnv {
  const endpoint = process.env["CONTAINER_PLATFORM_ENDPOINT"];
  return {
    ...process.env,
    CONTAINER_PLATFORM_ENDPOINT: endpoint?.startsWith("cli:") ? undefined : endpoint,
    // The calls are retried here. If the client did that as well, it would take six times as long to fail.
    CONTAINER_PLATFORM_RETRIES: "0",
    ...(profile !== undefined && { CONTAINER_PLATFORM_PROFILE: profile }),
    ...(credentials && {
      CONTAINER_PLATFORM_SECRET_ID: credentials.secretId,
      CONTAINER_PLATFORM_SECRET_KEY: credentials.secretKey,
      CONTAINER_PLATFORM_TOKEN: credentials.token,
      CONTAINER_PLATFORM_CREDENTIAL_PROCESS: undefined,
    }),
  };
}
