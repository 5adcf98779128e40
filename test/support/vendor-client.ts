import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { calledByVendor, type VendorAccess, type VendorOperation } from "../../sdk/src/dialect/public/vendor-client.fixture.ts";

const sent = z.record(z.string(), z.json());
/** The vendor's error for a call that was refused. */
const refusal = z.object({ code: z.string(), message: z.string(), requestId: z.string() });

/**
 * A way to a served platform: whoever calls it in the form of the public API has the vendor's own client make the call, and is answered
 * what that client returns or throws.
 */
export class VendorClient implements AsyncDisposable {
  readonly #access: Omit<VendorAccess, "region">;
  readonly #called: (operation: VendorOperation) => void;
  readonly #server = createServer((incoming, outgoing) => {
    // A call that got no answer gets none here either.
    this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
  });

  private constructor(access: Omit<VendorAccess, "region">, called: (operation: VendorOperation) => void) {
    this.#access = access;
    this.#called = called;
  }

  /** @param called told of each call that was answered */
  static async before(access: Omit<VendorAccess, "region">, called: (operation: VendorOperation) => void): Promise<VendorClient> {
    const client = new VendorClient(access, called);
    client.#server.listen(0, "127.0.0.1");
    await once(client.#server, "listening");
    return client;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { headers } = incoming;
    const [action = "", version = "", region = ""] = ["action", "version", "region"].map((name) => String(headers[`x-tc-${name}`] ?? ""));
    const [, , service = ""] = /Credential=([^,]*)/.exec(headers.authorization ?? "")?.[1]?.split("/") ?? [];
    const operation = { service, action, version };
    const body = sent.parse(JSON.parse(await text(incoming)));
    const answer = await calledByVendor(operation, body, { ...this.#access, region }).catch((error: unknown) => {
      const { code, message, requestId } = refusal.parse(error);
      return { Error: { Code: code, Message: message }, RequestId: requestId };
    });
    this.#called(operation);
    outgoing.setHeader("content-type", "application/json").end(JSON.stringify({ Response: answer }));
  }
}
