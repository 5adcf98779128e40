import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";

type Sqlite = typeof import("node:sqlite");

let loaded: Sqlite | undefined;

/** Opens a database. Node's SQLite is loaded at the first use, without the warning of older versions that it is experimental. */
export function openDatabase(file: string): DatabaseSync {
  loaded ??= quietly();
  return new loaded.DatabaseSync(file);
}

function quietly(): Sqlite {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Codes of SQLite (https://sqlite.org/rescode.html). */
export const codes = { busy: 5, readOnly: 8, failedIo: 10, full: 13 } as const;

/** SQLite's primary error code, without the bits of its extended codes; `undefined` for other errors. */
export function codeOf(error: unknown): number | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, "errcode") : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** If several processes create the same file at once, SQLite refuses this to some of them without waiting: they try again. */
export function useWriteAheadLog(database: DatabaseSync, attempts = 200): void {
  try {
    database.exec("PRAGMA journal_mode = WAL");
  } catch (error) {
    if (attempts <= 1 || codeOf(error) !== codes.busy) throw error;
    Atomics.wait(nothing, 0, 0, 10);
    useWriteAheadLog(database, attempts - 1);
  }
}

/** The file of a world cannot be used as it is. The message is for the user, and nothing was changed. */
export class WorldFileError extends Error {}

/** An error of SQLite with a message for the user; other errors as they are. */
export function inWords(file: string, error: unknown): unknown {
  const sentence = sentences[codeOf(error) ?? 0];
  return sentence === undefined
    ? error
    : new WorldFileError(sentence(file, error instanceof Error ? error.message : String(error)), { cause: error });
}

const sentences: Readonly<Record<number, (file: string, reason: string) => string>> = {
  [codes.busy]: (file) =>
    `another process has locked the local world ${file}, and did not release it in time; nothing was changed. Wait for that process, or end it`,
  [codes.readOnly]: (file) => `the local world ${file} cannot be written; nothing was changed. Check the rights to the file and its folder`,
  // What SQLite maps into memory fails so on a full disk, too.
  [codes.failedIo]: (file, reason) =>
    isFull(dirname(file)) ? full(file) : `the local world ${file} cannot be written (${reason}); nothing was changed. Check the disk`,
  [codes.full]: full,
};

function full(file: string): string {
  return `the disk of the local world ${file} is full; nothing was changed. Make room on it`;
}

function isFull(folder: string): boolean {
  try {
    return statfsSync(folder).bavail === 0;
  } catch {
    // The disk tells nothing any more.
    return false;
  }
}

/** A statement, and what there is to do before it runs. */
export interface Prepared {
  readonly statement: StatementSync;
  readonly isWrite: boolean;
  /** The tables that it may change. */
  readonly changes: readonly string[];
}

/** What follows these words in a statement that writes is a table. */
const changed = /\b(?:INTO|UPDATE|FROM)\s+"?(\w+)/gi;

/** Prepares each statement only once per connection. */
export function statements(database: DatabaseSync): (sql: string) => Prepared {
  const prepared = new Map<string, Prepared>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const isWrite = !/^\s*(SELECT|PRAGMA)\b/i.test(sql);
    const changes = isWrite ? [...sql.matchAll(changed)].map(([, table = ""]) => table) : [];
    const made = { statement: database.prepare(sql), isWrite, changes };
    prepared.set(sql, made);
    return made;
  };
}

const fullDisk = ["ENOSPC", "EDQUOT"];

/** Whether something failed because there is no room: a write of a file, or one of the world. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && fullDisk.includes(error.code)) return true;
  return codeOf(error) === codes.full || isDiskFull(error.cause);
}
