import { readFileSync } from "node:fs";
import { freemem } from "node:os";
import { dirname, join } from "node:path";

const megabyte = 1024 * 1024;

/** What a control plane takes at work, in bytes. */
const memoryOfControlPlane = 320 * megabyte;

/** What is said of a control plane that something else has killed. */
export const wasKilled = `was killed, as systems do when memory runs out: it takes about ${inMegabytes(memoryOfControlPlane)}`;

/**
 * Why no further control plane can be started; `undefined` if there is memory for one.
 *
 * @param running how many run, and `starting` how many of these have not taken their memory yet
 */
export function memoryComplaint(running: number, starting: number, free = availableMemory()): string | undefined {
  const available = Math.max(0, free - starting * memoryOfControlPlane);
  if (available >= memoryOfControlPlane) return undefined;
  const others = running === 0 ? "none runs" : running === 1 ? "1 runs" : `${running} run`;
  return (
    `there is no memory for another control plane: each takes about ${inMegabytes(memoryOfControlPlane)}, and ${inMegabytes(available)} ` +
    `are available. At the moment ${others}, which is what fits: one that nobody uses is stopped after a while, or when its cluster is deleted`
  );
}

function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / megabyte)} MB`;
}

/** The memory that processes can still take, in bytes: the machine's, or that of the container if it has less. */
function availableMemory(): number {
  return Math.min(freemem(), availableInGroups());
}

/** Both versions of control groups: how a process names its group, where groups are, and what their files are. */
const groupVersions = [
  { group: /^0::(.*)$/m, place: "sys/fs/cgroup", limit: "memory.max", used: "memory.current", cached: /^inactive_file (\d+)$/m },
  {
    group: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m,
    place: "sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    cached: /^total_inactive_file (\d+)$/m,
  },
];

/** What the control groups of this process may still take: its own, and those around it. Files that are only cached do not count: they make room. */
export function availableInGroups(root = "/"): number {
  const own = textOf(join(root, "proc/self/cgroup"));
  const available = groupVersions.flatMap(({ group, place, limit, used, cached }) => {
    const groups = around(group.exec(own)?.[1] ?? "/").map((path) => join(root, place, path));
    return groups.map((folder) => {
      const most = Number.parseInt(textOf(join(folder, limit)));
      const files = Number(cached.exec(textOf(join(folder, "memory.stat")))?.[1] ?? 0);
      return most - Number.parseInt(textOf(join(folder, used))) + files;
    });
  });
  // Where there are no groups, or one has no limit, there is no number.
  return Math.min(...available.filter((one) => !Number.isNaN(one)), Infinity);
}

/** A group and those that it is in: `/a/b`, `/a`, `/`. In a container, only the last may be seen. */
function around(path: string): string[] {
  return path === "/" || path === "." ? ["/"] : [path, ...around(dirname(path))];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
