import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { calledByVendor, type VendorAccess, type VendorOperation } from "../../sdk/src/wire-format/public/vendor-client.fixture.ts";
import { Front } from "./front.ts";

const sent = z.record(z.string(), z.json());
/** The vendor's error for a call that was refused. */
const refusal = z.object({ code: z.string(), message: z.string(), requestId: z.string() });

/**
 * A way to a served platform: whoever calls it in the form of the public API has the vendor's own client make the call, and is answered
 * what that client returns or throws.
 */
export class VendorClient extends Front {
  readonly #access: Omit<VendorAccess, "region">;
  readonly #called: (operation: VendorOperation) => void;

  private constructor(access: Omit<VendorAccess, "region">, called: (operation: VendorOperation) => void) {
    super(access.url);
    this.#access = access;
    this.#called = called;
  }

  /** @param called told of each call that was answered */
  static before(access: Omit<VendorAccess, "region">, called: (operation: VendorOperation) => void): Promise<VendorClient> {
    return new VendorClient(access, called).listening();
  }

  protected override async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
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
