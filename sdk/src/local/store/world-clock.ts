import { hash } from "node:crypto";
import type { StatementSync } from "node:sqlite";
import { z } from "zod";
import { timeScales } from "../time-scale.ts";
import { readable } from "./world-file.ts";

const clockRow = z.object({
  version: z.number(),
  seed: z.string(),
  /** The number of draws made from the seed. */
  drawn: z.number(),
  pace: z.enum(timeScales),
  /** Milliseconds that the world's clock is ahead of the machine's. */
  ahead: z.number(),
  /** The moment at which the clock is stopped; null while it runs. */
  frozen: z.number().nullable(),
  /** The next moment at which a row expires. */
  due: z.number().nullable(),
});

/** What the file says of the clock. */
export type Clock = z.output<typeof clockRow>;

/** The clock of a world, and the draws from its seed. Both are one row of the file. */
export class WorldClock {
  readonly #file: string;
  readonly #prepare: (sql: string) => StatementSync;
  /** The row, as far as the current transaction has read it and not changed it since. */
  #known: Clock | undefined;
  /** The number of draws in the current transaction, which is written at its end. Work that is rolled back counts too. */
  #drawn: number | undefined;
  #isCommitting = false;

  constructor(file: string, prepare: (sql: string) => StatementSync) {
    this.#file = file;
    this.#prepare = prepare;
  }

  /** The row. */
  read(): Clock {
    if (this.#known) return this.#known;
    const written = readable(this.#file, () => clockRow.parse(this.#prepare("SELECT * FROM clock").get()));
    const clock = { ...written, drawn: this.#drawn ?? written.drawn };
    if (this.#isCommitting) this.#known = clock;
    return clock;
  }

  /** Changes the row. */
  set(change: string, ...values: readonly (string | number)[]): void {
    this.#known = undefined;
    this.#prepare(`UPDATE clock SET ${change}`).run(...values);
  }

  now(): number {
    const { ahead, frozen } = this.read();
    return frozen ?? Date.now() + ahead;
  }

  setTime(moment: number): void {
    const whole = Math.round(moment);
    if (this.read().frozen === null) this.set("ahead = ?", whole - Date.now());
    else this.freeze(whole);
  }

  freeze(moment: number): void {
    this.set("frozen = ?", Math.round(moment));
  }

  unfreeze(): void {
    const now = this.now();
    this.set("frozen = NULL, ahead = ?", now - Date.now());
  }

  reset({ pace, seed, drawn }: Pick<Clock, "pace" | "seed" | "drawn">): void {
    this.#drawn = undefined;
    this.set("pace = ?, seed = ?, drawn = ?, ahead = 0, frozen = NULL, due = NULL", pace, seed, drawn);
  }

  draw(): Buffer {
    const { seed, drawn: before } = this.read();
    const drawn = before + 1;
    if (this.#isCommitting) this.#drawn = drawn;
    else this.set("drawn = ?", drawn);
    this.#known &&= { ...this.#known, drawn };
    return hash("sha256", `${seed}/${drawn}`, "buffer");
  }

  /** From now on, nobody else changes the row until `endTransaction`. */
  beginTransaction(): void {
    this.#isCommitting = true;
  }

  /** Writes the draws of the transaction, before it is committed. */
  writeDraws(): void {
    if (this.#drawn !== undefined) this.set("drawn = ?", this.#drawn);
  }

  endTransaction(): void {
    this.#isCommitting = false;
    this.#known = undefined;
    this.#drawn = undefined;
  }

  /** Reads the row anew next time: what was changed was rolled back. */
  forget(): void {
    this.#known = undefined;
  }
}
