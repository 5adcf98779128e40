import { type ErrorKind, type ErrorOrigin, PlatformError } from "../operation/errors.ts";

interface Fault {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly sentence: (host: string) => string;
}

const notFound: Fault = { code: "HostNotFound", kind: "unsent", sentence: (host) => `the name of ${host} is not known` };
const notConnected: Fault = { code: "NotConnected", kind: "unsent", sentence: (host) => `there is no connection to ${host}` };
const noAnswer: Fault = { code: "NoAnswer", kind: "unreachable", sentence: (host) => `${host} did not answer in time` };
const lost: Fault = {
  code: "ConnectionLost",
  kind: "unreachable",
  sentence: (host) => `the connection to ${host} was lost before the answer came`,
};

/** The meaning of Node's and undici's codes. Of some it depends on whether there was a connection: as long as not, nothing was sent. */
const faults: Readonly<Record<string, Fault>> = {
  ENOTFOUND: notFound,
  EAI_AGAIN: notFound,
  ECONNREFUSED: notConnected,
  EHOSTUNREACH: lost,
  ENETUNREACH: lost,
  UND_ERR_CONNECT_TIMEOUT: notConnected,
  UND_ERR_HEADERS_TIMEOUT: noAnswer,
  UND_ERR_BODY_TIMEOUT: noAnswer,
  ETIMEDOUT: noAnswer,
  UND_ERR_SOCKET: lost,
  ECONNRESET: lost,
  EPIPE: lost,
};

/** With these codes both an attempt to connect can fail and a connection, on which the call may have arrived. */
const whileConnecting: ReadonlySet<string> = new Set(["EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

/**
 * A platform always answers with status 200: any other status is from something in between.
 *
 * @param elsewhere where it leads to. A call is not sent there: it was signed for the endpoint
 */
export function gatewayFault(status: number, origin: ErrorOrigin, elsewhere?: string): PlatformError {
  const code = `HttpStatus.${status}`;
  const sentence = `the endpoint answered with HTTP status ${status}, not as a platform does`;
  const redirect = elsewhere === undefined ? "" : `, and leads to ${elsewhere}`;
  return new PlatformError(code, sentence + redirect, origin, kindOfFault(code));
}

/** The kind of a code that stands for a failure on the way to the platform; `undefined` for other codes. */
export function kindOfFault(code: string): ErrorKind | undefined {
  const status = /^HttpStatus\.(\d{3})$/.exec(code)?.[1];
  if (status !== undefined) return status === "429" ? "throttled" : status >= "500" ? "unreachable" : "failed";
  if (code === "UnreadableAnswer") return "failed";
  return [notFound, notConnected, noAnswer, lost].find((fault) => fault.code === code)?.kind;
}

/** The error of a call that got no answer. */
export function faultOf(error: unknown, host: string, origin: ErrorOrigin): PlatformError {
  const code = codeOf(error);
  const known = whileConnecting.has(code) && isOfConnecting(error) ? notConnected : faults[code];
  if (known) return new PlatformError(known.code, known.sentence(host), origin, known.kind);
  const reason = error instanceof Error ? error.message : String(error);
  return new PlatformError(code || "NotConnected", `${host} cannot be called: ${reason}`, origin, "failed");
}

/** Whether there was no connection yet. One that failed at several addresses has a failure for each. */
function isOfConnecting(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isOfConnecting);
  if (!(error instanceof Error)) return false;
  return "syscall" in error ? error.syscall === "connect" : isOfConnecting(error.cause);
}

/** The code of an error, or of its cause: a connection that failed at several addresses has the failures as its cause. */
function codeOf(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
  if (typeof code === "string") return code;
  return error instanceof Error && error.cause !== undefined ? codeOf(error.cause) : "";
}
