import type { IncomingHttpHeaders } from "node:http";

/** A request, with its whole body. */
export interface Incoming {
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  /** The client's address. */
  readonly clientIp: string;
  /** Is aborted if the client closes the connection before it has its answer. Made when it is first asked for: few calls wait. */
  readonly signal: AbortSignal;
  /** Whether the client has closed the connection. */
  readonly isGone: boolean;
}

export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers a request; `undefined` closes the connection without an answer, like a failing network. */
export type Handler = (incoming: Incoming) => Promise<Outgoing | undefined> | Outgoing | undefined;

/** The value of a header; `undefined` if it was not sent. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
