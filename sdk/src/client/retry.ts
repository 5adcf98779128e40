import { setTimeout as sleep } from "node:timers/promises";
import { PlatformError } from "../operation/errors.ts";
import type { Operation } from "../operation/operation.ts";

/** How often calls are retried, and with what pauses. */
export interface RetryPolicy {
  /** How often one call is made at most, the first attempt included. */
  readonly attempts: number;
  /** The first pause, in milliseconds; each further one is twice as long, with jitter. */
  readonly pause: number;
  /** The longest pause, in milliseconds. */
  readonly longest: number;
  /** How many retries all calls share. Each retry takes one. A call that succeeds gives back what it took, and one more. */
  readonly budget: number;
}

/** With a platform that is down, the budget is used up in seconds. From then on every call fails at once. */
const usualRetries: RetryPolicy = { attempts: 6, pause: 200, longest: 10_000, budget: 100 };

/** Retries calls that had no effect or may be repeated, as long as the budget lasts. */
export class Retries {
  readonly #policy: RetryPolicy;
  #left: number;

  constructor(policy: Partial<RetryPolicy> = {}) {
    this.#policy = { ...usualRetries, ...policy };
    this.#left = this.#policy.budget;
  }

  /**
   * Retries a call that had no effect: it was throttled, or did not reach the platform. If the operation may be repeated, also a call
   * whose answer got lost, and one that was refused for a passing reason. The last refusal is thrown; the others go to `retried`.
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
