import { type ErrorKind, PlatformError } from "../../operation/errors.ts";
import { isList, isObject, type Json, type JsonObject } from "../../operation/codec.ts";
import { kindOfFault } from "../network-faults.ts";
import type { Request } from "../transport.ts";
import type { Ending } from "./program.ts";

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
export function answerIn(ending: Ending, name: string, { product, action, body }: Request): JsonObject {
  const parsed = ending.how === "exited" && ending.code === 0 ? objectIn(ending.stdout) : undefined;
  if (parsed) return withoutNulls(parsed);
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

function objectIn(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
