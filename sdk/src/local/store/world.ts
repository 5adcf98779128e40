import { hash, randomBytes } from "node:crypto";
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { z } from "zod";
import { ConfigurationError } from "../../operation/errors.ts";
import { putFirstAccount } from "../accounts/rows.ts";
import { type Pace, paces } from "../pace.ts";
import { type Job, type Queue, queueOf } from "./queue.ts";
import { codeOf, codes, inWords, openDatabase, useWriteAheadLog } from "./sqlite.ts";
import { createTable, Rows, statements, type Table } from "./table.ts";
import { tables } from "./tables.ts";

/** The layout of the file, and of snapshots. One with another number is of another version of this library. */
export const layout = 4;
const rootAccount = "100000000001";

export interface WorldOptions {
  /** How fast things move in a new world; `fast` unless given. An existing one keeps its own. */
  readonly pace?: Pace;
  /** What ids and addresses of a new world are drawn from: the same seed and calls give the same ids. Random unless given. */
  readonly seed?: string;
  /** How long, in milliseconds, calls wait for another process that has locked the file; 20 seconds unless given. */
  readonly patience?: number;
}

const clockRow = z.object({
  version: z.number(),
  seed: z.string(),
  drawn: z.number(),
  pace: z.enum(paces),
  /** Milliseconds that the world's clock is ahead of the machine's. */
  ahead: z.number(),
  frozen: z.number().nullable(),
  /** The first moment at which something is due to be gone. */
  due: z.number().nullable(),
});

type Clock = z.output<typeof clockRow>;

/** The state of a local platform: one SQLite file, shared by every process that opens it. Each call is one immediate transaction. */
export class World {
  readonly file: string;
  readonly #patience: number;
  readonly #database: DatabaseSync;
  readonly #queue: Queue;
  readonly prepare: (sql: string) => StatementSync;
  /** The clock as it was read in the transaction that goes on; none goes on, or it was changed since, if it is absent. */
  #known: Clock | undefined;
  /** How often it was drawn, by the transaction that goes on; written at its end. What is taken back of it has drawn all the same. */
  #drawn: number | undefined;
  #isCommitting = false;

  private constructor(file: string, database: DatabaseSync, patience: number) {
    this.file = file;
    this.#patience = patience;
    this.#database = database;
    this.#queue = queueOf(file);
    this.prepare = statements(database);
  }

  /**
   * Opens a world, and makes it where there is none. `:memory:` is a world of this process alone.
   *
   * @throws ConfigurationError if the file is not a world, or of a newer version.
   */
  static open(file: string, options: WorldOptions = {}): World {
    const { pace = "fast", seed = randomBytes(8).toString("hex"), patience = usualPatience } = options;
    const database = readable(file, () => {
      if (file !== ":memory:") makeFile(file);
      const opened = openDatabase(file);
      // The log is written into the file when it has so many pages (32 MB): everyone waits for the disk meanwhile.
      opened.exec(`PRAGMA busy_timeout = ${patience}; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000;`);
      useWriteAheadLog(opened);
      return opened;
    });
    const world = new World(file, database, patience);
    readable(file, () => {
      world.#make(pace, seed);
    });
    const { version } = world.clock();
    if (version !== layout) {
      database.close();
      const age = version > layout ? "a newer" : "an older";
      throw new ConfigurationError(
        `the local world ${file} is of ${age} version of this library (layout ${version}, this one reads ${layout}): use that version, or remove the file to begin anew`,
      );
    }
    return world;
  }

