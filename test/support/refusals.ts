/** What a provider has refused. A refusal ends the run of the engine that it was in: what follows is one with a provider that knows nothing. */
export class Refusals {
  #isThere = false;
  #runs = 0;

  note(): void {
    this.#isThere = true;
  }

  /** A provider begins anew. */
  forget(): void {
    this.#isThere = false;
  }

  /** What fails here is a refusal. */
  async among<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      this.note();
      throw error;
    }
  }

  /** Does what a run of the engine does, with a provider that has refused nothing when it begins. */
  async running(restart: () => Promise<void>, work: () => Promise<unknown>): Promise<void> {
    if (this.#isThere && this.#runs === 0) await restart();
    this.#runs++;
    try {
      await work();
    } finally {
      this.#runs--;
    }
  }
}
