import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { ConfigurationError } from "../../operation/errors.ts";
import { inWords, WorldFileError } from "./sqlite.ts";

/** Only the user may read the file from the beginning: it holds private keys. SQLite gives the files beside it the same rights. */
export function makeFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
}

/** The names of the tables of a database, and of what belongs to them. */
export function tablesIn(database: DatabaseSync): ReadonlySet<unknown> {
  const all = database.prepare("SELECT name FROM sqlite_master").all();
  return new Set(all.map(({ name }) => name));
}

/**
 * Expects a world, or a database that is new.
 *
 * @throws ConfigurationError if it is somebody else's database, which stays as it is
 */
export function expectNoOther(file: string, database: DatabaseSync): void {
  const found = tablesIn(database);
  if (found.size === 0 || found.has("clock")) return;
  database.close();
  throw new ConfigurationError(
    `${file} is a database of another program, and no local world: it was left as it is. Name another file with local:<file>`,
  );
}

/** Which file has a name at the moment; `undefined` if none has. */
export function identityOf(file: string): string | undefined {
  const found = file === ":memory:" ? undefined : statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/**
 * Expects that the file that was opened still has its name: what is written into another one nobody ever reads.
 *
 * @throws WorldFileError
 */
export function expectSame(file: string, opened: string | undefined): void {
  if (identityOf(file) === opened) return;
  throw new WorldFileError(
    `the file of the local world ${file} was removed, or replaced by another, while it was in use; nothing was changed. Run this again; a server of it has to be started anew`,
  );
}

/**
 * Reads a world.
 *
 * @throws ConfigurationError if the file is none
 */
export function readable<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (given) {
    const error = inWords(file, given);
    if (error !== given || error instanceof ConfigurationError) throw error;
    const reason = error instanceof z.ZodError ? "it is not a world" : error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `the local world ${file} cannot be read (${reason}): ${isRefused(error) ? "check the rights to the file and its folder" : "remove the file to begin anew"}, or name another with local:<file>`,
    );
  }
}

/** Whether the system refuses the file, of which nothing is known to be wrong. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
