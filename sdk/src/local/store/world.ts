import { hash, randomBytes } from "node:crypto";
import { resolve as absolute } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigurationError } from "../../operation/errors.ts";
import { putFirstAccount } from "../accounts/rows.ts";
import { type TimeScale, timeScaleNamed } from "../time.ts";
import { codeOf, codes, inWords, openDatabase, type Prepared, statements, useWriteAheadLog } from "./sqlite.ts";
import { createTable, Rows, type Table, tables } from "./table.ts";
import { type Clock, Memory, WorldClock } from "./world-clock.ts";
import { expectNoOther, expectSame, identityOf, makeFile, readable, tablesIn } from "./world-file.ts";

/** Work in the queue. */
export interface Job {
  /** Does the work. Its promise is settled later, once the transaction is committed. */
  do(attempt: <T>(work: () => Promise<T> | T) => Promise<T>): Promise<void>;
}

/** Does jobs one after the other in one transaction: if it throws, nothing of them is kept. */
type Commit = (jobs: readonly Job[]) => Promise<void>;

interface Waiting extends Job {
  readonly commit: Commit;
  /** Settles the job's promise with its own result. */
  tell(): void;
  /** Rejects the job's promise, because the transaction was rolled back. */
  fail(error: unknown): void;
}

/** The most jobs in one transaction, so that none waits long for the others. */
const most = 32;

/** By file. One queue for all worlds of a file: to wait for SQLite's lock blocks the process, and with it a holder of the lock in it. */
const queues = new Map<string, Queue>();

function queueOf(file: string): Queue {
  if (file === ":memory:") return new Queue();
  const queue = queues.get(absolute(file)) ?? new Queue();
  queues.set(absolute(file), queue);
  return queue;
}

/** All work of this process on one file, in order. */
class Queue {
  #waiting: Waiting[] = [];
  #running = false;

  /** Does work in its turn, in a transaction that `commit` makes. */
  add<T>(commit: Commit, work: () => Promise<T> | T): Promise<T> {
    return new Promise((resolve, reject) => {
      let tell = (): void => undefined;
      this.#waiting.push({
        commit,
        do: (attempt) =>
          attempt(work).then(
            (result) => void (tell = () => resolve(result)),
            (error: unknown) => void (tell = reject.bind(undefined, error)),
          ),
        tell: () => tell(),
        fail: reject,
      });
      if (!this.#running) this.#begin();
    });
  }

  /** Starts after the current events, so that jobs which arrive together share a transaction. */
  #begin(): void {
    this.#running = true;
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    for (let jobs = this.#next(); jobs.length > 0; jobs = this.#next())
      await jobs[0]?.commit(jobs).then(
        () => jobs.forEach((job) => job.tell()),
        (error: unknown) => jobs.forEach((job) => job.fail(error)),
      );
    this.#running = false;
  }

  /** The jobs at the front that can share a transaction. */
  #next(): Waiting[] {
    const [first] = this.#waiting;
    const end = this.#waiting.findIndex(({ commit }, index) => commit !== first?.commit || index >= most);
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }
}

const usualLockTimeout = 20_000;

/** The version of the layout of files and of snapshots. Those with another number were written by another version of this library. */
export const layout = 4;
const rootAccount = "100000000001";

export interface WorldOptions {
  /** The time scale of a new world; `fast` unless given. An existing one keeps its own. */
  readonly timeScale?: TimeScale;
  /** The seed of a new world's ids, addresses and keys: the same seed and calls give the same ones. Random unless given. */
  readonly seed?: string;
  /** How long calls wait for another process that has locked the file, in milliseconds; 20 seconds unless given. */
  readonly lockTimeout?: number;
}

/** The state of a local platform: one SQLite file, shared by every process that opens it. Each call is one immediate transaction. */
export class World {
  readonly file: string;
  /** Which file was opened: a path may lead to another one later. */
  readonly #identity: string | undefined;
  readonly #lockTimeout: number;
  readonly #database: DatabaseSync;
  readonly #queue: Queue;
  readonly #statement: (sql: string) => Prepared;
  readonly #clock: WorldClock;
  readonly #memory = new Memory();
  /** SQLite's number of the file's content, as of the last transaction: it changes when another connection has written. */
  #content: unknown;
  /** How long SQLite itself waits for a lock, as it is set now. */
  #patience: number;
  /** How much work is done that is rolled back by itself if it throws, and for how much of it, from the outside in, there is a savepoint. */
  #attempts = 0;
  #savepoints = 0;

  private constructor(file: string, database: DatabaseSync, lockTimeout: number) {
    this.file = file;
    this.#identity = identityOf(file);
    this.#lockTimeout = lockTimeout;
    this.#database = database;
    this.#queue = queueOf(file);
    this.#patience = lockTimeout;
    this.#statement = statements(database);
    this.#clock = new WorldClock(file, this);
  }

