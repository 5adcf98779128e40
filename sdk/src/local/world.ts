import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { z } from "zod";
import { InputError } from "../errors.ts";
import { type Pace, paces } from "./pace.ts";
import { openDatabase } from "./sqlite.ts";
import { createTable, Rows, statements, type Table } from "./table.ts";
import { tables } from "./tables.ts";

/** The layout of the file. A file with another number is of another version of this library. */
const schemaVersion = 1;
const rootAccount = "100000000001";

export interface WorldOptions {
  /** How fast things move in a new world; `fast` unless given. An existing one keeps its own. */
  readonly pace?: Pace;
  /** What ids and addresses of a new world are drawn from: the same seed and calls give the same ids. Random unless given. */
  readonly seed?: string;
}

const clockRow = z.object({
  version: z.number(),
  seed: z.string(),
  drawn: z.number(),
  pace: z.enum(paces),
  /** Milliseconds that the world's clock is ahead of the machine's. */
  ahead: z.number(),
  frozen: z.number().nullable(),
});

/** The state of a local platform: one SQLite file, shared by every process that opens it. Each call is one immediate transaction. */
export class World {
  readonly file: string;
  readonly #database: DatabaseSync;
  readonly prepare: (sql: string) => StatementSync;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(file: string, database: DatabaseSync) {
    this.file = file;
    this.#database = database;
    this.prepare = statements(database);
  }

  /**
   * Opens a world, and makes it where there is none. `:memory:` is a world of this process alone.
   *
   * @throws InputError if the file is not a world, or of a newer version.
   */
  static open(file: string, { pace = "fast", seed = randomBytes(8).toString("hex") }: WorldOptions = {}): World {
    if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true });
    const database = readable(file, () => {
      const opened = openDatabase(file);
      opened.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 20000;");
      return opened;
    });
    const world = new World(file, database);
    readable(file, () => {
      world.#make(pace, seed);
    });
    if (file !== ":memory:") chmodSync(file, 0o600);
    const { version } = world.clock();
    if (version !== schemaVersion) {
      database.close();
      const age = version > schemaVersion ? "newer" : "older";
      throw new InputError(
        `the local world ${file} is of a ${age} version of this library (layout ${version}, this one reads ${schemaVersion}): use that version, or remove the file to begin anew`,
      );
    }
    return world;
  }

  #make(pace: Pace, seed: string): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const made = this.#database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'clock'").get();
      if (!made) {
        this.#database.exec(`
          CREATE TABLE clock (version INTEGER, seed TEXT, drawn INTEGER, pace TEXT, ahead INTEGER, frozen INTEGER) STRICT;
          CREATE TABLE accounts (uin TEXT PRIMARY KEY, main TEXT NOT NULL, name TEXT NOT NULL) STRICT;
          CREATE TABLE audit (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, account TEXT NOT NULL, region TEXT NOT NULL, data TEXT NOT NULL) STRICT;
          CREATE TABLE faults (seq INTEGER PRIMARY KEY, data TEXT NOT NULL) STRICT;
          ${tables.map(createTable).join("")}`);
        this.#database.prepare("INSERT INTO clock VALUES (?, ?, 0, ?, 0, NULL)").run(schemaVersion, seed, pace);
        this.#database.prepare("INSERT INTO accounts VALUES (?, ?, ?)").run(rootAccount, rootAccount, "root");
      }
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  get account(): string {
    return rootAccount;
  }

  get pace(): Pace {
    return this.clock().pace;
  }

  clock(): z.output<typeof clockRow> {
    return readable(this.file, () => clockRow.parse(this.prepare("SELECT * FROM clock").get()));
  }

  /** The world's time, in milliseconds since 1970. */
  now(): number {
    const { ahead, frozen } = this.clock();
    return frozen ?? Date.now() + ahead;
  }

  /** Moves the clock forward. */
  advance(milliseconds: number): void {
    this.prepare("UPDATE clock SET ahead = ahead + ?, frozen = frozen + ?").run(milliseconds, milliseconds);
  }

  /** Stops the clock where it stands, or at a moment. */
  freeze(moment = this.now()): void {
    this.prepare("UPDATE clock SET frozen = ?").run(moment);
  }

  /** Lets a stopped clock run on from where it stands. */
  unfreeze(): void {
    const now = this.now();
    this.prepare("UPDATE clock SET frozen = NULL, ahead = ?").run(now - Date.now());
  }

  setPace(pace: Pace): void {
    this.prepare("UPDATE clock SET pace = ?").run(pace);
  }

  /** Bytes drawn from the world's seed: other ones each time, the same ones in the same world. */
  draw(): Buffer {
    const drawn = z.object({ drawn: z.number() }).parse(this.prepare("UPDATE clock SET drawn = drawn + 1 RETURNING drawn").get()).drawn;
    return createHash("sha256").update(`${this.clock().seed}/${drawn}`).digest();
  }

  /** A new id such as `vpc-3f8a0c1e`. */
  newId(prefix: string): string {
    return `${prefix}-${this.draw().toString("hex").slice(0, 8)}`;
  }

  /** The things of one kind that an account has in a region. */
  rows<Row extends { id: string }>(of: Table<Row>, region: string, account = rootAccount): Rows<Row> {
    return new Rows(this.prepare, of, [account, region]);
  }

  /** Does work in one immediate transaction; what is due to be gone by now is gone before it begins. One at a time in this process. */
  async transaction<T>(work: () => Promise<T> | T): Promise<T> {
    const turn = this.#turn.then(() => this.#transaction(work));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #transaction<T>(work: () => Promise<T> | T): Promise<T> {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const now = this.now();
      for (const { name } of tables) this.prepare(`DELETE FROM "${name}" WHERE expires <= ?`).run(now);
      const result = await work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** Does work inside a transaction that is taken back if it throws, without ending the transaction. */
  async attempt<T>(work: () => Promise<T> | T): Promise<T> {
    this.#database.exec("SAVEPOINT attempt");
    try {
      const result = await work();
      this.#database.exec("RELEASE attempt");
      return result;
    } catch (error) {
      this.#database.exec("ROLLBACK TO attempt; RELEASE attempt");
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}

function readable<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof z.ZodError ? "it is not a world" : error instanceof Error ? error.message : String(error);
    throw new InputError(
      `the local world ${file} cannot be read (${reason}): remove the file to begin anew, or name another with local:<file>`,
    );
  }
}
