import { existsSync, fchmodSync, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { InputError } from "../operation/errors.ts";
import { projectFolder } from "../config/project-folder.ts";

const recordedCall = z.object({
  time: z.string(),
  product: z.string(),
  action: z.string(),
  version: z.string(),
  region: z.string(),
  requestId: z.string(),
  code: z.string(),
  duration: z.number(),
  retries: z.array(z.object({ requestId: z.string(), code: z.string() })),
  names: z.array(z.string()),
  parameters: z.unknown(),
});

/** A call as the record has it, without what must not be shown. Attempts that were made again are part of it. */
export interface RecordedCall extends z.output<typeof recordedCall> {
  /** When it was asked for, as `2026-01-31T12:00:00.000Z`, by the machine's clock. */
  readonly time: string;
  /** The platform's id of the last attempt; empty where that did not reach it. */
  readonly requestId: string;
  /** What the last attempt was refused with; empty if it was carried out. */
  readonly code: string;
  /** Milliseconds until there was an answer, with its waits and pauses. */
  readonly duration: number;
  /** The attempts before the last one. */
  readonly retries: { readonly requestId: string; readonly code: string }[];
  /** Ids and names that it told, and that a write was answered. */
  readonly names: string[];
  /** What was asked, as it is spelt on the wire. */
  readonly parameters: unknown;
}

/** The calls that a record has, in the order in which they ended; none where there is no such file. */
export function readRecord(file: string): RecordedCall[] {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.filter(Boolean).map((line) => recordedCall.parse(JSON.parse(line)));
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
