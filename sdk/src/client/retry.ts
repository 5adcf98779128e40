import { setTimeout as sleep } from "node:timers/promises";
import { PlatformError } from "../operation/errors.ts";
import type { Operation } from "../operation/operation.ts";

/** How often, and with what pauses, calls are made again. */
export interface RetryPolicy {
  /** Times that one call is made at most, the first one included. */
  readonly attempts: number;
  /** The first pause, in milliseconds; each further one is twice as long, with jitter. */
  readonly pause: number;
  /** The longest pause, in milliseconds. */
  readonly longest: number;
  /** Retries that all calls have together. Each takes one; a call that succeeds gives back what it took, and one more. */
  readonly budget: number;
}

/** A platform that is down uses the budget up in seconds. From then on each call fails at once, however many are still to come. */
const usualRetries: RetryPolicy = { attempts: 6, pause: 200, longest: 10_000, budget: 100 };

/** Makes calls again that had no effect, or may be repeated, as long as the budget lasts. */
export class Retries {
  readonly #policy: RetryPolicy;
  #left: number;

  constructor(policy: Partial<RetryPolicy> = {}) {
    this.#policy = { ...usualRetries, ...policy };
    this.#left = this.#policy.budget;
  }

  /**
   * Repeats a call that had no effect (it was throttled, or never got there); where the operation may be repeated, also one whose
   * answer got lost, and one refused for what passes. The last refusal is thrown as it is, those before are told to `retried`.
   */
  async run<T>(
    operation: Pick<Operation, "repeatable">,
    signal: AbortSignal | undefined,
    call: () => Promise<T>,
    retried: (refusal: PlatformError) => void = () => undefined,
  ): Promise<T> {
    const { attempts, pause, longest, budget } = this.#policy;
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await call();
        this.#left = Math.min(budget, this.#left + attempt);
        return answer;
      } catch (error) {
        if (attempt >= attempts || this.#left <= 0 || !isWorthRepeating(operation, error)) throw error;
        retried(error);
      }
      this.#left--;
      const ceiling = Math.min(longest, pause * 2 ** (attempt - 1));
      await sleep(ceiling * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {});
    }
  }
}

function isWorthRepeating(operation: Pick<Operation, "repeatable">, error: unknown): error is PlatformError {
  if (!(error instanceof PlatformError)) return false;
  if (error.kind === "throttled" || error.kind === "unsent") return true;
  return operation.repeatable && (error.kind === "transient" || error.kind === "unreachable");
}
