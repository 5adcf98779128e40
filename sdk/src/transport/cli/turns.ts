import { reasonOf } from "../../operation/abort.ts";

/** Limits how much work is done at the same time. The rest waits, first come, first served. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Does work when its turn comes; throws the signal's reason if the signal aborts before. */
  async take<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    await this.#begin(signal);
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  #begin(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(begin);
        if (signal) reject(reasonOf(signal));
      };
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      this.#waiting.add(begin);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #end(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
