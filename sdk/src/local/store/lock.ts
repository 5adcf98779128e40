import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, codes, openDatabase } from "./sqlite.ts";

/** A lock of this machine that only one process has at a time. However that process ends, it is free then. */
export class Lock implements Disposable {
  readonly #release: () => void;

  private constructor(release: () => void) {
    this.#release = release;
  }

  /** Takes a lock; `undefined` if another process has it. */
  static take(file: string): Lock | undefined {
    mkdirSync(dirname(file), { recursive: true });
    const database = openDatabase(file);
    try {
      database.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      database.close();
      if (codeOf(error) === codes.busy) return undefined;
      throw error;
    }
    return new Lock(() => {
      database.close();
    });
  }

  [Symbol.dispose](): void {
    this.#release();
  }
}
