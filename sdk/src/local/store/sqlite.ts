import type { DatabaseSync } from "node:sqlite";

type Sqlite = typeof import("node:sqlite");

let loaded: Sqlite | undefined;

/** Opens a database. Node's SQLite is loaded at the first use, without the notice that older Nodes print about its being new. */
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

/** SQLite's code of an error, without what it adds for details; `undefined` of other errors. */
export function codeOf(error: unknown): number | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, "errcode") : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Where several processes make the same file at once, SQLite refuses this to some of them without waiting: they try again. */
export function useWriteAheadLog(database: DatabaseSync, attempts = 200): void {
  try {
    database.exec("PRAGMA journal_mode = WAL");
  } catch (error) {
    if (attempts <= 1 || codeOf(error) !== codes.busy) throw error;
    Atomics.wait(nothing, 0, 0, 10);
    useWriteAheadLog(database, attempts - 1);
  }
}

/** An error of SQLite as whoever called can understand it; others as they are. */
export function inWords(file: string, error: unknown): unknown {
  const sentence = sentences[codeOf(error) ?? 0];
  return sentence === undefined
    ? error
    : new Error(sentence(file, error instanceof Error ? error.message : String(error)), { cause: error });
}

const sentences: Readonly<Record<number, (file: string, reason: string) => string>> = {
  [codes.busy]: (file) =>
    `another process has locked the local world ${file}, and did not let go of it in time; nothing was changed. Wait for that process, or end it`,
  [codes.readOnly]: (file) => `the local world ${file} cannot be written; nothing was changed. Check the rights to the file and its folder`,
  [codes.failedIo]: (file, reason) => `the local world ${file} cannot be written (${reason}); nothing was changed. Check the disk`,
  [codes.full]: (file) => `there is no room left for the local world ${file}; nothing was changed. Make room on its disk`,
};
