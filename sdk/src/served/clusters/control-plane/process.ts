import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

const megabyte = 1024 * 1024;

/** What a control plane takes at work, in bytes. */
const memoryOfControlPlane = 320 * megabyte;

/** What is said of a control plane that something else has killed. */
const wasKilled = `was killed, as systems do when memory runs out: it takes about ${inMegabytes(memoryOfControlPlane)}`;

/**
 * Why no further control plane can be started; `undefined` if there is memory for one.
 *
 * @param running how many run, and `starting` how many of these have not taken their memory yet
 * @param free bytes that processes can still take: of the machine, or of the container if it has less
 */
export function memoryComplaint(running: number, starting: number, free = Math.min(freemem(), availableInGroups())): string | undefined {
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

/** How long a start may take, in milliseconds: seconds on a quiet machine. */
const startTimeout = 120_000;
/** How long a process that was asked to end may take. */
const endTimeout = 5000;

const pidFile = "pid";
const logFile = "log";

/** Where etcd keeps the cluster, and what is there until that was ready once. */
const dataFolder = "etcd";
const unfinishedFile = "unfinished";

const readyMessage = z.object({ port: z.int() });

/** A process of the program, which runs one control plane. */
export class ControlPlaneProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;
  #failure: string | undefined;
  /** Is resolved once the process has ended. */
  readonly ended: Promise<void>;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    // The process may be gone when its pipe is closed.
    child.stdin?.on("error", () => undefined);
    this.ended = once(child, "close")
      .catch((error: unknown) => {
        // It could not be executed: there was no process.
        this.#failure = error instanceof Error ? error.message : String(error);
      })
      .then(() => {
        rmSync(join(folder, pidFile), { force: true });
      });
  }

  /**
   * Starts the program in a folder, which has its keys. It ends by itself when this process is gone, as its input is closed then.
   *
   * @param flags what differs from cluster to cluster
   */
  static start(program: string, folder: string, flags: Readonly<Record<string, string>>): ControlPlaneProcess {
    const given = Object.entries({ folder, ...flags }).flatMap(([name, value]) => [`-${name}`, value]);
    beginData(folder);
    const log = openSync(join(folder, logFile), "w", 0o600);
    try {
      // In a group of its own: Control-C in a terminal is for the server alone, which ends it then.
      const child = spawn(program, ["run", ...given], { stdio: ["pipe", "pipe", log], detached: true, cwd: folder });
      const started = new ControlPlaneProcess(child, folder);
      if (child.pid !== undefined) started.#note(child.pid);
      return started;
    } finally {
      closeSync(log);
    }
  }

  /** Writes its number for the next server. A process that no server would find is not to run. */
  #note(pid: number): void {
    try {
      writeFileSync(join(this.#folder, pidFile), String(pid));
    } catch (error) {
      kill(pid);
      throw error;
    }
  }

  /**
   * The port of its API server, once that is ready.
   *
   * @throws an error with what the process has logged last, if it ends before or takes too long.
   */
  async ready(): Promise<number> {
    const output = this.#child.stdout;
    if (!output) throw new Error("its output is not read");
    const told = once(output, "data").then(([line]) => readyMessage.parse(JSON.parse(String(line))).port);
    // What is told after the process has ended is told to nobody.
    told.catch(() => undefined);
    const gaveUp = new AbortController();
    try {
      const port = await Promise.race([
        told,
        this.ended.then(() => {
          throw new Error(this.#failure ?? `it ${this.#isKilled ? wasKilled : `has ended: ${this.lastWords()}`}`);
        }),
        sleep(startTimeout, undefined, { signal: gaveUp.signal }).then(() => {
          throw new Error(`it is not ready after ${startTimeout / 1000} seconds: ${this.lastWords()}`);
        }),
      ]);
      rmSync(join(this.#folder, unfinishedFile), { force: true });
      return port;
    } finally {
      gaveUp.abort();
    }
  }

  /** How it has ended, of which its log may say nothing. */
  ending(): string {
    return this.#isKilled ? wasKilled : "has ended";
  }

  get #isKilled(): boolean {
    return this.#child.signalCode === "SIGKILL";
  }

  /** The last lines of its log, without what a panic adds to its reason. */
  lastWords(): string {
    const log = readFileSync(join(this.#folder, logFile), "utf8");
    if (/no space left on device/i.test(log)) return diskIsFull(this.#folder);
    const [told = ""] = log.split(/^goroutine \d+ \[/m, 1);
    return told.trim().split("\n").slice(-3).join("\n") || "it has logged nothing";
  }

  /** Ends it: it loses nothing by that. If it does not end by itself, it is killed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.end();
    const patience = new AbortController();
    await Promise.race([this.ended, sleep(endTimeout, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
    if (this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined) kill(this.#child.pid);
    await this.ended;
  }
}

/** What is said where a control plane has no room for its files. */
export function diskIsFull(folder: string): string {
  return `the disk is full (${folder}): make room, then try again`;
}

/**
 * Data of a start that was killed may lack what etcd needs to become ready ever again (its log is there, and the log's first entries are not).
 * Nobody has put anything into a cluster that was never ready: it is made anew.
 */
function beginData(folder: string): void {
  const [data, unfinished] = [join(folder, dataFolder), join(folder, unfinishedFile)];
  if (existsSync(unfinished)) rmSync(data, { recursive: true, force: true });
  if (!existsSync(data)) writeFileSync(unfinished, "");
}

/** Kills the process that an earlier server has left behind in a folder, if it is still running. */
export async function killLeftOver(folder: string): Promise<void> {
  const file = join(folder, pidFile);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8"));
  // The number may be another program's by now.
  if (Number.isInteger(pid) && pid > 1 && commandOf(pid).includes(folder)) {
    kill(pid);
    while (commandOf(pid).includes(folder)) await sleep(20);
  }
  rmSync(file, { force: true });
}

/** Kills a process and its group. */
function kill(pid: number): void {
  for (const target of [-pid, pid])
    try {
      process.kill(target, "SIGKILL");
    } catch {
      // It has ended.
    }
}

/** The command line of a process; empty if there is none. */
function commandOf(pid: number): string {
  try {
    if (existsSync("/proc/self/cmdline")) return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
}
