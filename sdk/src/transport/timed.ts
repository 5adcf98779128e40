import { PlatformError } from "../operation/errors.ts";
import type { Transport } from "./transport.ts";

/** A transport whose calls fail if there is no answer within so many milliseconds. */
export function timed(inner: Transport, longest: number): Transport {
  return {
    callsPerSecond: inner.callsPerSecond,
    send: async (request, signal) => {
      const late = AbortSignal.timeout(longest);
      try {
        return await inner.send(request, signal ? AbortSignal.any([signal, late]) : late);
      } catch (error) {
        if (!late.aborted || (error !== late.reason && !(error instanceof Error && error.cause === late.reason))) throw error;
        const origin = { product: request.product, action: request.action, requestId: "" };
        throw new PlatformError("NoAnswer", `there was no answer within ${longest / 1000} s`, origin, "unreachable");
      }
    },
    whoAmI: (signal) => inner.whoAmI(signal),
    close: () => inner.close(),
  };
}
