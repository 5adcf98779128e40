import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Agent } from "node:https";
import { pipeline } from "node:stream/promises";
import type { Duplex } from "node:stream";
import type { Running } from "../control-plane/control-planes.ts";
import { loopback } from "../../loopback/remembered-ports.ts";
import { headersFor, type Identity } from "./identity.ts";
import { connectionLost, refusalText } from "./refusal.ts";

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
