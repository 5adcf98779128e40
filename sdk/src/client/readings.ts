/** What was read of a platform lately. Every write through the same `Cloud` forgets it. */
export class Readings {
  /** Counts the writes: a reading begun before the last one is old. */
  generation = 0;
  readonly #shared = new Map<string, { readonly generation: number; readonly at: number; readonly answer: Promise<unknown> }>();
  readonly #facts = new Map<string, Promise<unknown>>();

  forget(): void {
    this.generation++;
  }

  /** One reading for all who ask under one key, while it is not older than `maxAge` milliseconds. A failure is not remembered. */
  async share<T>(key: string, maxAge: number, read: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(key);
    if (known?.generation === this.generation && performance.now() - known.at <= maxAge) return known.answer as Promise<T>;
    const answer = read();
    const reading = { generation: this.generation, at: performance.now(), answer };
    this.#shared.set(key, reading);
    answer.catch(() => this.#shared.get(key) === reading && this.#shared.delete(key));
    return answer;
  }

  /** Something that never changes: asked once. A failure is not remembered. */
  async remember<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#facts.get(key);
    if (known) return known as Promise<T>;
    const answer = read();
    this.#facts.set(key, answer);
    answer.catch(() => this.#facts.delete(key));
    return answer;
  }
}
