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

/** The meaning of Node's and undici's codes. As long as there was no connection, nothing was sent. */
const faults: Readonly<Record<string, Fault>> = {
  ENOTFOUND: notFound,
  EAI_AGAIN: notFound,
  ECONNREFUSED: notConnected,
  EHOSTUNREACH: notConnected,
  ENETUNREACH: notConnected,
  UND_ERR_CONNECT_TIMEOUT: notConnected,
  UND_ERR_HEADERS_TIMEOUT: noAnswer,
  UND_ERR_BODY_TIMEOUT: noAnswer,
  ETIMEDOUT: noAnswer,
  UND_ERR_SOCKET: lost,
  ECONNRESET: lost,
  EPIPE: lost,
};

/** A platform always answers with status 200: any other status is from something in between. */
export function gatewayFault(status: number, origin: ErrorOrigin): PlatformError {
  const code = `HttpStatus.${status}`;
  return new PlatformError(code, `the endpoint answered with HTTP status ${status}, not as a platform does`, origin, kindOfFault(code));
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
  const known = faults[code];
  if (known) return new PlatformError(known.code, known.sentence(host), origin, known.kind);
  const reason = error instanceof Error ? error.message : String(error);
  return new PlatformError(code || "NotConnected", `${host} cannot be called: ${reason}`, origin, "failed");
}

/** The code of an error, or of its cause: a connection that failed at several addresses has the failures as its cause. */
function codeOf(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
  if (typeof code === "string") return code;
  return error instanceof Error && error.cause !== undefined ? codeOf(error.cause) : "";
}
