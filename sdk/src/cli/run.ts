import { readFileSync, writeSync } from "node:fs";
import { ConfigurationError, type ErrorKind, InputError, PlatformError } from "../operation/errors.ts";

const [stdout, stderr] = [1, 2];
const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Prints data. On a full disk this fails, while Node's own stream loses the rest without an error. */
export function print(text: string): void {
  try {
    write(stdout, text);
  } catch (error) {
    throw new Error(`the output cannot be written: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Prints a message on stderr, if that is possible. */
export function tell(text: string): void {
  try {
    write(stderr, text);
  } catch {
    // There is nowhere left to report this.
  }
}

/** Whether an error, or its cause, says that the reader has closed the pipe: `cpcli … | head -1`. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && (codeOf(error) === "EPIPE" || isClosedPipe(error.cause));
}

function write(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += written(file, bytes.subarray(at));
}

function written(file: number, bytes: Uint8Array): number {
  try {
    return writeSync(file, bytes);
  } catch (error) {
    if (codeOf(error) !== "EAGAIN") throw error;
    // The pipe is non-blocking, and its reader is slow.
    Atomics.wait(nothing, 0, 0, 5);
    return 0;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}

export function versionOfClient(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null ? String(Reflect.get(manifest, "version")) : "";
}

/** How cpcli ends: the exit codes of the command-line clients of this family. */
export const exitCodes = {
  done: 0,
  /** Control-C. */
  interrupted: 130,
  /** The command line or what it gives is wrong; nothing was sent. */
  usage: 252,
  /** Endpoint, region, profile or credentials are missing or wrong; nothing was sent. */
  configuration: 253,
  /** The platform refused the call. */
  refused: 254,
  /** Anything else: no answer came, a file cannot be written, a wait took too long. */
  failed: 255,
} as const;

/** A wrong command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** A sentence that says what to do. */
  readonly advice: string;

  constructor(message: string, advice = "") {
    super(message);
    this.advice = advice;
  }
}

/** The exit code that an error ends the program with. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof PlatformError) return isAnswer(error) ? exitCodes.refused : exitCodes.failed;
  if (error instanceof ConfigurationError) return exitCodes.configuration;
  return error instanceof UsageError || error instanceof InputError ? exitCodes.usage : exitCodes.failed;
}

/** Whether the platform itself answered with this error: it then has the call's id. If the answer got lost, it has none. */
export function isAnswer({ kind, requestId }: PlatformError): boolean {
  return requestId !== "" && kind !== "unreachable" && kind !== "unsent";
}

/**
 * An error in words: one short paragraph, then what to do. The platform's code, sentence and request id are printed as the public
 * API's client prints them, so that scripts find them.
 */
export function paragraphOf(error: unknown, program: string): string {
  const text = (...[said, advice]: readonly [said: string, advice: string]) => `${program}: ${[said, advice].filter(Boolean).join("\n")}\n`;
  if (error instanceof UsageError) return text(error.message, error.advice);
  if (!(error instanceof PlatformError)) return text(error instanceof Error ? error.message : String(error), "");
  const { code, reason, requestId } = error;
  return text(`[PlatformError] code:${code} message:${reason} requestId:${requestId || "none"}`, adviceOn(error, program));
}

const advice: Readonly<Record<ErrorKind, string>> = {
  throttled: "The platform is answering too many calls: try again in a while, or give more --retries.",
  transient: "This is temporary: try again in a while.",
  unreachable: "The call may or may not have taken effect. Check before you try again.",
  unsent: "Nothing was changed: check the endpoint and the network.",
  unauthorized: "The account lacks permission for this operation; `cpcli identity GetCallerIdentity` tells which account it is.",
  protected: "Deletion protection is on. Turn it off first.",
  inUse: "Another resource still uses it. Delete that one first.",
  limit: "A quota is exhausted. Delete unused resources or request a higher quota.",
  notFound: "Check the id, and --region: an account's resources are found in their own region only.",
  conflict: "It conflicts with an existing resource.",
  invalid: "",
  unsupported: "",
  failed: "",
};

const aboutAnswers = "The response may come from a proxy instead of the API. Check the endpoint.";

const aboutKeys =
  "Check the credentials: environment variables, --profile, or --secretId and --secretKey. `cpcli whoami` shows which are used.";

/** Advice for codes, where that for their kind is too general. */
const adviceByCode: Readonly<Record<string, string>> = {
  "AuthFailure.InvalidAuthorization": aboutKeys,
  "AuthFailure.SecretIdNotFound": aboutKeys,
  "AuthFailure.SignatureExpire": "Set the clock of this machine.",
  "AuthFailure.SignatureFailure": aboutKeys,
  "AuthFailure.TokenFailure": aboutKeys,
  UnreadableAnswer: aboutAnswers,
};

function adviceOn({ code, kind, origin }: PlatformError, program: string): string {
  if (code === "UnsupportedOperation.InvalidRegion")
    return `Check --region, CONTAINER_PLATFORM_REGION${program === "cpcli" ? "" : ", container-platform:region of the stack"}, or the profile's region.`;
  const isOfStatus = kind === "failed" && code.startsWith("HttpStatus.");
  const found = adviceByCode[code] ?? (isOfStatus ? aboutAnswers : advice[kind]);
  // Only there, the call is what the user has written.
  if (found || kind !== "invalid" || program !== "cpcli") return found;
  return `\`cpcli ${origin.product} ${origin.action} help --detail\` tells what it takes.`;
}

/** The state that the commands of one run share: Control-C, and lines that are printed only once. */
export class Session {
  readonly program: string;
  readonly #interruption = new AbortController();
  readonly #said = new Set<string>();
  #state: () => string = () => "";

  /** Aborted by Control-C, just before the program ends. */
  readonly signal: AbortSignal = this.#interruption.signal;

  constructor(program = "cpcli") {
    this.program = program;
    process.on("SIGINT", this.#interrupted);
  }

  /** Sets the sentence that Control-C prints about the current state. It is made at that moment. */
  whenInterrupted(state: () => string): void {
    this.#state = state;
  }

  /** From now on, the command itself handles Control-C. */
  leaveInterrupts(): void {
    process.off("SIGINT", this.#interrupted);
  }

  /** Prints a line on stderr, once in a run. */
  say(line: string): void {
    if (this.#said.has(line)) return;
    this.#said.add(line);
    tell(`${this.program}: ${line}\n`);
  }

  /** Prints a line for `--debug`. */
  trace(line: string): void {
    tell(`${this.program}: debug: ${line}\n`);
  }

  readonly #interrupted = (): void => {
    this.#interruption.abort();
    this.say(["interrupted", this.#state()].filter(Boolean).join(": "));
    process.exit(exitCodes.interrupted);
  };
}

/** Runs a program with the words of its command line. An error is printed on stderr, and decides the exit code. */
export async function run(program: string, work: (args: readonly string[]) => Promise<void>): Promise<void> {
  const fail = (error: unknown): never => {
    // The reader has closed the pipe: it has read enough.
    if (isClosedPipe(error)) process.exit(exitCodes.done);
    tell(paragraphOf(error, program));
    process.exit(exitCodeOf(error));
  };
  process.on("uncaughtException", fail);
  await work(process.argv.slice(2)).catch(fail);
}
