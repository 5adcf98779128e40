import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Something between a client and a served platform, at an address of its own. */
export abstract class Front implements AsyncDisposable {
  readonly #platform: URL;
  readonly #server = createServer((incoming, outgoing) => {
    // What ends the connection to the platform, or to the client, ends the other one: a call that got no answer gets none here either.
    this.pass(incoming, outgoing).catch(() => outgoing.destroy());
  });

  constructor(platform: string) {
    this.#platform = new URL(platform);
  }

  protected abstract pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;

  protected async listening(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Sends a call on as it is: its signature covers the host that it was sent to. */
  protected async forwarded(headers: IncomingMessage["headers"], sent: string): Promise<string> {
    const { hostname, port } = this.#platform;
    const outgoing = request({ hostname, port, method: "POST", path: "/", headers, agent: false });
    const incoming = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once("response", resolve).once("error", reject);
    });
    outgoing.end(sent);
    return text(await incoming);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
