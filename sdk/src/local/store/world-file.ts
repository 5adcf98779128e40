import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { ConfigurationError } from "../../operation/errors.ts";
import { inWords } from "./sqlite.ts";

/** Only the user may read the file from the beginning: it holds private keys. SQLite gives the files beside it the same rights. */
export function makeFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
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
    if (error !== given) throw error;
    const reason = error instanceof z.ZodError ? "it is not a world" : error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `the local world ${file} cannot be read (${reason}): remove the file to begin anew, or name another with local:<file>`,
    );
  }
}
