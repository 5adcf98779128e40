import { PlatformError } from "../operation/errors.ts";
import type { Identity, Reply, Request, Transport } from "./transport.ts";

/** A transport whose calls fail if there is no answer within so many milliseconds. */
export class TimedTransport implements Transport {
  readonly #inner: Transport;
  readonly #longest: number;

  readonly callsPerSecond: number | undefined;

  constructor(inner: Transport, longest: number) {
    this.#inner = inner;
    this.callsPerSecond = inner.callsPerSecond;
    this.#longest = longest;
  }

  async send(request: Request, signal?: AbortSignal): Promise<Reply> {
    const late = AbortSignal.timeout(this.#longest);
    try {
      return await this.#inner.send(request, signal ? AbortSignal.any([signal, late]) : late);
    } catch (error) {
      if (!late.aborted || (error !== late.reason && !(error instanceof Error && error.cause === late.reason))) throw error;
      const origin = { product: request.product, action: request.action, requestId: "" };
      throw new PlatformError("NoAnswer", `there was no answer within ${this.#longest / 1000} s`, origin, "unreachable");
    }
  }

  whoAmI(signal?: AbortSignal): Promise<Identity> {
    return this.#inner.whoAmI(signal);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
