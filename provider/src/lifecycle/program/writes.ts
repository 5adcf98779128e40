/** The writes of a run that are under way. */
export class Writes {
  #underWay = 0;
  /** By type and id: what the platform refuses to delete at the moment, because something else uses it. */
  readonly #refused = new Set<string>();

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await work();
    } finally {
      this.#underWay--;
    }
  }

  noteRefused(key: string): void {
    this.#refused.add(key);
  }

  noteEnded(key: string): void {
    this.#refused.delete(key);
  }

  /** Whether nothing is under way that may take anything out of the way. */
  get areStuck(): boolean {
    return this.#underWay <= this.#refused.size;
  }
}
