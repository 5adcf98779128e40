import { readFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const megabyte = 1024 * 1024;

/** What a control plane takes at work, in bytes. */
const memoryOfControlPlane = 320 * megabyte;

/**
 * Why no further control plane can be started; `undefined` if there is memory for one.
 *
 * @param running how many run, and `starting` how many of these have not taken their memory yet
 */
export function memoryComplaint(running: number, starting: number, free = availableMemory()): string | undefined {
  const available = Math.max(0, free - starting * memoryOfControlPlane);
  if (available >= memoryOfControlPlane) return undefined;
  const inMegabytes = (bytes: number) => `${Math.floor(bytes / megabyte)} MB`;
  const others = running === 0 ? "none runs" : running === 1 ? "1 runs" : `${running} run`;
  return (
    `there is no memory for another control plane: each takes about ${inMegabytes(memoryOfControlPlane)}, and ${inMegabytes(available)} ` +
    `are available. At the moment ${others}, which is what fits: one that nobody uses is stopped after a while, or when its cluster is deleted`
  );
}

/** The memory that processes can still take, in bytes: the machine's, or that of the container if it has less. */
function availableMemory(): number {
  return Math.min(freemem(), availableInGroup() ?? Infinity);
}

/** What the control group of this process may still take. Files that are only cached do not count: they make room. */
function availableInGroup(): number | undefined {
  try {
    const path = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "/";
    const read = (name: string) => readFileSync(join("/sys/fs/cgroup", path, name), "utf8");
    const limit = Number(read("memory.max"));
    const cached = Number(/^inactive_file (\d+)$/m.exec(read("memory.stat"))?.[1] ?? 0);
    return Number.isNaN(limit) ? undefined : limit - Number(read("memory.current")) + cached;
  } catch {
    // There are no groups on this system, or this one has no limits.
    return undefined;
  }
}
