import { PlatformError } from "../../operation/errors.ts";
import { discreet, redacted } from "../../operation/redact.ts";
import type { Identity, Reply, Request, Transport } from "../../transport/transport.ts";
import { operationsOf } from "../call/products.ts";
import type { Session } from "../run/session.ts";

/** A transport that prints what is sent and answered, without secrets. */
export class TracedTransport implements Transport {
  readonly #inner: Transport;
  readonly #session: Session;
  readonly callsPerSecond: number | undefined;

  constructor(inner: Transport, session: Session) {
    this.#inner = inner;
    this.callsPerSecond = inner.callsPerSecond;
    this.#session = session;
  }

  async send(request: Request, signal?: AbortSignal): Promise<Reply> {
    const { product, action, version, region, body } = request;
    const operation = (await operationsOf(product)).find((known) => known.action === action && known.version === version);
    const shown = (schema: "input" | "output", value: Request["body"]) =>
      operation ? JSON.stringify(redacted(operation[schema], value)) : "[unknown]";
    this.#session.trace(`> ${product} ${action} ${version} in ${region || "no region"}: ${shown("input", body)}`);
    const begun = performance.now();
    const took = () => `${Math.round(performance.now() - begun)} ms`;
    try {
      const reply = await this.#inner.send(request, signal);
      this.#session.trace(`< ${reply.requestId} after ${took()}: ${shown("output", reply.body)}`);
      return reply;
    } catch (raised) {
      const error = operation ? discreet(operation, body, raised) : raised;
      const said = error instanceof PlatformError ? `${error.code}: ${error.reason}` : String(error);
      const id = error instanceof PlatformError && error.requestId ? error.requestId : "no answer";
      this.#session.trace(`< ${id} after ${took()}: ${said}`);
      throw error;
    }
  }

  whoAmI(signal?: AbortSignal): Promise<Identity> {
    return this.#inner.whoAmI(signal);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
