import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** A request, with its whole body. */
export interface Incoming {
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  /** The client's address. */
  readonly clientIp: string;
  readonly departure: Departure;
}

/** Whether a client has closed the connection before it had its answer. */
export class Departure {
  isNoted = false;
  #controller: AbortController | undefined;

  note(): void {
    this.isNoted = true;
    this.#controller?.abort();
  }

  /** Is aborted when the client has gone. Made when it is first asked for: few calls wait. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isNoted) this.#controller.abort();
    return this.#controller.signal;
  }
}

export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The content type has no parameters, because clients of the public API compare it literally. */
export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Outgoing {
  return { status, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** Answers a request; `undefined` closes the connection without an answer, like a failing network. */
export type Handler = (incoming: Incoming) => Promise<Outgoing | undefined> | Outgoing | undefined;

/** The value of a header; `undefined` if it was not sent. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/**
 * Reads the body of a request: `too large` if it has more than `most` bytes, `gone` if the client closed the connection before its
 * end. The rest of a body that is too large is read and dropped, because a client reads its answer only after it has sent all. At
 * twice `most` bytes the connection is closed.
 */
export function bodyOf(request: IncomingMessage, most: number): Promise<Uint8Array | "too large" | "gone"> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    if (Number(request.headers["content-length"]) > most) resolve("too large");
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      resolve("too large");
      if (size > 2 * most) request.destroy();
    });
    // Not `once`, which wraps each of them: what is settled stays so.
    const gone = () => {
      resolve("gone");
    };
    request.on("end", () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first ? first : Buffer.concat(chunks));
    });
    request.on("error", gone).on("close", gone);
  });
}

/** The paths that are served, besides `/`, of which calls are a `POST`. */

/** Where a served world is controlled: a `POST` whose action is the command. */
export const controlPath = "/control";

/** The service in the signatures of control commands, in place of a product. */
export const controlService = "control";

/** Where the dashboard's page has its files, and asks for what it shows. The page itself is a `GET` of `/`. */
export const dashboardPath = "/dashboard/";
