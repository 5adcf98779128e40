import { ConfigurationError, type ErrorKind, InputError, PlatformError } from "../../operation/errors.ts";

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
  const [said, advice] = toldOf(error, program);
  return `${program}: ${[said, advice].filter(Boolean).join("\n")}\n`;
}

function toldOf(error: unknown, program: string): readonly [said: string, advice: string] {
  if (error instanceof PlatformError) {
    const { code, reason, requestId } = error;
    return [`[PlatformError] code:${code} message:${reason} requestId:${requestId || "none"}`, adviceOn(error, program)];
  }
  if (error instanceof UsageError) return [error.message, error.advice];
  return [error instanceof Error ? error.message : String(error), ""];
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
