import { InputError, PlatformError, reasonOf } from "../operation/errors.ts";
import type { Product } from "../operation/operation.ts";

/** The rate never falls below this: a product that throttles is still called. */
const fewest = 1;

/**
 * How many milliseconds a call has to wait where `allowed` calls may begin within any second.
 *
 * @param begun when the last calls began, in milliseconds of the same clock as `now`, oldest first
 */
export function waitBefore(begun: readonly number[], allowed: number, now: number): number {
  const first = begun.at(-Math.floor(allowed));
  return first === undefined ? 0 : Math.max(0, first + 1000 - now);
}

/** How many calls may begin within a second after one was throttled. */
export function slower(allowed: number): number {
  return Math.max(fewest, allowed / 2);
}

/** How many calls may begin within a second after one was not throttled. That is one more after each second of full use. */
export function faster(allowed: number, limit: number): number {
  return Math.min(limit, allowed + 1 / allowed);
}

/**
 * Limits how many calls of each product begin within any second, first come, first served. Other programs may call in the same
 * account: when a call is throttled, the product's rate is halved for all who share this limit, and then grows again.
 */
export class RateLimit {
  readonly #limit: number;
  readonly #queues = new Map<Product, Queue>();

  /** @throws InputError for less than one call a second. */
  constructor(limit: number) {
    if (!(limit >= fewest)) throw new InputError(`callsPerSecond is ${limit}; it takes a number from ${fewest} on`);
    this.#limit = limit;
  }

  /** Makes a call when its turn has come. A call that is aborted before is not made. */
  async run<T>(product: Product, signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
    if (this.#limit === Infinity) return call();
    let queue = this.#queues.get(product);
    if (!queue) this.#queues.set(product, (queue = new Queue(this.#limit)));
    const begun = await queue.turn(signal);
    try {
      const answer = await call();
      queue.answered();
      return answer;
    } catch (error) {
      if (error instanceof PlatformError && error.kind === "throttled") queue.throttled(begun);
      throw error;
    }
  }
}

/** The calls of one product. */
class Queue {
  readonly #limit: number;
  #allowed: number;
  readonly #begun: number[] = [];
  readonly #waiting = new Set<(now: number) => void>();
  #timer: NodeJS.Timeout | undefined;
  #slowed = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
    this.#allowed = limit;
  }

  /** Waits until a call may begin; returns that time. */
  turn(signal: AbortSignal | undefined): Promise<number> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const begin = (now: number) => {
        signal?.removeEventListener("abort", giveUp);
        resolve(now);
      };
      const giveUp = () => {
        this.#waiting.delete(begin);
        if (signal) reject(reasonOf(signal));
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#waiting.add(begin);
      this.#proceed();
    });
  }

  answered(): void {
    this.#allowed = faster(this.#allowed, this.#limit);
  }

  /** Calls that were under way together may all be throttled: the rate is halved once for them. */
  throttled(begun: number): void {
    if (begun < this.#slowed) return;
    this.#allowed = slower(this.#allowed);
    this.#slowed = performance.now();
  }

  #proceed(): void {
    for (const begin of this.#waiting) {
      const now = performance.now();
      const wait = waitBefore(this.#begun, this.#allowed, now);
      if (wait > 0) {
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.#proceed();
        }, wait);
        return;
      }
      this.#waiting.delete(begin);
      this.#begun.push(now);
      if (this.#begun.length > this.#limit) this.#begun.shift();
      begin(now);
    }
  }
}
