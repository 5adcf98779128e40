import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/**
 * The id of a resource that a run of this user has begun to create. It is a file in the user's state folder, until the engine is known
 * to have saved the resource. A resource that takes no tags does not show who created it. If the run is killed, this file does.
 */
export class IntentLogEntry {
  readonly #file: string;

  /** @param key identifies the resource among all of this user's */
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
