import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Agent } from "node:https";
import { pipeline } from "node:stream/promises";
import type { Duplex } from "node:stream";
import type { Running } from "../control-plane/control-planes.ts";
import { loopback } from "../../loopback/remembered-ports.ts";
import { headersFor, type Identity } from "./identity.ts";

/** How long a connection to an API server may wait for its next request, in milliseconds: less than the API server waits. */
const idleTimeout = 30_000;

/** How the front reaches an API server: it shows a certificate with which it may say who somebody is. */
function access({ port, ca, front }: Running) {
  return { host: loopback, port, ca, cert: front.certificate, key: front.privateKey };
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

/** Passes a connection on that becomes something else, as that of `kubectl exec` does. */
export function passUpgrade(
  { running, identity }: { running: Running; identity: Identity | undefined },
  request: IncomingMessage,
  connection: Duplex,
  head: Buffer,
): void {
  const { connect } = process.getBuiltinModule("node:tls");
  const { connection: kind, upgrade } = request.headers;
  const headers = { ...headersFor(request.headers, identity), ...(kind && { connection: kind }), ...(upgrade && { upgrade }) };
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`));
  const upstream = connect(access(running), () => {
    upstream.write(`${request.method ?? "GET"} ${request.url ?? "/"} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1");
    upstream.write(head);
    upstream.pipe(connection).pipe(upstream);
  });
  const end = () => {
    upstream.destroy();
    connection.destroy();
  };
  for (const one of [upstream, connection]) one.on("error", end).on("close", end);
}
