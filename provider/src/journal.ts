import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/**
 * The id of a thing that was made, until it is known that the engine has saved it: a file in the user's state folder. Without it,
 * nobody would know of a thing whose maker was killed between the platform's answer and the save.
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

  /** The engine has the answer, and is about to save it. */
  handOver(): void {
    handedOver.push(this);
  }
}

const handedOver: JournalEntry[] = [];

/** The engine has saved what it was told. */
export function confirmHandedOver(): void {
  for (const entry of handedOver.splice(0)) entry.remove();
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
