import { readFileSync } from "node:fs";

/**
 * Processor time of all programs that this one has started and that have ended, and of those that they have started, in seconds. Linux alone
 * tells it: in hundredths, in /proc/self/stat (proc_pid_stat(5): `cutime` and `cstime`).
 * @returns {number | undefined}
 */
export function workOfChildren() {
  if (process.platform !== "linux") return undefined;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // A program's name may hold anything but a `)`.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
