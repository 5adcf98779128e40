import { z } from "zod";
import { timeScales } from "../time.ts";
import type { Store } from "./table.ts";
import { readable } from "./world-file.ts";

const clockRow = z
  .object({
    version: z.number(),
    seed: z.string(),
    /** The number of draws made from the seed. */
    drawn: z.number(),
    /** The name that the time scale has in databases and snapshots. */
    pace: z.enum(timeScales),
    /** Milliseconds that the world's clock is ahead of the machine's. */
    ahead: z.number(),
    /** The moment at which the clock is stopped; null while it runs. */
    frozen: z.number().nullable(),
    /** The next moment at which a row expires. */
    due: z.number().nullable(),
  })
  .transform(({ pace, ...row }) => ({ ...row, timeScale: pace }));

/** What the file says of the clock. */
export type Clock = z.output<typeof clockRow>;

/** The clock of a world, and the draws from its seed. Both are one row of the file. */
export class WorldClock {
  readonly #file: string;
  readonly #store: Store;
  /** The number of draws in the current transaction, which is written at its end. Work that is rolled back counts too. */
  #drawn: number | undefined;
  /** Whether a transaction is under way. Until it ends, nobody else changes the row. */
  isCommitting = false;

  constructor(file: string, store: Store) {
    this.#file = file;
    this.#store = store;
  }

  read(): Clock {
    const row = this.#row();
    return this.#drawn === undefined ? row : { ...row, drawn: this.#drawn };
  }

  /** The row as it is written: without the draws of this transaction. */
  #row(): Clock {
    return this.#store.recall("clock", "", () =>
      readable(this.#file, () => clockRow.parse(this.#store.prepare("SELECT * FROM clock").get())),
    );
  }

  /** Changes the row. */
  set(change: string, ...values: readonly (string | number)[]): void {
    this.#store.prepare(`UPDATE clock SET ${change}`).run(...values);
  }

  reset({ timeScale, seed, drawn }: Pick<Clock, "timeScale" | "seed" | "drawn">): void {
    this.#drawn = undefined;
    this.set("pace = ?, seed = ?, drawn = ?, ahead = 0, frozen = NULL, due = NULL", timeScale, seed, drawn);
  }

  /** The seed with the next number. Its hash has the bytes. */
  nextDraw(): string {
    const row = this.#row();
    const drawn = (this.#drawn ?? row.drawn) + 1;
    if (this.isCommitting) this.#drawn = drawn;
    else this.set("drawn = ?", drawn);
    return `${row.seed}/${drawn}`;
  }

  /** Writes the draws of the transaction, before it is committed. */
  writeDraws(): void {
    if (this.#drawn === undefined) return;
    const written = this.read();
    this.set("drawn = ?", this.#drawn);
    this.#store.recall("clock", "", () => written);
  }

  endTransaction(): void {
    this.isCommitting = false;
    this.#drawn = undefined;
  }
}

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
