import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/**
 * The id of a thing that this user's run began to make, until it is known that the engine has saved it: a file in the user's state
 * folder. Without it, nobody would know whose a thing is that takes no tags, once its maker was killed.
 */
export class JournalEntry {
  readonly #file: string;

  /** `key`: what tells the resource from every other one of this user. */
  constructor(key: readonly string[], environment: NodeJS.ProcessEnv = process.env) {
    const state = environment["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state");
    const name = createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 32);
    this.#file = join(state, "container-platform", "journal", name);
  }

  read(): string | undefined {
    try {
      return readFileSync(this.#file, "utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  write(id: string): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, id, { mode: 0o600 });
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
