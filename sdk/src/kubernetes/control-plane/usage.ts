/** Who uses clusters, and since when nobody does. */
export class Usage {
  readonly #users = new Map<string, number>();
  readonly #since = new Map<string, number>();

  /** Counts somebody until this is disposed of. */
  begin(clusterId: string): Disposable {
    this.#count(clusterId, 1);
    return {
      [Symbol.dispose]: () => {
        this.#count(clusterId, -1);
      },
    };
  }

  /** Somebody has just wanted a cluster. */
  note(clusterId: string): void {
    this.#since.set(clusterId, performance.now());
  }

  /** For how long nobody has used a cluster, in milliseconds. */
  idleFor(clusterId: string): number {
    return this.#users.has(clusterId) ? 0 : performance.now() - (this.#since.get(clusterId) ?? 0);
  }

  #count(clusterId: string, change: 1 | -1): void {
    const users = (this.#users.get(clusterId) ?? 0) + change;
    if (users === 0) this.#users.delete(clusterId);
    else this.#users.set(clusterId, users);
    this.note(clusterId);
  }
}
