import type { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Agent } from "node:https";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { loopback } from "../../ports.ts";
import type { Running } from "../control-plane/control-planes.ts";

/** Who somebody is to the API server. */
export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
}

const text = z.union([z.string(), z.array(z.string())]).optional();
const subject = z.looseObject({ CN: text, O: text });

/** The user and the groups of a client's certificate: its common name and its organizations (Kubernetes, X509 client certificates). */
export function identityOf(certificate: X509Certificate): Identity {
  const { CN, O } = subject.parse(certificate.toLegacyObject().subject);
  return { user: [CN ?? ""].flat().at(-1) ?? "", groups: [O ?? []].flat() };
}

/** The headers of a request as they go on: what it says of its user itself does not, nor what is between the client and the front. */
function headersFor(headers: IncomingHttpHeaders, identity: Identity | undefined): Record<string, string | string[]> {
  const named = (headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  const passed = Object.entries(headers).flatMap(([name, value]) => {
    const isOwn = name.startsWith("x-remote-") || named.includes(name) || between.includes(name);
    return value === undefined || isOwn ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(passed),
    ...(identity && { "x-remote-user": latin(identity.user), "x-remote-group": identity.groups.map(latin) }),
  };
}

/** RFC 9110, 7.6.1. */
const between = ["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer", "upgrade"];

/** UTF-8 as a header has it. */
function latin(value: string): string {
  return Buffer.from(value).toString("latin1");
}

/** An answer of the front itself. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** What an API server answers a client that it rejects. */
export function statusOf(status: number, reason: "Unauthorized" | "Forbidden", message: string): Refusal {
  const body = JSON.stringify({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code: status });
  return { status, type: "application/json", body };
}

/** There is no control plane to ask. As text with this status, kubectl shows the sentence whatever it was about to do; that of a 503 it does not. */
export function unavailable(sentence: string): Refusal {
  return { status: 502, type: "text/plain; charset=utf-8", body: sentence };
}

/** What is answered where the control plane ends, or cannot be reached, while a request is passed on. */
export const connectionLost = unavailable("the connection to the control plane was lost");

export function refuse(response: ServerResponse, { status, type, body }: Refusal): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/** The same on a connection that was to become something else. */
export function refusalText({ status, type, body }: Refusal): string {
  const head = [`HTTP/1.1 ${status} Refused`, `content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`, "connection: close"];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/** How long a connection to an API server may wait for its next request, in milliseconds: less than the API server waits. */
const idleTimeout = 30_000;

/** What it takes to reach an API server. */
type Access = Pick<Running, "port" | "ca" | "front">;

/** How the front reaches an API server: it shows a certificate with which it may say who somebody is. */
function access({ port, ca, front }: Access) {
  // Not by the Host of its client's request, which may be any name: the API server's certificate is for the address.
  return { host: loopback, servername: "", port, ca, cert: front.certificate, key: front.privateKey };
}

/** The connections to one API server, which are used again. */
export function agentFor(running: Running): Agent {
  const { Agent } = process.getBuiltinModule("node:https");
  return new Agent({ ...access(running), keepAlive: true, timeout: idleTimeout });
}

/** Passes a request on to an API server, as somebody or as nobody, and its answer back. */
export async function passOn(
  { running, agent, identity }: { running: Running; agent: Agent; identity: Identity | undefined },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { request: ask } = process.getBuiltinModule("node:https");
  const headers = headersFor(request.headers, identity);
  const passed = ask({ ...access(running), agent, method: request.method, path: request.url, headers });
  // A client that has gone wants nothing any more: a watch would go on for ever.
  response.once("close", () => passed.destroy());
  const answered = once(passed, "response") as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  const [, [answer]] = await Promise.all([pipeline(request, passed), answered]);
  response.writeHead(answer.statusCode ?? 502, headersFor(answer.headers, undefined));
  // A watch has no content at first: its client waits for the head.
  response.flushHeaders();
  await pipeline(answer, response);
}

/**
 * Passes a connection on that becomes something else, as that of a watch over a WebSocket does. What its client sends is passed on once the API
 * server has agreed to that, and not before: to the API server it would be a request of the front, which may say who somebody is.
 */
export function passUpgrade(
  { running, identity }: { running: Access; identity: Identity | undefined },
  request: IncomingMessage,
  connection: Duplex,
  head: Buffer,
): void {
  const { request: ask } = process.getBuiltinModule("node:https");
  const { connection: kind = "upgrade", upgrade = "" } = request.headers;
  const passed = without(["content-length", "transfer-encoding"], headersFor(request.headers, identity));
  const headers = { ...passed, connection: kind, upgrade };
  const asking = ask({ ...access(running), agent: false, method: request.method, path: request.url, headers });
  connection.on("error", () => connection.destroy()).once("close", () => asking.destroy());
  asking.once("upgrade", (answer, upstream, first) => {
    const end = () => {
      upstream.destroy();
      connection.destroy();
    };
    for (const one of [upstream, connection]) one.on("error", end).on("close", end);
    connection.write(headText(answer, answer.headers), "latin1");
    connection.write(first);
    upstream.write(head);
    upstream.pipe(connection).pipe(upstream);
  });
  asking.once("response", (answer) => {
    // Its end is that of the connection: a length, or chunks, are of the connection to the API server.
    const told = without(["transfer-encoding"], headersFor(answer.headers, undefined));
    connection.write(headText(answer, { ...told, connection: "close" }), "latin1");
    answer.on("error", () => connection.destroy()).pipe(connection);
  });
  let isAnswered = false;
  for (const answered of ["upgrade", "response"]) asking.once(answered, () => (isAnswered = true));
  asking.once("error", () => {
    if (isAnswered) connection.destroy();
    else connection.end(refusalText(connectionLost));
  });
  asking.end();
}

type Headers = ReturnType<typeof headersFor>;

function without(names: readonly string[], headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

/** The head of an answer, as it is written on a connection. */
function headText({ statusCode = 502, statusMessage = "" }: IncomingMessage, headers: IncomingHttpHeaders): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}`));
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join("\r\n")}\r\n\r\n`;
}
