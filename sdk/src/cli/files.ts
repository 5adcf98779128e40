import { renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { text } from "node:stream/consumers";
import { jsonIn } from "../formats/texts.ts";
import { isObject, type JsonObject } from "../operation/codec.ts";
import { UsageError } from "./run.ts";

/**
 * The text of a file that a command line names; `-` is the standard input.
 *
 * @param option the option that named the file, for the message; none if the file was a word of its own
 * @throws UsageError if it cannot be read.
 */
export async function textOf(file: string, option?: string): Promise<string> {
  if (file === "-") return text(process.stdin);
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const place = option === undefined ? file : `${option}: ${file}`;
    throw new UsageError(`${place} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Writes a file that only this user can read. The file is replaced at once: a reader finds the old content or the new one. */
export function writeAtOnce(file: string, content: string): void {
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, content, { mode: 0o600, flag: "wx" });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw new Error(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

const scheme = "file://";

/**
 * The object that a file holds, as JSON: `file://<path>`, or `file://-` for the standard input.
 *
 * @throws UsageError if it cannot be read. The message never shows the content, which may be secret.
 */
export async function objectIn(file: string): Promise<JsonObject> {
  if (!file.startsWith(scheme))
    throw new UsageError("--cli-input-json takes file://<path>, or file://- for the standard input", "A path follows file:// as it is.");
  const path = file.slice(scheme.length).replace(/^~(?=\/)/, homedir());
  const content = await textOf(path, "--cli-input-json");
  const value = jsonIn(content);
  if (!isObject(value))
    throw new UsageError(`--cli-input-json: ${path} holds no JSON object`, "--generate-cli-skeleton prints one to fill in.");
  return value;
}
