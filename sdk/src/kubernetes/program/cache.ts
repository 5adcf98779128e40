import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Sources } from "./sources.ts";

/** The name of the program. */
export const programName = `container-platform-kubernetes${process.platform === "win32" ? ".exe" : ""}`;

/** Where the program of these sources is kept, for all that this machine's user does with it. */
export function folderInCache({ kubernetes, digest }: Sources): string {
  const usual = process.platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache");
  const name = `kubernetes-${kubernetes}-${digest.slice(0, 16)}-${process.platform}-${process.arch}`;
  return join(process.env["XDG_CACHE_HOME"] || usual, "container-platform", name);
}

/** Whether a folder has the program, as it was built. */
export async function isWhole(folder: string): Promise<boolean> {
  const file = join(folder, programName);
  if (!existsSync(file)) return false;
  return readFileSync(join(folder, "sha256"), "utf8") === (await digestOf(file));
}

/** The SHA-256 of a file, in hexadecimal. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest("hex");
}