  #make(pace: Pace, seed: string): void {
    const made = () => this.#database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'clock'").get() !== undefined;
    // Looking needs no lock: something in this process may hold it, which could not go on while this waits.
    if (made()) return;
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      if (!made()) {
        this.#database.exec(`
          CREATE TABLE clock (version INTEGER, seed TEXT, drawn INTEGER, pace TEXT, ahead INTEGER, frozen INTEGER, due INTEGER) STRICT;
          CREATE TABLE accounts (uin TEXT PRIMARY KEY, main TEXT NOT NULL, name TEXT NOT NULL, policy TEXT NOT NULL) STRICT;
          CREATE TABLE accessKeys (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, uin TEXT NOT NULL, secret TEXT NOT NULL,
            token TEXT, expires INTEGER, disabled INTEGER NOT NULL) STRICT;
          CREATE TABLE audit (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, account TEXT NOT NULL, region TEXT NOT NULL, data TEXT NOT NULL) STRICT;
          CREATE TABLE faults (seq INTEGER PRIMARY KEY, data TEXT NOT NULL) STRICT;
          ${tables.map(createTable).join("")}`);
        this.#database.prepare("INSERT INTO clock VALUES (?, ?, 0, ?, 0, NULL, NULL)").run(layout, seed, pace);
        putFirstAccount(this, seed);
      }
      this.#database.exec("COMMIT");
    } catch (error) {
      // SQLite has taken it back by itself where the disk is full.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** The first main account, whose calls those in this process are unless said otherwise. */
  get account(): string {
    return rootAccount;
  }

  get pace(): Pace {
    return this.clock().pace;
  }

  clock(): Clock {
    if (this.#known) return this.#known;
    const written = readable(this.file, () => clockRow.parse(this.prepare("SELECT * FROM clock").get()));
    const clock = { ...written, drawn: this.#drawn ?? written.drawn };
    if (this.#isCommitting) this.#known = clock;
    return clock;
  }

  #setClock(change: string, ...values: readonly (string | number)[]): void {
    this.#known = undefined;
    this.prepare(`UPDATE clock SET ${change}`).run(...values);
  }

  /** The world's time, in milliseconds since 1970. */
  now(): number {
    const { ahead, frozen } = this.clock();
    return frozen ?? Date.now() + ahead;
  }

  /** Moves the clock forward. It counts whole milliseconds. */
  advance(milliseconds: number): void {
    const whole = Math.round(milliseconds);
    this.#setClock("ahead = ahead + ?, frozen = frozen + ?", whole, whole);
  }

  /** Sets the clock to a moment, of the past too. It runs on from there, or stands there. */
  setTime(moment: number): void {
    const whole = Math.round(moment);
    if (this.clock().frozen === null) this.#setClock("ahead = ?", whole - Date.now());
    else this.freeze(whole);
  }

  /** Stops the clock where it stands, or at a moment. */
  freeze(moment = this.now()): void {
    this.#setClock("frozen = ?", Math.round(moment));
  }

  /** Lets a stopped clock run on from where it stands. */
  unfreeze(): void {
    const now = this.now();
    this.#setClock("frozen = NULL, ahead = ?", now - Date.now());
  }

  /** Lets the clock run with the machine's, at a pace, and what is drawn begin after so many. */
  beginAgain({ pace, seed, drawn }: Pick<Clock, "pace" | "seed" | "drawn">): void {
    this.#drawn = undefined;
    this.#setClock("pace = ?, seed = ?, drawn = ?, ahead = 0, frozen = NULL, due = NULL", pace, seed, drawn);
  }

  setPace(pace: Pace): void {
    this.#setClock("pace = ?", pace);
  }

  /** Bytes drawn from the world's seed: other ones each time, the same ones in the same world. */
  draw(): Buffer {
    const { seed, drawn: before } = this.clock();
    const drawn = before + 1;
    if (this.#isCommitting) this.#drawn = drawn;
    else this.#setClock("drawn = ?", drawn);
    this.#known &&= { ...this.#known, drawn };
    return hash("sha256", `${seed}/${drawn}`, "buffer");
  }

  /** A new id such as `vpc-3f8a0c1e`: none that something has already among the things `of` its kind. */
  newId(prefix: string, of?: Pick<Table<{ id: string }>, "name">): string {
    const id = `${prefix}-${this.draw().toString("hex").slice(0, 8)}`;
    // Of some ten thousand things, two may draw the same.
    const isTaken = of !== undefined && this.prepare(`SELECT 1 FROM "${of.name}" WHERE id = ?`).get(id) !== undefined;
    return isTaken ? this.newId(prefix, of) : id;
  }

  /** The things of one kind that an account has in a region. */
  rows<Row extends { id: string }>(of: Table<Row>, region: string, account = rootAccount): Rows<Row> {
    return new Rows(this.prepare, of, [account, region], this.#expiring);
  }

  /**
   * Does work in an immediate transaction: all of it happens, or nothing. What is due to be gone by now is gone before it begins.
   * One at a time in this process; work that waits at the same time is committed at once.
   *
   * @throws an error in words where the file stays locked, or cannot be written.
   */
  transaction<T>(work: () => Promise<T> | T): Promise<T> {
    return this.#queue.add<T>(this.#commit, work).catch((error: unknown) => {
      throw inWords(this.file, error);
    });
  }

  readonly #commit = async (jobs: readonly Job[]): Promise<void> => {
    await this.#begin();
    this.#isCommitting = true;
    try {
      for (const job of jobs) {
        if (!this.#database.isTransaction) throw new Error("the transaction was taken back");
        this.#sweep();
        await job.do((work) => this.attempt(work));
      }
      if (this.#drawn !== undefined) this.#setClock("drawn = ?", this.#drawn);
      this.prepare("COMMIT").run();
    } catch (error) {
      if (this.#database.isTransaction) this.prepare("ROLLBACK").run();
      throw error;
    } finally {
      this.#isCommitting = false;
      this.#known = undefined;
      this.#drawn = undefined;
    }
  };

  /** SQLite's own waiting would hold up everything else that this process does, Control-C too. */
  async #begin(): Promise<void> {
    const end = performance.now() + this.#patience;
    this.prepare("PRAGMA busy_timeout = 20").get();
    try {
      while (!this.#begun(performance.now() < end)) await sleep(1);
    } finally {
      this.prepare(`PRAGMA busy_timeout = ${this.#patience}`).get();
    }
  }

