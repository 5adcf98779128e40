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
export interface ServedFolder extends Disposable {
  readonly folder: string;
  /** Keeps where the server listens, for who comes while it runs. */
  readonly tellAddress: (url: string | undefined) => void;
}

/**
 * Takes a folder: beside the world's file unless another is given. That of a world without a file goes with the process.
 *
 * @param kind what it is named by
 * @param what is served from it, in words
 * @throws ConfigurationError if another server has it.
 */
export function takeFolder(
  world: World,
  { kind, what, folder: given }: { kind: string; what: string; folder: string | undefined },
): ServedFolder {
  const isTemporary = given === undefined && world.file === ":memory:";
  const folder = given ?? (isTemporary ? mkdtempSync(join(tmpdir(), `${kind}-`)) : `${world.file}-${kind}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = lock(join(folder, "lock"));
  if (!own) throw new ConfigurationError(`the ${what} of this world are served already, by ${holderOf(folder)}, from ${folder}: ${advice}`);
  const tellAddress = (url: string | undefined) => {
    writeFileSync(noteIn(folder), `${JSON.stringify({ pid: process.pid, url })}\n`);
  };
  tellAddress(undefined);
  return {
    folder,
    tellAddress,
    [Symbol.dispose]: () => {
      rmSync(noteIn(folder), { force: true });
      own[Symbol.dispose]();
      if (isTemporary) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Replaces a file by one that holds a value as JSON: a reader finds the one or the other, whole. */
export function replaceJson(file: string, value: object): void {
  const draft = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(draft, `${JSON.stringify(value, undefined, 2)}\n`);
  renameSync(draft, file);
}

/** What a file holds as JSON; `undefined` if there is no such file, or it is broken. */
export function jsonInFile<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

const advice = "use that server, or end it, or serve another world";

function noteIn(folder: string): string {
  return join(folder, "server.json");
}

function holderOf(folder: string): string {
  const known = jsonInFile(noteIn(folder), holder);
  // It has the lock, and may not have said yet who it is.
  if (!known) return "another process";
  return `process ${known.pid}${known.url === undefined ? "" : ` at ${known.url}`}`;
}