  /**
   * Opens a world, or creates it if there is none. `:memory:` is a world of this process alone.
   *
   * @throws ConfigurationError if the file is not a world, or was written by another version of this library.
   * @throws InputError if the time scale does not exist
   */
  static open(file: string, options: WorldOptions = {}): World {
    const { timeScale: named = "fast", seed = randomBytes(8).toString("hex"), lockTimeout = usualLockTimeout } = options;
    const timeScale = timeScaleNamed(named, "timeScale");
    const database = readable(file, () => {
      if (file !== ":memory:") makeFile(file);
      const opened = openDatabase(file);
      // A checkpoint writes the log into the file after this many pages (32 MB). All calls wait for it.
      opened.exec(`PRAGMA busy_timeout = ${lockTimeout}; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000;`);
      expectNoOther(file, opened);
      useWriteAheadLog(opened);
      return opened;
    });
    const world = new World(file, database, lockTimeout);
    readable(file, () => {
      world.#make(timeScale, seed);
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

  /** A statement that is to be run at once: what has to be done before a write is done now. */
  readonly prepare = (sql: string): StatementSync => {
    const { statement, isWrite, changes } = this.#statement(sql);
    if (!this.#clock.isCommitting) this.#wait(this.#lockTimeout);
    if (isWrite) for (; this.#savepoints < this.#attempts; this.#savepoints++) this.#run("SAVEPOINT attempt");
    for (const table of changes) this.#memory.forget(table);
    return statement;
  };

  /**
   * Adds a row that nothing follows in its work: no savepoint is needed for it, as SQLite itself adds it as a whole or not at all. Most
   * calls write nothing but this.
   */
  append(sql: string, ...values: readonly (string | number)[]): void {
    this.#statement(sql).statement.run(...values);
  }

  /** What was read of a table in an earlier call, if nobody has written there since. */
  readonly recall = <T>(table: string, name: string, read: () => T): T =>
    this.#clock.isCommitting ? this.#memory.recall(table, name, read) : read();

  #run(sql: string): void {
    this.#statement(sql).statement.run();
  }

  /** Sets how long SQLite waits for a lock. */
  #wait(milliseconds: number): void {
    if (this.#patience === milliseconds) return;
    this.#statement(`PRAGMA busy_timeout = ${milliseconds}`).statement.get();
    this.#patience = milliseconds;
  }

  #make(timeScale: TimeScale, seed: string): void {
    const found = tablesIn(this.#database);
    // To look needs no lock. The lock may be held in this process: to wait for it here would block its holder.
    if (found.has("clock") && (tables.every(({ name }) => found.has(name)) || this.clock().version !== layout)) return;
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      // A table that is new since the world was made is added: what there was before stays as it is.
      if (tablesIn(this.#database).has("clock")) this.#database.exec(tables.map(createTable).join(""));
      else {
        this.#database.exec(`
          CREATE TABLE clock (version INTEGER, seed TEXT, drawn INTEGER, pace TEXT, ahead INTEGER, frozen INTEGER, due INTEGER) STRICT;
          CREATE TABLE accounts (uin TEXT PRIMARY KEY, main TEXT NOT NULL, name TEXT NOT NULL, policy TEXT NOT NULL) STRICT;
          CREATE TABLE accessKeys (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, uin TEXT NOT NULL, secret TEXT NOT NULL,
            token TEXT, expires INTEGER, disabled INTEGER NOT NULL) STRICT;
          CREATE TABLE audit (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, account TEXT NOT NULL, region TEXT NOT NULL, data TEXT NOT NULL) STRICT;
          CREATE TABLE faults (seq INTEGER PRIMARY KEY, data TEXT NOT NULL) STRICT;
          ${tables.map(createTable).join("")}`);
        this.#database.prepare("INSERT INTO clock VALUES (?, ?, 0, ?, 0, NULL, NULL)").run(layout, seed, timeScale);
        putFirstAccount(this, seed);
      }
      this.#database.exec("COMMIT");
    } catch (error) {
      // SQLite rolls back by itself if the disk is full.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** The first main account: calls in this process are its own unless another caller is given. */
  get account(): string {
    return rootAccount;
  }

  get timeScale(): TimeScale {
    return this.clock().timeScale;
  }

  clock(): Clock {
    return this.#clock.read();
  }

  /** The world's time, in milliseconds since 1970. */
  now(): number {
    const { ahead, frozen } = this.clock();
    return frozen ?? Date.now() + ahead;
  }

  /** Moves the clock forward, by whole milliseconds. */
  advance(milliseconds: number): void {
    const whole = Math.round(milliseconds);
    this.#clock.set("ahead = ahead + ?, frozen = frozen + ?", whole, whole);
  }

  /** Sets the clock to a moment, which may be in the past. It runs on from there; a frozen one stays there. */
  setTime(moment: number): void {
    const whole = Math.round(moment);
    if (this.clock().frozen === null) this.#clock.set("ahead = ?", whole - Date.now());
    else this.freeze(whole);
  }

  /** Stops the clock, now or at a given moment. */
  freeze(moment = this.now()): void {
    this.#clock.set("frozen = ?", Math.round(moment));
  }

  /** Lets a stopped clock run on from its time. */
  unfreeze(): void {
    this.#clock.set("frozen = NULL, ahead = ?", this.now() - Date.now());
  }

  /** Sets the clock to the machine's time, with a time scale, a seed and the number of draws already made from it. */
  resetClock(values: Pick<Clock, "timeScale" | "seed" | "drawn">): void {
    this.#clock.reset(values);
  }

  setTimeScale(timeScale: TimeScale): void {
    this.#clock.set("pace = ?", timeScale);
  }

  /** 32 bytes drawn from the world's seed: different ones at each draw, and the same ones at the nth draw of the same seed. */
  draw(): Buffer {
    return hash("sha256", this.#clock.nextDraw(), "buffer");
  }

  /** As `draw`, in hexadecimal digits: it takes half the time. */
  drawHex(): string {
    return hash("sha256", this.#clock.nextDraw(), "hex");
  }

  /** A new id such as `vpc-3f8a0c1e`, unique in the table `of`. */
  newId(prefix: string, of?: Pick<Table<{ id: string }>, "name">): string {
    const id = `${prefix}-${this.drawHex().slice(0, 8)}`;
    // Among some ten thousand rows, the same id may be drawn twice.
    const isTaken = of !== undefined && this.prepare(`SELECT 1 FROM "${of.name}" WHERE id = ?`).get(id) !== undefined;
    return isTaken ? this.newId(prefix, of) : id;
  }

  /** The rows of one table that an account has in a region. */
  rows<Row extends { id: string }>(of: Table<Row>, region: string, account = rootAccount): Rows<Row> {
    return new Rows(this, of, [account, region], this.#expiring);
  }

  /**
   * Does work in an immediate transaction: all of it happens, or nothing. Rows that have expired are deleted before it begins.
   * Work is done one at a time in this process; work that waits at the same time is committed together.
   *
   * @throws an error with a message for the user if the file stays locked, or cannot be written.
   */
  transaction<T>(work: () => Promise<T> | T): Promise<T> {
    return this.#queue.add<T>(this.#commit, work).catch((error: unknown) => {
      throw inWords(this.file, error);
    });
  }

  readonly #commit = async (jobs: readonly Job[]): Promise<void> => {
    await this.#begin();
    this.#clock.isCommitting = true;
    this.#savepoints = 0;
    try {
      expectSame(this.file, this.#identity);
      this.#recognize();
      for (const job of jobs) {
        if (!this.#database.isTransaction) throw new Error("the transaction was rolled back");
        this.#sweep();
        await job.do((work) => this.attempt(work));
      }
      this.#clock.writeDraws();
      this.#run("COMMIT");
    } catch (error) {
      this.#memory.forgetAll();
      if (this.#database.isTransaction) this.#run("ROLLBACK");
      throw error;
    } finally {
      this.#clock.endTransaction();
    }
  };

  /** Forgets what was read before, if another connection has written since. */
  #recognize(): void {
    const content = this.#statement("PRAGMA data_version").statement.get()?.["data_version"];
    if (content !== this.#content) this.#memory.forgetAll();
    this.#content = content;
  }

  /** Waits for the lock in short attempts: SQLite's own wait would block the whole process, Control-C included. */
  async #begin(): Promise<void> {
    const end = performance.now() + this.#lockTimeout;
    while (!this.#begun(performance.now() < end)) await sleep(1);
  }

  #begun(mayWait: boolean): boolean {
    try {
      // What runs between two attempts, outside of the transaction, may have set it.
      this.#wait(20);
      this.#run("BEGIN IMMEDIATE");
      return true;
    } catch (error) {
      if (mayWait && codeOf(error) === codes.busy) return false;
      throw error;
    }
  }

  /** Deletes expired rows. Mostly there are none, which `due` tells without a look at the tables. */
  #sweep(): void {
    const { due } = this.clock();
    if (due === null) return;
    const now = this.now();
    if (due > now) return;
    for (const { name } of tables) this.prepare(`DELETE FROM "${name}" WHERE expires <= ?`).run(now);
    this.updateNextExpiry();
  }

  readonly #expiring = (moment: number): void => {
    this.#clock.set("due = min(coalesce(due, ?1), ?1)", moment);
  };

  /** Computes `due` from the tables, after rows were deleted or restored. */
  updateNextExpiry(): void {
    const each = tables.map(({ name }) => `SELECT min(expires) AS first FROM "${name}"`).join(" UNION ALL ");
    this.#clock.set(`due = (SELECT min(first) FROM (${each}))`);
  }

  /**
   * Does work that is rolled back by itself if it throws, while the transaction goes on. There is a savepoint for it from its first write
   * on.
   */
  async attempt<T>(work: () => Promise<T> | T): Promise<T> {
    const outside = this.#attempts++;
    try {
      const result = await work();
      if (this.#savepoints > outside) this.#run("RELEASE attempt");
      return result;
    } catch (error) {
      if (this.#savepoints > outside) {
        this.#memory.forgetAll();
        this.#run("ROLLBACK TO attempt");
        this.#run("RELEASE attempt");
      }
      throw error;
    } finally {
      this.#attempts = outside;
      this.#savepoints = Math.min(this.#savepoints, outside);
    }
  }

  close(): void {
    this.#database.close();
  }
}
