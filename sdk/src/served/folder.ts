import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { codeOf, codes, openDatabase } from "../local/store/sqlite.ts";
import type { World } from "../local/store/world.ts";
import { ConfigurationError } from "../operation/errors.ts";

/**
 * Takes a lock of this machine that only one process has at a time; `undefined` if another process has it. However a process ends, its locks
 * are free then.
 */
export function lock(file: string): Disposable | undefined {
  mkdirSync(dirname(file), { recursive: true });
  const database = openDatabase(file);
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (codeOf(error) === codes.busy) return undefined;
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
}

const holder = z.object({ pid: z.int(), url: z.string().optional() });

/** The folder in which a server keeps what it serves of a world besides calls. One server at a time has it: another would overwrite its ports. */
export class ServedFolder implements Disposable {
  readonly folder: string;
  readonly #lock: Disposable;
  readonly #isTemporary: boolean;

  private constructor(folder: string, taken: Disposable, isTemporary: boolean) {
    this.folder = folder;
    this.#lock = taken;
    this.#isTemporary = isTemporary;
  }

  /**
   * Takes a folder: beside the world's file unless another is given. That of a world without a file goes with the process.
   *
   * @param kind what it is named by
   * @param what is served from it, in words
   * @throws ConfigurationError if another server has it.
   */
  static take(world: World, { kind, what, folder: given }: { kind: string; what: string; folder: string | undefined }): ServedFolder {
    const isTemporary = given === undefined && world.file === ":memory:";
    const folder = given ?? (isTemporary ? mkdtempSync(join(tmpdir(), `${kind}-`)) : `${world.file}-${kind}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const own = lock(join(folder, "lock"));
    if (!own)
      throw new ConfigurationError(`the ${what} of this world are served already, by ${holderOf(folder)}, from ${folder}: ${advice}`);
    const taken = new ServedFolder(folder, own, isTemporary);
    taken.tellAddress(undefined);
    return taken;
  }

  /** Keeps where the server listens, for who comes while it runs. */
  tellAddress(url: string | undefined): void {
    writeFileSync(noteIn(this.folder), `${JSON.stringify({ pid: process.pid, url })}\n`);
  }

  [Symbol.dispose](): void {
    rmSync(noteIn(this.folder), { force: true });
    this.#lock[Symbol.dispose]();
    if (this.#isTemporary) rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Replaces a file by one that holds a value as JSON: a reader finds the one or the other, whole. */
export function replaceJson(file: string, value: object): void {
  const draft = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(draft, `${JSON.stringify(value, undefined, 2)}\n`);
  renameSync(draft, file);
}

const advice = "use that server, or end it, or serve another world";

function noteIn(folder: string): string {
  return join(folder, "server.json");
}

function holderOf(folder: string): string {
  try {
    const { pid, url } = holder.parse(JSON.parse(readFileSync(noteIn(folder), "utf8")));
    return `process ${pid}${url === undefined ? "" : ` at ${url}`}`;
  } catch {
    // It has the lock, and has not said yet who it is.
    return "another process";
  }
}
