import { existsSync, fchmodSync, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { InputError } from "../operation/errors.ts";
import { once } from "../operation/operation.ts";
import { projectFolder } from "../config/profiles.ts";

const recordedCall = once(() =>
  z.object({
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
  }),
);

/** A recorded call, without its secrets. All attempts that were made for it are one call. */
export interface RecordedCall extends z.output<ReturnType<typeof recordedCall>> {
  /** When the call was made, as `2026-01-31T12:00:00.000Z`, by this machine's clock. */
  readonly time: string;
  /** The platform's id of the last attempt; empty if that did not reach the platform. */
  readonly requestId: string;
  /** The error code of the last attempt; empty if it succeeded. */
  readonly code: string;
  /** Milliseconds from the beginning of the call to its end, waits and pauses included. */
  readonly duration: number;
  /** The attempts before the last one. */
  readonly retries: { readonly requestId: string; readonly code: string }[];
  /** The ids and names in the parameters and, for a write, in the answer. */
  readonly names: string[];
  /** The parameters, spelt as on the wire. */
  readonly parameters: unknown;
}

/** The calls of a record, in the order in which they ended. None if there is no such file. */
export function readRecord(file: string): RecordedCall[] {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.filter(Boolean).map((line) => recordedCall().parse(JSON.parse(line)));
}

/** A file with a line of JSON for each call. Several processes may write to the same file. */
export class CallRecord {
  readonly #file: string;
  readonly #redacted: (value: unknown) => unknown;
  #descriptor: number | undefined;

  /**
   * Opens the file to append to it, and creates it if need be. Only its owner may read it.
   *
   * @param file relative to the nearest folder, from `from` upwards, that holds a Pulumi.yaml; where there is none, to `from`
   * @param redacted what is recorded of a value of the parameters or of a name: the place to take out what is secret to the caller alone
   * @throws InputError if it cannot be written.
   */
  constructor(file: string, from = process.cwd(), redacted: (value: unknown) => unknown = (value) => value) {
    this.#redacted = redacted;
    this.#file = resolve(projectFolder(from) ?? from, file);
    try {
      this.#descriptor = openSync(this.#file, "a", 0o600);
      // The file may have been there before. What is no regular file, such as a terminal, keeps its rights.
      if (fstatSync(this.#descriptor).isFile()) fchmodSync(this.#descriptor, 0o600);
    } catch (error) {
      throw new InputError(
        `calls cannot be recorded in ${this.#file} (${reasonOf(error)}): name a file that can be written in container-platform:record or CONTAINER_PLATFORM_RECORD, or none`,
      );
    }
  }

  /** Adds a call. Never throws: the call has happened, whether it can be recorded or not. */
  add(call: RecordedCall): void {
    if (this.#descriptor === undefined) return;
    try {
      // The system appends a single write as a whole: lines of several processes do not mix.
      const [names, parameters] = [call.names, call.parameters].map((value) => this.#redacted(value));
      writeSync(this.#descriptor, `${JSON.stringify({ ...call, names, parameters })}\n`);
    } catch (error) {
      this.#descriptor = undefined;
      process.emitWarning(`calls are not recorded any more in ${this.#file} (${reasonOf(error)})`);
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
