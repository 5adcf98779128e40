import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The other processes of this machine whose command line, or whose environment at their start, has a text. */
export async function processesWith(text: string, place: "cmdline" | "environ" = "cmdline"): Promise<{ pid: number; command: string }[]> {
  const read = (pid: string, name: string) => readFile(join("/proc", pid, name), "utf8").catch(() => "");
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) =>
      (await read(pid, place)).includes(text) ? [{ pid: Number(pid), command: (await read(pid, "cmdline")).replaceAll("\0", " ") }] : [],
    ),
  );
  return found.flat();
}
