/** Recent answers of a platform. Every write through the same `Cloud` outdates them. */
export class Readings {
  /** The number of writes. An answer to a call that began before the last write is outdated. */
  generation = 0;
  readonly #shared = new Map<string, { readonly generation: number; readonly at: number; readonly answer: Promise<unknown> }>();
  readonly #facts = new Map<string, Promise<unknown>>();

  forget(): void {
    this.generation++;
  }

  /** One call for all who ask with the same key, until its answer is older than `maxAge` milliseconds. A failure is not kept. */
  async share<T>(key: string, maxAge: number, read: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(key);
    if (known?.generation === this.generation && performance.now() - known.at <= maxAge) return known.answer as Promise<T>;
    const answer = read();
    const reading = { generation: this.generation, at: performance.now(), answer };
    this.#shared.set(key, reading);
    answer.catch(() => this.#shared.get(key) === reading && this.#shared.delete(key));
    return answer;
  }

  /** For what never changes: one call for all. A failure is not kept. */
  async remember<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#facts.get(key);
    if (known) return known as Promise<T>;
    const answer = read();
    this.#facts.set(key, answer);
    answer.catch(() => this.#facts.delete(key));
    return answer;
  }
}