  #begun(mayWait: boolean): boolean {
    try {
      this.prepare("BEGIN IMMEDIATE").run();
      return true;
    } catch (error) {
      if (mayWait && codeOf(error) === codes.busy) return false;
      throw error;
    }
  }

  /** Takes away what is due to be gone. Mostly that is nothing, which one look tells. */
  #sweep(): void {
    const { due } = this.clock();
    const now = this.now();
    if (due === null || due > now) return;
    for (const { name } of tables) this.prepare(`DELETE FROM "${name}" WHERE expires <= ?`).run(now);
    this.learnDue();
  }

  readonly #expiring = (moment: number): void => {
    this.#setClock("due = min(coalesce(due, ?1), ?1)", moment);
  };

  /** Looks for the first moment at which something is due to be gone, after rows were put in or taken out as such. */
  learnDue(): void {
    const each = tables.map(({ name }) => `SELECT min(expires) AS first FROM "${name}"`).join(" UNION ALL ");
    this.#setClock(`due = (SELECT min(first) FROM (${each}))`);
  }

  /** Does work inside a transaction that is taken back if it throws, without ending the transaction. */
  async attempt<T>(work: () => Promise<T> | T): Promise<T> {
    this.prepare("SAVEPOINT attempt").run();
    try {
      const result = await work();
      this.prepare("RELEASE attempt").run();
      return result;
    } catch (error) {
      this.#known = undefined;
      this.prepare("ROLLBACK TO attempt").run();
      this.prepare("RELEASE attempt").run();
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** It holds private keys, and SQLite gives the files beside it the rights of this one: nobody else may read it from the beginning. */
function makeFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
}

const usualPatience = 20_000;
function readable<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (given) {
    const error = inWords(file, given);
    if (error !== given) throw error;
    const reason = error instanceof z.ZodError ? "it is not a world" : error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `the local world ${file} cannot be read (${reason}): remove the file to begin anew, or name another with local:<file>`,
    );
  }
}
