import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../operation/codec.ts";

const prefix = "container-platform-call-";
/** In milliseconds. No call takes so long: a folder that is older was left by a process that was killed. */
const abandoned = 3_600_000;

const folders = new Set<string>();
let swept: Promise<void> | undefined;

/**
 * Puts parameters into a file that only this user can read, and does work with it. The file is removed afterwards, also if the work
 * fails or the process ends. If the process is killed, the next one removes it.
 */
export async function withParameters<T>(parameters: JsonObject, work: (file: string) => Promise<T>): Promise<T> {
  if (!swept) {
    process.once("exit", () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
    swept = sweep();
  }
  // A folder of mode 0700, so that nobody else can put another file in its place.
  const folder = await mkdtemp(join(tmpdir(), prefix));
  folders.add(folder);
  try {
    const file = join(folder, "parameters.json");
    await writeFile(file, JSON.stringify(parameters), { mode: 0o600, flag: "wx" });
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
    folders.delete(folder);
  }
}

/** Removes what killed processes left. Folders of other users, and those that vanish meanwhile, are skipped. */
async function sweep(): Promise<void> {
  const all = await readdir(tmpdir()).catch(() => []);
  for (const name of all.filter((found) => found.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    const age = await stat(folder).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > abandoned) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
