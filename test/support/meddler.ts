import { createServer, type IncomingMessage, request as forward, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { once } from "node:events";
import { isObject, type JsonObject } from "../../sdk/src/operation/codec.ts";

/** What is sent in the place of an answer. */
export interface Sent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
  /** Whether the connection is lost in the middle of it. */
  readonly isCut?: boolean;
}

/** One answer that is not what the platform has told. */
export interface Meddling {
  readonly action: string;
  /** Which of the calls of this action is meant. */
  readonly nth: number;
  /** The call has taken effect. */
  readonly instead: (told: JsonObject) => Sent;
}

/** Something between a client and a served platform that lets every call pass, and may answer another thing than the platform has told. */
export class Meddler implements AsyncDisposable {
  #meddling: Meddling | undefined;
  #calls = 0;
  #hits = 0;
  readonly #platform: URL;
  readonly #server = createServer((incoming, outgoing) => {
    this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
  });

  private constructor(platform: string) {
    this.#platform = new URL(platform);
  }

  static async before(platform: string): Promise<Meddler> {
    const meddler = new Meddler(platform);
    meddler.#server.listen(0, "127.0.0.1");
    await once(meddler.#server, "listening");
    return meddler;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Changes one answer from now on; `undefined`: none. */
  set meddling(one: Meddling | undefined) {
    this.#meddling = one;
    this.#calls = 0;
    this.#hits = 0;
  }

  /** Whether that answer was changed. */
  get hasMeddled(): boolean {
    return this.#hits > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { headers } = incoming;
    const one = this.#meddling;
    const isMeant = one !== undefined && headers["x-tc-action"] === one.action && ++this.#calls === one.nth;
    const told = await this.#forwarded(headers, await text(incoming));
    const parsed: unknown = isMeant ? JSON.parse(told) : undefined;
    const response = isObject(parsed) ? parsed["Response"] : undefined;
    if (!one || !isObject(response)) {
      outgoing.end(told);
      return;
    }
    this.#hits++;
    const { status = 200, headers: named = {}, text: body, isCut = false } = one.instead(response);
    outgoing.writeHead(status, { "content-type": "application/json", ...named, ...(isCut && { "content-length": body.length + 100 }) });
    if (!isCut) outgoing.end(body);
    else outgoing.write(body, () => outgoing.destroy());
  }

  /** Sends a call on as it is: its signature covers the host that it was sent to. */
  async #forwarded(headers: IncomingMessage["headers"], sent: string): Promise<string> {
    const { hostname, port } = this.#platform;
    const outgoing = forward({ hostname, port, method: "POST", path: "/", headers, agent: false });
    const incoming = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once("response", resolve).once("error", reject);
    });
    outgoing.end(sent);
    return text(await incoming);
  }
}
