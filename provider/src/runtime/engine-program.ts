import { readFileSync, readlinkSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";

/** How many processes may stand between the engine and its provider: Pulumi's script, and what a manager of Node's versions starts. */
const generations = 5;

/**
 * Where the `pulumi` command may be, best first: the engine that has started this process, where the system tells; what the PATH has; and
 * where Pulumi's installer puts it. The engine does not add its own folder to the PATH of its providers.
 *
 * `folder` is that in which the engine runs, where the system tells: a backend such as `file://.` is relative to it. Pulumi starts a provider
 * in the folder of the program.
 */
export function enginePrograms() {
  const own = engineAbove();
  const home = process.env["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
  return { files: [...(own ? [own.file] : []), "pulumi", join(home, "bin", "pulumi")], folder: own?.folder };
}

/** The engine among the processes above this one. Only Linux tells the files that they run, and their folders, in /proc. */
function engineAbove(): { readonly file: string; readonly folder: string } | undefined {
  try {
    let pid = process.ppid;
    for (let generation = 0; generation < generations && pid > 1; generation++) {
      const file = readlinkSync(`/proc/${pid}/exe`);
      if (basename(file) === "pulumi") return { file, folder: readlinkSync(`/proc/${pid}/cwd`) };
      // After the name in brackets, which may hold anything: the state, then the parent.
      const [, parent] = /\) \S (\d+) [^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      pid = Number(parent);
    }
  } catch {
    // Another system, or a process of another user.
  }
  return undefined;
}
