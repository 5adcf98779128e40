/** The most that is remembered of a table. Then it is read anew. */
const most = 256;

/** What was read of tables, for as long as nobody has written there. */
export class Memory {
  readonly #tables = new Map<string, Map<string, unknown>>();

  /** What was read of a table under a name; read now unless it is known. What is not there is not remembered: there is no end of such names. */
  recall<T>(table: string, name: string, read: () => T): T {
    const known = this.#tables.get(table) ?? new Map<string, unknown>();
    this.#tables.set(table, known);
    // What has a name is always read in the same way.
    if (known.has(name)) return known.get(name) as T;
    const value = read();
    if (value === undefined) return value;
    if (known.size >= most) known.clear();
    known.set(name, value);
    return value;
  }

  forget(table: string): void {
    this.#tables.delete(table);
  }

  forgetAll(): void {
    this.#tables.clear();
  }
}
