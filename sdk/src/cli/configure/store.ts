import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isMap } from "yaml";
import { ConfigurationError } from "../../operation/errors.ts";
import { parsedProfiles } from "../../config/profile-document.ts";
import { profilesFile, type ProfileSetting } from "../../config/profiles.ts";

/** The new values of settings; `undefined` removes one. */
export type Changes = ReadonlyMap<ProfileSetting, string | undefined>;

/** Milliseconds after which a writer is taken for dead. */
const abandoned = 10_000;

/**
 * Changes a profile. Everything else in the file stays, comments included. The file is replaced at once. Several processes change it
 * one after the other.
 *
 * @throws ConfigurationError if the file is no list of profiles. It then stays as it is.
 */
export async function changeProfile(name: string, changes: Changes, file = profilesFile()): Promise<void> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  chmodSync(dirname(file), 0o700);
  const real = realPathOf(file);
  // The new file is also the lock: only one process can create it. While it exists, this process waits for nothing.
  const next = `${real}.lock`;
  const descriptor = await made(next);
  try {
    writeFileSync(descriptor, changed(textOf(real), { name, changes, file }));
    fsyncSync(descriptor);
    renameSync(next, real);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function changed(text: string, { name, changes, file }: { name: string; changes: Changes; file: string }): string {
  const document = parsedProfiles(text, file);
  const found: unknown = document.get(name, true);
  const isEmpty = document.get(name) === undefined || document.get(name) === null;
  if (!isEmpty && !isMap(found)) throw new ConfigurationError(`the profile ${name} in ${file} is no list of settings`);
  const set = [...changes].flatMap(([setting, value]) => (value === undefined ? [] : [[setting, value]]));
  if (isEmpty) document.set(name, document.createNode(Object.fromEntries(set)));
  for (const [setting, value] of changes)
    if (value === undefined) document.deleteIn([name, setting]);
    else document.setIn([name, setting], value);
  return document.toString({ lineWidth: 0 });
}

/** The file that a link leads to. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return "";
    throw error;
  }
}

/** Creates a file. Waits as long as it exists. */
async function made(file: string): Promise<number> {
  for (;;) {
    try {
      return openSync(file, "wx", 0o600);
    } catch (error) {
      if (!isCode(error, "EEXIST")) throw error;
    }
    if (ageOf(file) > abandoned) rmSync(file, { force: true });
    else await sleep(10 + Math.random() * 20);
  }
}

function ageOf(file: string): number {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
