import { fchmodSync, fstatSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { InputError } from "./errors.ts";
import { projectFolder } from "./project-folder.ts";
import type { Json } from "./wire.ts";

/** A call as the record has it, without what must not be shown. Attempts that were made again are part of it. */
export interface RecordedCall {
  /** When it was asked for, as `2026-01-31T12:00:00.000Z`, by the machine's clock. */
  readonly time: string;
  readonly product: string;
  readonly action: string;
  readonly version: string;
  readonly region: string;
  /** The platform's id of the last attempt; empty where that did not reach it. */
  readonly requestId: string;
  /** What the last attempt was refused with; empty if it was carried out. */
  readonly code: string;
  /** Milliseconds until there was an answer, with its waits and pauses. */
  readonly duration: number;
  /** The attempts before the last one. */
  readonly retries: readonly { readonly requestId: string; readonly code: string }[];
  /** Ids and names that it told, and that a write was answered. */
  readonly names: readonly string[];
  /** What was asked, as it is spelt on the wire. */
  readonly parameters: Json;
}

/** A file that has a line of JSON for each call. Several processes may write to one. */
export class CallRecord {
  readonly #file: string;
  #descriptor: number | undefined;

  /**
   * Opens the file, to write at its end; makes it if need be. Only its owner may read it.
   *
   * @param file relative to the nearest folder, from `from` upwards, that holds a Pulumi.yaml; where there is none, to `from`
   * @throws InputError if it cannot be written.
   */
  constructor(file: string, from = process.cwd()) {
    this.#file = resolve(projectFolder(from) ?? from, file);
    try {
      this.#descriptor = openSync(this.#file, "a", 0o600);
      // It may have been there before. What is no file, such as a terminal, stays whose it is.
      if (fstatSync(this.#descriptor).isFile()) fchmodSync(this.#descriptor, 0o600);
    } catch (error) {
      throw new InputError(
        `calls cannot be recorded in ${this.#file} (${reasonOf(error)}): name a file that can be written in container-platform:record or CONTAINER_PLATFORM_RECORD, or none`,
      );
    }
  }

  /** Adds a call. Never fails: what the call did is done by now. */
  add(call: RecordedCall): void {
    if (this.#descriptor === undefined) return;
    try {
      // One write at the end of a file: the system puts nobody else's in between.
      writeSync(this.#descriptor, `${JSON.stringify(call)}\n`);
    } catch (error) {
      this.#descriptor = undefined;
      process.emitWarning(`calls are not recorded any more in ${this.#file} (${reasonOf(error)})`);
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
