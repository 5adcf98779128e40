import type { ServerResponse } from "node:http";

/** A refusal as Kubernetes' clients read it. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

/** What an API server says to somebody whom it does not know. */
export function unauthorized(message: string): Refusal {
  return { status: 401, reason: "Unauthorized", message };
}

export function unavailable(message: string): Refusal {
  return { status: 503, reason: "ServiceUnavailable", message };
}

export function refuse(response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const body = bodyOf(refusal);
  response.writeHead(refusal.status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/** The same on a connection that was to become something else. */
export function refusalText(refusal: Refusal): string {
  const body = bodyOf(refusal);
  return `HTTP/1.1 ${refusal.status} ${refusal.reason}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`;
}

function bodyOf({ status, reason, message }: Refusal): string {
  return JSON.stringify({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code: status });
}
