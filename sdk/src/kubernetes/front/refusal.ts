import type { ServerResponse } from "node:http";

/** An answer of the front itself. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** What an API server says to somebody whom it does not know. */
export function unauthorized(message: string): Refusal {
  return statusOf(401, "Unauthorized", message);
}

export function forbidden(message: string): Refusal {
  return statusOf(403, "Forbidden", message);
}

function statusOf(status: number, reason: string, message: string): Refusal {
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
