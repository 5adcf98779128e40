import { setTimeout as sleep } from "node:timers/promises";
import { PlatformError } from "./errors.ts";
import type { Operation } from "./operation.ts";

/** How often, and with what pauses, a call is made again. */
export interface RetryPolicy {
  /** Calls at most, the first one included. */
  readonly attempts: number;
  /** The first pause, in milliseconds; each further one is twice as long, with jitter. */
  readonly pause: number;
  /** The longest pause, in milliseconds. */
  readonly longest: number;
}

export const usualRetries: RetryPolicy = { attempts: 6, pause: 200, longest: 10_000 };

/**
 * Repeats a call that had no effect (it was throttled, or never got there); where the operation may be repeated, also one whose
 * answer got lost, and one refused for what passes. The last refusal is thrown as it is.
 */
export async function retrying<T>(
  operation: Pick<Operation, "repeatable">,
  { attempts, pause, longest }: RetryPolicy,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt >= attempts || !worthRepeating(operation, error)) throw error;
    }
    const ceiling = Math.min(longest, pause * 2 ** (attempt - 1));
    await sleep(ceiling * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {});
  }
}

function worthRepeating(operation: Pick<Operation, "repeatable">, error: unknown): boolean {
  if (!(error instanceof PlatformError)) return false;
  if (error.kind === "throttled" || error.kind === "unsent") return true;
  return operation.repeatable && (error.kind === "transient" || error.kind === "unreachable");
}
